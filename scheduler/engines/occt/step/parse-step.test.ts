import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeStepString } from '../../../../subgraphs/core/domain/formats/decode-step-string.ts';
import { JobFailure } from '../job-failure.ts';
import { parseStep } from './parse-step.ts';
import { productStructure } from './product-structure.ts';
import { chain, productTree, stepFile } from './test-files.ts';

describe('parsing ISO 10303-21', () => {
  test.each([
    ["it''s", "it's"],
    ['\\X2\\00D6\\X0\\l', 'Öl'],
    ['\\X4\\0001F600\\X0\\', '😀'],
    ['\\X2\\D83DDE00\\X0\\', '😀'],
    ['\\X\\E9', 'é'],
    ['\\S\\i', 'é'],
    ['\\PA\\x', 'x'],
    ['a\\\\b', 'a\\b'],
    ['D:\\\\S\\\\PA\\\\X\\\\E9.stp', 'D:\\S\\PA\\X\\E9.stp'],
    ['\xc3\x96l', 'Öl'],
    ['\xd6l', 'Öl'],
    ['\\X2\\D83D\\X0\\', '\ufffd'],
  ])('decodes the string %s to %s', (raw, expected) => expect(decodeStepString(raw)).toBe(expected));

  test('accepts whitespace, comments and lower-case names anywhere', () => {
    const file = parseStep(stepFile("#1 = /* a ; ' */ product ( 'n' , /**/ 'Öl;' , $ , ( #1 ) ) ;"));
    expect(file.entities.get(1)).toMatchObject({ type: 'PRODUCT', values: ['n', 'Öl;', null, [{ ref: 1 }]] });
  });

  test('keeps the parts of complex entities', () => {
    const file = parseStep(stepFile('#1=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));'));
    expect(file.entities.get(1)?.parts.SI_UNIT).toEqual([{ word: 'MILLI' }, { word: 'METRE' }]);
  });

  test('returns the first schema', () =>
    expect(parseStep(stepFile('#1=X();', 'CONFIG_CONTROL_DESIGN')).schema).toBe('CONFIG_CONTROL_DESIGN'));

  test('ignores a byte order mark and padding', () => {
    const padded = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), stepFile('#1=X();'), Buffer.alloc(100)]);
    expect(parseStep(padded).entityCount).toBe(1);
  });
});

test('counts exponents with a small e and corrects them for the kernel', () => {
  const data = "#1=X(1.5e+3,-2.e1,(3e-2),4.E5,'6.e7',.A8e9.);\n#2=axis2e1(#1);/* 1.e2 */";
  const file = parseStep(stepFile(data));
  expect(file.smallExponents).toBe(3);
  expect(file.content.toString('latin1')).toContain(
    data.replace('1.5e', '1.5E').replace('2.e1', '2.E1').replace('3e', '3E'),
  );
  expect(parseStep(stepFile('#1=X(4.E5);')).smallExponents).toBe(0);
});

describe('the product structure', () => {
  const structureOf = (data: string) => productStructure(parseStep(stepFile(data)));

  test('lists a product once, however often it is used', () => {
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

  test('can have 50 levels', () => expect(structureOf(chain(51, 1)).products.size).toBe(51));

  test('can have almost 100,000 occurrences', () => expect(structureOf(chain(16, 2)).products.size).toBe(16));
});

describe('fuzzing', () => {
  const valid = stepFile(
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
      if (!(error instanceof JobFailure)) throw error;
    }
  };

  test('throws only JobFailure for arbitrary text in a DATA section', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'#0123456789=(),;\'"*$./ ABEPR_\\\n'), maxLength: 200 }),
        (data) => read(stepFile(data).toString('latin1')),
      ),
    );
  });

  test('throws only JobFailure for a file with parts removed, duplicated or swapped', () => {
    const cut = fc.nat(valid.length);
    fc.assert(
      fc.property(cut, cut, cut, (a, b, c) =>
        read(valid.slice(0, a) + valid.slice(b, c) + valid.slice(Math.max(a, b))),
      ),
      { numRuns: 500 },
    );
  });
});
