import { describe, expect, test } from 'vitest';
import { decodeFile } from './file-encoding.ts';
import { baseName, firstName } from './names.ts';
import { parseStep } from './parse-step.ts';
import { productStructure } from './product-structure.ts';
import { productTree, stepFile } from './test-files.ts';

test.each([
  [['Next assembly relationship (3)', 'bolt'], 'bolt'],
  [['NAUO12', '', 'left hinge'], 'left hinge'],
  [['Open CASCADE STEP translator 7.6 1.2'], ''],
  [['  ', 'Next assembly for the crane'], 'Next assembly for the crane'],
])('of %j takes %j', (texts, name) => expect(firstName(...texts)).toBe(name));

test('names a file without folder and extension', () => {
  expect(['C:\\parts\\pump.STEP', '/tmp/a b.stp.gz', 'v1.2'].map(baseName)).toEqual(['pump', 'a b', 'v1.2']);
});

test('names uses after their products where the file has only default names', () => {
  const tree = productTree(2, [[0, 1]]).replace("'u0',''", "'1','Next assembly relationship'");
  const { roots } = productStructure(parseStep(stepFile(tree)));
  expect(roots[0]!.uses.map(({ name }) => name)).toEqual(['p1']);
});

describe('a file in the code page of a user', () => {
  const named = (name: number[]) => {
    const [before, after] = stepFile(productTree(1, []).replaceAll('p0', 'NAME'))
      .toString('latin1')
      .split("'NAME','NAME'") as [string, string];
    const quoted = [0x27, ...name, 0x27];
    return Buffer.concat([Buffer.from(before), Buffer.from([...quoted, 0x2c, ...quoted]), Buffer.from(after)]);
  };
  const nameIn = (bytes: Buffer) => productStructure(parseStep(bytes)).roots[0]!.name;

  test.each([
    ['Shift-JIS', [0x83, 0x7b, 0x83, 0x8b, 0x83, 0x67], 'ボルト'],
    ['Shift-JIS with a backslash as second byte', [0x83, 0x5c, 0x83, 0x8b, 0x83, 0x67], 'ソルト'],
    ['GBK', [0xb5, 0xd7, 0xb0, 0xe5], '底板'],
    ['Windows-1251', [0xc4, 0xe5, 0xf2, 0xe0, 0xeb, 0xfc], 'Деталь'],
    ['Latin-1', [0x47, 0x72, 0xf6, 0xdf, 0x65], 'Größe'],
    ['UTF-8', [...Buffer.from('Größe 底板')], 'Größe 底板'],
  ])('is read: %s', (_, bytes, name) => {
    expect(nameIn(named(bytes))).toBe(name);
    expect(parseStep(named(bytes)).unreadableNames).toBe(false);
  });

  test('is reported if the encoding is unknown', () => {
    expect(decodeFile(named([0x81, 0xff, 0x90, 0xfe, 0x81])).unreadable).toBe(true);
  });
});
