import { expect, test } from 'vitest';
import { parseSearch, searchableText } from './search.ts';

test('ignores case, accents and compatibility forms', () => {
  expect(parseSearch('Träger  ＡＢＣ-12')?.words).toEqual(['trager', 'abc', '12']);
});

test('parses quoted words as a phrase', () => {
  expect(parseSearch('"left  Bracket" steel')).toEqual({
    text: '"left  Bracket" steel',
    words: ['left', 'bracket', 'steel'],
    phrases: ['left bracket'],
  });
});

test('limits the number and length of words and phrases', () => {
  const search = parseSearch('"a b" '.repeat(10_000));
  expect([search?.phrases.length, search?.words]).toEqual([10, ['a', 'b']]);
  expect(parseSearch(Array.from({ length: 1_000 }, (_, n) => `w${n}`).join(' '))?.words).toHaveLength(10);
  expect(parseSearch(`"${'x'.repeat(100_000)}"`)?.words[0]?.length).toBeLessThan(500);
});

test('returns null for an empty search', () => {
  for (const q of [undefined, null, '', '   ']) expect(parseSearch(q)).toBeNull();
});

test('keeps only letters, digits and spaces in phrases, so that they are safe in a pattern', () => {
  expect(parseSearch('"a.*(b"')?.phrases).toEqual(['a b']);
});

test('keeps the word order with one line for each field', () => {
  expect(searchableText('PRT-000001', 'Left bracket', null, 'left hand')).toEqual({
    words: ['prt', '000001', 'left', 'bracket', 'hand'],
    text: 'prt 000001\nleft bracket\n\nleft hand',
  });
});
