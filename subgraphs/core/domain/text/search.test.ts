import { expect, test } from 'vitest';
import { parseSearch, searchableText } from './search.ts';

test('words are folded: case, accents and forms do not matter', () => {
  expect(parseSearch('Träger  ＡＢＣ-12')?.words).toEqual(['trager', 'abc', '12']);
});

test('quoted words are a phrase', () => {
  expect(parseSearch('"left  Bracket" steel')).toEqual({
    text: '"left  Bracket" steel',
    words: ['left', 'bracket', 'steel'],
    phrases: ['left bracket'],
  });
});

test('a search is bounded, however long its text is', () => {
  const search = parseSearch('"a b" '.repeat(10_000));
  expect([search?.phrases.length, search?.words]).toEqual([10, ['a', 'b']]);
  expect(parseSearch(Array.from({ length: 1_000 }, (_, n) => `w${n}`).join(' '))?.words).toHaveLength(10);
  expect(parseSearch(`"${'x'.repeat(100_000)}"`)?.words[0]?.length).toBeLessThan(500);
});

test('nothing to search for is null', () => {
  for (const q of [undefined, null, '', '   ']) expect(parseSearch(q)).toBeNull();
});

test('phrases hold letters, digits and spaces alone, so they are safe inside a pattern', () => {
  expect(parseSearch('"a.*(b"')?.phrases).toEqual(['a b']);
});

test('the stored text keeps the order of words, a line for each field', () => {
  expect(searchableText('PRT-000001', 'Left bracket', null, 'left hand')).toEqual({
    words: ['prt', '000001', 'left', 'bracket', 'hand'],
    text: 'prt 000001\nleft bracket\n\nleft hand',
  });
});
