import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldCase, validateComment, validateName, foldForSearch, nameMatcher } from './text.ts';

test('names that may not be equal are compared without their case, but with their accents', () => {
  expect(foldCase('MÜLLER')).toBe(foldCase('Mu\u0308ller'));
  expect(foldCase('Müller')).not.toBe(foldCase('Muller'));
  expect(foldForSearch('Müller')).toBe(foldForSearch('Muller'));
});

test('names are one in every case that Unicode knows for a letter, by the rules of no language', () => {
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

test('names with one key are one name', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (name) => nameMatcher(name)(foldCase(name)) && nameMatcher(foldCase(name))(name),
    ),
  );
});

test('a name compared twice is the same as compared once', () => {
  for (const name of ['İzmir', 'ΟΔΟΣ', 'ＡＢＣ', 'Größe']) expect(foldCase(foldCase(name))).toBe(foldCase(name));
});

test.each([
  [' ', 'must not be empty'],
  ['\u200b\u0301', 'must have a character that is seen'],
  ['a\nb', 'must not contain control characters'],
  ['\u0000', 'must not contain control characters'],
  ['gpj\u202eexe', 'must not contain control characters'],
  ['𝒂'.repeat(201), 'must have at most 200 characters'],
])('%j is no name', (name, message) => {
  expect(() => validateName(name)).toThrow(
    expect.objectContaining({ code: 'validation_failed', details: { errors: [{ path: '/name', message }] } }),
  );
});

test('a name is kept trimmed and composed, up to 200 characters', () => {
  expect(validateName(' Mu\u0308ller ')).toBe('Müller');
  expect(validateName('𝒂'.repeat(200))).toBe('𝒂'.repeat(200));
});

test('a comment keeps its lines and tabs, up to 4,000 characters, and no other control character; an empty one is none', () => {
  expect(validateComment(' one\r\n\ttwo ')).toBe('one\r\n\ttwo');
  for (const none of [undefined, null, '', ' \n ']) expect(validateComment(none)).toBeNull();
  expect(validateComment('𝒂'.repeat(4_000))).toHaveLength(8_000);
  for (const wrong of ['a\u0000b', '\u001b[2J', '\u0085x', '𝒂'.repeat(4_001)])
    expect(() => validateComment(wrong)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
});
