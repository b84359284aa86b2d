import { expect, test } from 'vitest';
import { parseBoundingBox, parseWarnings } from './use-properties.ts';

test('reads the box and the messages of the warnings', () => {
  const properties = {
    units: 'mm',
    boundingBox: { min: [0, 0, 0], max: [1, 2, 3] },
    warnings: [{ code: 'unmeshed_faces', message: '1 face is missing' }, { code: 'other' }, null],
  };
  expect(parseBoundingBox(properties)).toEqual({ min: [0, 0, 0], max: [1, 2, 3] });
  expect(parseWarnings(properties)).toEqual(['1 face is missing']);
});

test('reads neither from other files', () => {
  for (const other of [null, 'text', {}, { units: 'inch', boundingBox: {}, warnings: 'none' }]) {
    expect(parseBoundingBox(other)).toBeNull();
    expect(parseWarnings(other)).toEqual([]);
  }
});
