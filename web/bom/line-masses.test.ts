import { expect, test } from 'vitest';
import { lineMass } from './line-masses.ts';

const STEEL = { name: 'Steel', density: 7850, occurrences: 2, mass: 0.0471 };

test('reads the mass if all parts have one, and each material once', () => {
  const properties = { massUnits: 'kg', mass: 0.0471, occurrencesWithoutMass: 0, materials: [STEEL, STEEL] };
  expect(lineMass(properties)).toEqual({ mass: 0.0471, materials: ['Steel'] });
  expect(lineMass({ ...properties, occurrencesWithoutMass: 1 })).toEqual({ mass: null, materials: ['Steel'] });
  expect(lineMass({ ...properties, massUnits: 'lb' }).mass).toBeNull();
});

test('returns nothing for other contents', () => {
  for (const content of [null, 'x', {}, { mass: '1', materials: 'Steel' }])
    expect(lineMass(content)).toEqual({ mass: null, materials: [] });
});
