import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counterPrefix, formatGeneratedNumber, parseGeneratedNumber, validateNumber } from './number.ts';

test('generates numbers with the prefix of the kind and at least six digits', () => {
  expect(formatGeneratedNumber('model', 1)).toBe('PRT-000001');
  expect(formatGeneratedNumber('assembly', 42)).toBe('ASM-000042');
  expect(formatGeneratedNumber('code', 12_345_678)).toBe('GEN-12345678');
});

test('parses a generated number to its prefix and ordinal', () => {
  fc.assert(
    fc.property(fc.constantFrom('model', 'assembly', 'code'), fc.integer({ min: 1, max: 1e12 }), (kind, ordinal) => {
      expect(parseGeneratedNumber(formatGeneratedNumber(kind, ordinal))).toEqual({
        prefix: counterPrefix(kind),
        ordinal,
      });
    }),
  );
});

test('trims numbers and converts them to upper case', () => {
  expect(validateNumber('  ab-12.c ')).toBe('AB-12.C');
});

test.each(['', '-A', 'A_B', 'Ä1', 'A B', 'A'.repeat(41), 'doc_01h455vb4pex5vsknk084sn02q'])(
  'rejects %j as a number',
  (number) => {
    expect(() => validateNumber(number)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  },
);

test.each(['PRT-00001', 'XPRT-000001', 'PRT-000001X', 'PRT-000001-2', 'ABC-000001', '000001'])(
  'does not parse %s as a generated number',
  (number) => {
    expect(parseGeneratedNumber(number)).toBeNull();
  },
);
