import { expect, test } from 'vitest';
import { measuresOf, warningsOf } from './measures.ts';

const PROPERTIES = {
  units: 'mm',
  boundingBox: { min: [-10, 0, -4], max: [190, 150, 80], size: [200, 150, 84] },
  volume: 764518.0297,
  area: 141079.3346,
  centreOfMass: [90, 75, 18.8594],
  solids: 18,
  valid: true,
  products: 9,
  source: { format: 'STEP', schema: 'AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }', unit: 'MILLIMETRE' },
  warnings: [],
  engine: 'OCCT 8.0',
};
const measured = (content: unknown, name: string) =>
  measuresOf(content).find((measure) => measure.name === name)?.value;

test('measures carry their units', () => {
  expect(measured(PROPERTIES, 'Size')).toBe('200 × 150 × 84 mm');
  expect(measured(PROPERTIES, 'Volume')).toMatch(/^764.518\D03 mm³$/);
  expect(measured(PROPERTIES, 'Made from')).toBe('STEP AP214');
});

test.each([
  ['AP242_MANAGED_MODEL_BASED_3D_ENGINEERING_MIM_LF { 1 0 10303 442 1 1 4 }', 'STEP AP242'],
  ['CONFIGURATION_CONTROL_3D_DESIGN_ED2_MIM_LF { 1 0 10303 403 1 1 4}', 'STEP AP203 edition 2'],
  ['CONFIG_CONTROL_DESIGN', 'STEP AP203'],
  ['OTHER_SCHEMA', 'STEP OTHER_SCHEMA'],
])('the schema %s is %s', (schema, words) => {
  expect(measured({ source: { format: 'STEP', schema } }, 'Made from')).toBe(words);
});

test('figures of other engines are shown under their own names, and what is no figure is left out', () => {
  expect(measured({ momentOfInertia: 3.5, colour: 'red' }, 'Moment Of Inertia')).toBe('3.5');
  expect(measuresOf({ volume: '12', boundingBox: { size: [1, 2] }, mass: Number.NaN })).toEqual([]);
  expect(measuresOf(null)).toEqual([]);
  expect(measuresOf('<html>')).toEqual([]);
});

test('warnings are told as sentences; a shape with faults always has one', () => {
  expect(
    warningsOf({ warnings: [{ code: 'no_unit', message: 'the file names no length unit' }, 'as a text'] }),
  ).toHaveLength(2);
  expect(warningsOf({ valid: false, warnings: [] })).toHaveLength(1);
  expect(warningsOf(PROPERTIES)).toEqual([]);
});
