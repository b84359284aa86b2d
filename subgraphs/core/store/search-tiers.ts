// The ranks of search results as conditions on documents.
import type { Filter } from 'mongodb';
import type { Search } from '../domain/text/search.ts';
import { foldForSearch } from '../domain/text/text.ts';
import type { DocumentRecord } from './schema/collections.ts';

/** A rank of search results with its filter. `range`: a condition that follows from the filter, and the index for it. */
export type SearchTier = { filter: Filter<DocumentRecord>; range?: IndexRange | undefined };
export type IndexRange = { filter: Filter<DocumentRecord>; index: Record<string, 1> };

/**
 * Returns the tiers of a search, best first: exact number, number prefix, name prefix, all words as prefixes. Each tier
 * excludes the documents of the earlier ones. A search with quoted phrases has one tier: all words and all phrases.
 */
export function searchTiers({ text, words, phrases }: Search): SearchTier[] {
  const [number, folded] = [text.toUpperCase(), foldForSearch(text)];
  // the longest word first, because the fewest documents contain it
  const byLength = words.toSorted((a, b) => b.length - a.length);
  const wordFilters = words.length ? [{ $and: byLength.map(containing) }] : [];
  const [word] = byLength;
  const ofWord = word === undefined ? undefined : { filter: containing(word), index: { words: 1 } as const };
  if (phrases.length) {
    const phraseFilters = phrases.map((phrase) => ({ text: { $regex: `(^|[ \n])${phrase}($|[ \n])` } }));
    return [{ filter: { $and: [...wordFilters, ...phraseFilters] } as Filter<DocumentRecord>, range: ofWord }];
  }
  const exact: Filter<DocumentRecord> = { number: { $eq: number } };
  const ofNumber: IndexRange = { filter: { number: startsWith(number) }, index: { number: 1 } };
  const ofName: IndexRange = { filter: { nameKey: startsWith(folded) }, index: { nameKey: 1, _id: 1 } };
  return [
    { filter: exact },
    { filter: { $and: [scanned('number', number)], $nor: [exact] }, range: ofNumber },
    { filter: { $and: [scanned('nameKey', folded)], $nor: [exact, ofNumber.filter] }, range: ofName },
    ...wordFilters.map((all) => ({
      filter: { ...all, $nor: [exact, ofNumber.filter, ofName.filter] },
      range: ofWord,
    })),
  ];
}

const containing = (word: string): Filter<DocumentRecord> =>
  ({ words: { $elemMatch: startsWith(word) } }) as Filter<DocumentRecord>;

// Matches what `startsWith` matches, in a form that a store does not look up in an index: it would sort all that it finds.
const scanned = (field: 'number' | 'nameKey', text: string): Filter<DocumentRecord> => {
  const { $gte, $lt } = startsWith(text);
  return { $nor: [{ [field]: { $lt: $gte } }, { [field]: { $gte: $lt } }] };
};

const startsWith = (text: string) => ({ $gte: text, $lt: `${text}\u{10ffff}` });
