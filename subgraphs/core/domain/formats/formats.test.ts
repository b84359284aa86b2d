import { expect, test } from 'vitest';
import { EXPORTS, FORMATS, formatOf, isModelFormat, MODEL_EXTENSIONS, unreadableMessage } from './formats.ts';

test.each([
  ['part.STP', 'step'],
  ['part.step.gz', 'stepz'],
  ['bracket.prt.12', 'creo'],
  ['frame.asm.json', null],
  ['Robot.CATPart', 'catia'],
  ['sheet.pdf', 'pdf'],
  ['stp', null],
])('recognizes %s as %s', (fileName, id) => {
  expect(formatOf(fileName)).toBe(id);
});

test('assigns each extension to one format', () => {
  const extensions = Object.values(FORMATS).flatMap((format) => [...format.extensions]);
  expect(extensions).toHaveLength(new Set(extensions).size);
});

test('treats drawings as attachments', () => {
  expect([formatOf('a.pdf'), formatOf('a.stl'), formatOf('a.txt')].map(isModelFormat)).toEqual([false, true, false]);
  expect(MODEL_EXTENSIONS).not.toContain('.pdf');
});

test('names the worker that could convert a native format', () => {
  expect(unreadableMessage('solidworks')).toBe(
    'the file is stored, but the built-in engine cannot read the format "SOLIDWORKS"; a worker with SOLIDWORKS can convert it to STEP',
  );
});

test('exports each format as one artifact kind', () => {
  expect(new Set(EXPORTS.map(({ kind }) => kind)).size).toBe(EXPORTS.length);
});
