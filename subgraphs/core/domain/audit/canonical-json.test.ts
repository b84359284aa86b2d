import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('matches the reference implementation of RFC 8785', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 4 }),
      (value) => void expect(canonicalJson(value)).toBe(canonicalize(value)),
    ),
  );
});

test('writes the example of RFC 8785', () => {
  const example = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  };
  expect(canonicalJson(example)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  expect(
    canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }),
  ).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
});

test('writes the same for a value and its JSON round trip', () => {
  const rich = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.date({ noInvalidDate: true }),
      fc.constantFrom(undefined, null, Number.NaN, -0, true),
      fc.double(),
      fc.string({ unit: 'grapheme' }),
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.string({ unit: 'grapheme' }), tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  fc.assert(
    fc.property(
      rich,
      (value) => void expect(canonicalJson({ value })).toBe(canonicalize(JSON.parse(JSON.stringify({ value })))),
    ),
  );
});

test('ignores the field order and rejects lone surrogates', () => {
  expect(canonicalJson({ b: { d: 1, c: 2 }, a: [] })).toBe(canonicalJson({ a: [], b: { c: 2, d: 1 } }));
  expect(() => canonicalJson({ text: '\ud800' })).toThrow(RangeError);
});

test('supports integer keys and strings that look like escaped surrogates', () => {
  expect(canonicalJson({ b: { 9: 1, 10: 2, '!': 3 }, a: [{ 2: null, '': 0 }] })).toBe(
    '{"a":[{"":0,"2":null}],"b":{"!":3,"10":2,"9":1}}',
  );
  expect(canonicalJson({ text: '\\ud800' })).toBe('{"text":"\\\\ud800"}');
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1},"b":1}');
});
