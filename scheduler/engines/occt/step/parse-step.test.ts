import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import { decodeString } from './characters.ts';
import { parseStep } from './parse-step.ts';
import { productStructure } from './product-structure.ts';
import { chain, productTree, stepFile } from './test-files.ts';

describe('STEP text is read as ISO 10303-21 says:', () => {
  test.each([
    ["it''s", "it's"],
    ['\\X2\\00D6\\X0\\l', 'Öl'],
    ['\\X4\\0001F600\\X0\\', '😀'],
    ['\\X2\\D83DDE00\\X0\\', '😀'],
    ['\\X\\E9', 'é'],
    ['\\S\\i', 'é'],
    ['\\PA\\x', 'x'],
    ['a\\\\b', 'a\\b'],
    ['\xc3\x96l', 'Öl'],
    ['\xd6l', 'Öl'],
    ['\\X2\\D83D\\X0\\', '\ufffd'],
  ])('the string %s is %s', (raw, expected) => expect(decodeString(raw)).toBe(expected));

  test('blanks, comments and lower-case names may stand anywhere', () => {
    const file = parseStep(stepFile("#1 = /* a ; ' */ product ( 'n' , /**/ 'Öl;' , $ , ( #1 ) ) ;"));
    expect(file.entities.get(1)).toMatchObject({ type: 'PRODUCT', values: ['n', 'Öl;', null, [{ ref: 1 }]] });
  });

  test('complex entities keep their parts', () => {
    const file = parseStep(stepFile('#1=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));'));
    expect(file.entities.get(1)?.parts.SI_UNIT).toEqual([{ word: 'MILLI' }, { word: 'METRE' }]);
  });

  test('the schema is the first one named', () =>
    expect(parseStep(stepFile('#1=X();', 'CONFIG_CONTROL_DESIGN')).schema).toBe('CONFIG_CONTROL_DESIGN'));

  test('a byte order mark and padding do not matter', () => {
    const padded = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), stepFile('#1=X();'), Buffer.alloc(100)]);
    expect(parseStep(padded).entityCount).toBe(1);
  });
});

describe('the product structure', () => {
  const structureOf = (data: string) => productStructure(parseStep(stepFile(data)));

  test('counts a product once, however often it is used', () => {
    const { products, roots } = structureOf(
      productTree(3, [
        [0, 1],
        [0, 1],
        [0, 2],
        [1, 2],
      ]),
    );
    expect(products.size).toBe(3);
    expect(roots.map(({ name }) => name)).toEqual(['p0']);
    expect(roots[0]?.uses.map(({ name }) => name)).toEqual(['u0', 'u1', 'u2']);
  });

  test('may have 50 levels', () => expect(structureOf(chain(51, 1)).products.size).toBe(51));

  test('may stand for almost 100,000 occurrences', () => expect(structureOf(chain(16, 2)).products.size).toBe(16));
});

describe('hostile text', () => {
  const good = stepFile(
    productTree(4, [
      [0, 1],
      [0, 2],
      [2, 3],
    ]),
  ).toString('latin1');
  const read = (source: string) => {
    try {
      productStructure(parseStep(Buffer.from(source, 'latin1')));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  };

  test('never does more than be refused: any text in a DATA section', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'#0123456789=(),;\'"*$./ ABEPR_\\\n'), maxLength: 200 }),
        (data) => read(stepFile(data).toString('latin1')),
      ),
    );
  });

  test('never does more than be refused: a file with pieces removed, doubled or exchanged', () => {
    const cut = fc.nat(good.length);
    fc.assert(
      fc.property(cut, cut, cut, (a, b, c) => read(good.slice(0, a) + good.slice(b, c) + good.slice(Math.max(a, b)))),
      { numRuns: 500 },
    );
  });
});
