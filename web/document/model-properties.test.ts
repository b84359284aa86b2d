import { expect, test } from 'vitest';
import { engineWarnings, formatProperties } from './model-properties.ts';

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
const propertyValue = (content: unknown, name: string) =>
  formatProperties(content).find((property) => property.name === name)?.value;

test('formats properties with their units', () => {
  expect(propertyValue(PROPERTIES, 'Size')).toBe('200 × 150 × 84 mm');
  expect(propertyValue(PROPERTIES, 'Volume')).toMatch(/^764\D52 cm³$/);
  expect(propertyValue(PROPERTIES, 'Surface area')).toMatch(/^1.?410\D8 cm²$/);
  expect(propertyValue({ units: 'mm', volume: 12.5 }, 'Volume')).toMatch(/^12\D5 mm³$/);
  expect(formatProperties(PROPERTIES).flatMap(({ name, detail }) => (detail ? [] : [name]))).toEqual([
    'Size',
    'Volume',
    'Surface area',
  ]);
  expect(propertyValue(PROPERTIES, 'Source format')).toBe('STEP AP214');
});

test('shows uncertainties that change the digits', () => {
  const uncertain = { ...PROPERTIES, uncertainty: { volume: 76.45, area: 0.00001, centreOfMass: null } };
  expect(propertyValue(uncertain, 'Volume')).toMatch(/ ± 0\.01 %$/);
  expect(propertyValue(uncertain, 'Surface area')).not.toContain('±');
});

test('shows the mass with its materials, and how many parts have none', () => {
  const steel = { name: 'Steel', density: 7850, occurrences: 2, mass: 0.0471 };
  const weighed = { ...PROPERTIES, definitions: 2, massUnits: 'kg', mass: 0.0471, massCentre: [1, 2, 3] };
  const complete = { ...weighed, occurrencesWithoutMass: 0, materials: [steel] };
  expect(propertyValue(complete, 'Mass')).toMatch(/^47\D1 g$/);
  expect(propertyValue(complete, 'Material')).toMatch(/^Steel \(7\D?850 kg\/m³\)$/);
  expect(propertyValue(complete, 'Center of mass')).toBe('1, 2, 3 mm');
  const incomplete = { ...weighed, occurrencesWithoutMass: 3, materials: [steel, { name: 'ABS', density: null }] };
  expect(propertyValue(incomplete, 'Mass')).toMatch(/^47\D1 g without 3 parts of unknown mass$/);
  expect(propertyValue(incomplete, 'Materials')).toMatch(/^Steel .*, ABS$/);
  expect(propertyValue(incomplete, 'Center of volume')).toMatch(/^90, /);
  expect(propertyValue({ mass: 12.5, massUnits: 'lb' }, 'Mass')).toMatch(/^12\D5 lb$/);
  expect(propertyValue({ mass: 1.5e-5 }, 'Mass')).toBe('15 mg');
});

test('counts more than three materials, and lists them under the details', () => {
  const materials = ['Steel', 'ABS', 'PC', 'NBR'].map((name) => ({ name, density: null }));
  expect(propertyValue({ materials }, 'Materials')).toBe('4');
  expect(propertyValue({ materials }, 'List of materials')).toBe('Steel, ABS, PC, NBR');
  expect(propertyValue({ materials: materials.slice(0, 3) }, 'Materials')).toBe('Steel, ABS, PC');
});

test('shows by how much size, mass and center may be wrong', () => {
  const uncertainty = { mass: 0.005, centreOfMass: 0.02 };
  const boundingBox = { size: [1, 2, 3], uncertainty: 0.1 };
  const content = { boundingBox, mass: 1, massUnits: 'kg', centreOfMass: [1, 2, 3], uncertainty };
  expect(propertyValue(content, 'Size')).toBe('1 × 2 × 3 mm ± 0.1 mm');
  expect(propertyValue(content, 'Mass')).toMatch(/ ± 0\.5 %$/);
  expect(propertyValue({ ...content, occurrencesWithoutMass: 1 }, 'Center of mass')).toBe('1, 2, 3 mm ± 0.02 mm');
  expect(propertyValue({ boundingBox: { ...boundingBox, uncertainty: 1e-6 } }, 'Size')).toBe('1 × 2 × 3 mm');
});

test('shows what the file states, with its deviation', () => {
  const check = [
    { of: 'bolt', quantity: 'volume', file: 664370, kernel: 664380, deviation: 1.5e-5 },
    { of: 'bolt', quantity: 'centroid', file: [1, 2, 3], kernel: [1, 2, 3], deviation: 0 },
  ];
  expect(propertyValue({ check }, 'Volume of bolt in the file')).toMatch(/^664\D37 cm³, 0\.0015 % from the engine's$/);
  expect(propertyValue({ check }, 'Centroid of bolt in the file')).toBe("1, 2, 3 mm, 0 % from the engine's");
  const many = Array.from({ length: 25 }, (_, n) => ({ ...check[0], of: `bolt ${n}` }));
  expect(propertyValue({ check: many }, 'Further values in the file')).toBe('5');
});

test.each([
  ['AP242_MANAGED_MODEL_BASED_3D_ENGINEERING_MIM_LF { 1 0 10303 442 1 1 4 }', 'STEP AP242'],
  ['CONFIGURATION_CONTROL_3D_DESIGN_ED2_MIM_LF { 1 0 10303 403 1 1 4}', 'STEP AP203 edition 2'],
  ['CONFIG_CONTROL_DESIGN', 'STEP AP203'],
  ['OTHER_SCHEMA', 'STEP OTHER_SCHEMA'],
])('names the schema %s %s', (schema, name) => {
  expect(propertyValue({ source: { format: 'STEP', schema } }, 'Source format')).toBe(name);
});

test('shows the layers of all parts once', () => {
  const structure = { children: [{ layers: ['Frame'] }, { children: [{ layers: ['Frame', 'Bolts'] }] }] };
  expect(propertyValue({ structure }, 'Layers')).toBe('Frame, Bolts');
  expect(propertyValue({ structure: { children: [] } }, 'Layers')).toBeUndefined();
});

test('shows unknown numeric properties under their own names and omits non-numeric values', () => {
  expect(propertyValue({ momentOfInertia: 3.5, colour: 'red' }, 'Moment Of Inertia')).toBe('3.5');
  expect(formatProperties({ volume: '12', boundingBox: { size: [1, 2] }, mass: Number.NaN })).toEqual([]);
  expect(formatProperties(null)).toEqual([]);
  expect(formatProperties('<html>')).toEqual([]);
});

test('returns the engine warnings, and one for an invalid shape without warnings', () => {
  expect(
    engineWarnings({ warnings: [{ code: 'no_unit', message: 'the file names no length unit' }, 'as a text'] }),
  ).toHaveLength(2);
  expect(engineWarnings({ valid: false, warnings: [] })).toHaveLength(1);
  expect(engineWarnings(PROPERTIES)).toEqual([]);
});
