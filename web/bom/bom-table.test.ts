import { expect, test } from 'vitest';
import { bomTable } from './bom-table.ts';

const LINE = {
  level: 2,
  path: '1.2',
  number: 'PRT-000001',
  name: 'Bolt',
  kind: 'model',
  address: 'pdm://documents/PRT-000001@A',
  resolution: { label: 'A', n: 3 },
  quantity: 3,
  totalQuantity: 6,
  outdated: true,
  reason: null,
  document: { description: 'M8', folder: { path: 'Standard parts' } },
};

test('has a row for each line with revision, quantities, material and masses', () => {
  const [titles = [], row = []] = bomTable([LINE], () => ({ mass: 0.0471, materials: ['Steel', 'Zinc'] }));
  expect(Object.fromEntries(titles.map((title, at) => [title, row[at]]))).toEqual({
    Level: '2',
    Position: '1.2',
    Number: 'PRT-000001',
    Name: 'Bolt',
    Kind: 'model',
    Revision: 'A',
    Version: 'v3',
    Reference: 'pinned',
    Quantity: '3',
    'Total quantity': '6',
    Material: 'Steel, Zinc',
    'Mass of one (kg)': '0.0471',
    'Total mass (kg)': '0.2826',
    Description: 'M8',
    Folder: 'Standard parts',
    Outdated: 'yes',
    'Unresolved because': '',
  });
});

test('leaves unknown cells empty', () => {
  const unresolved = { ...LINE, number: null, name: null, resolution: null, reason: 'There is no document X.' };
  const [, row] = bomTable([{ ...unresolved, document: null, address: 'pdm://documents/X' }], () => undefined);
  expect(row).toEqual(
    ['2', '1.2', '', 'pdm://documents/X', 'model', '', '', 'newest', '3', '6', '', '', '', '', '', 'yes'].concat(
      'There is no document X.',
    ),
  );
});
