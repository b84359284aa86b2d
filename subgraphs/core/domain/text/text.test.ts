import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldCase, foldForSearch, nameMatcher, validateComment, validateName } from './text.ts';

test('compares unique names without case but with accents', () => {
  expect(foldCase('MÜLLER')).toBe(foldCase('Mu\u0308ller'));
  expect(foldCase('Müller')).not.toBe(foldCase('Muller'));
  expect(foldForSearch('Müller')).toBe(foldForSearch('Muller'));
});

test('matches names by Unicode simple case folding', () => {
  for (const [one, other] of [
    ['Maß', 'MAẞ'],
    ['5 µm', '5 μM'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['a.c (1)', 'A.C (1)'],
    ['İ', 'i\u0307'],
  ] as const)
    expect([one, other, nameMatcher(one)(other), nameMatcher(other)(one)]).toEqual([one, other, true, true]);
  for (const [one, other] of [
    ['Maße', 'MASSE'],
    ['ı', 'I'],
    ['a.c', 'abc'],
    ['ab', 'abc'],
    ['m²', 'm2'],
  ] as const)
    expect([one, other, nameMatcher(one)(other), nameMatcher(other)(one)]).toEqual([one, other, false, false]);
});

test('treats a name and its folded form as equal', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (name) => nameMatcher(name)(foldCase(name)) && nameMatcher(foldCase(name))(name),
    ),
  );
});

test('folds case idempotently', () => {
  for (const name of ['İzmir', 'ΟΔΟΣ', 'ＡＢＣ', 'Größe']) expect(foldCase(foldCase(name))).toBe(foldCase(name));
});

test.each([
  [' ', 'must not be empty'],
  ['\u200b\u0301', 'must have a visible character'],
  ['a\nb', 'must not contain control characters'],
  ['\u0000', 'must not contain control characters'],
  ['gpj\u202eexe', 'must not contain control characters'],
  ['𝒂'.repeat(201), 'must have at most 200 characters'],
])('rejects the name %j', (name, message) => {
  expect(() => validateName(name)).toThrow(
    expect.objectContaining({ code: 'validation_failed', details: { errors: [{ path: '/name', message }] } }),
  );
});

test('trims and composes names of up to 200 characters', () => {
  expect(validateName(' Mu\u0308ller ')).toBe('Müller');
  expect(validateName('𝒂'.repeat(200))).toBe('𝒂'.repeat(200));
});

test('keeps line breaks and tabs in comments of up to 4,000 characters and returns null for empty ones', () => {
  expect(validateComment(' one\r\n\ttwo ')).toBe('one\r\n\ttwo');
  for (const empty of [undefined, null, '', ' \n ']) expect(validateComment(empty)).toBeNull();
  expect(validateComment('𝒂'.repeat(4_000))).toHaveLength(8_000);
  for (const invalid of ['a\u0000b', '\u001b[2J', '\u0085x', '𝒂'.repeat(4_001)])
    expect(() => validateComment(invalid)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});
