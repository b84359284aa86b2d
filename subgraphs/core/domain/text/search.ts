// Parses search queries and builds the searchable text of records.

import { splitWords } from './text.ts';

/** A parsed search: the text as typed, and folded its words and quoted phrases (words joined by a space). */
export type Search = { text: string; words: string[]; phrases: string[] };

const MAX_STORED_WORDS = 500;
const MAX_TERMS = 10;
const MAX_SEARCH_LENGTH = 500;

/**
 * Parses the first 500 characters of a search into up to ten words and ten `"quoted phrases"`. Returns null if it is
 * empty.
 */
export function parseSearch(q: string | null | undefined): Search | null {
  const text = q?.trim().slice(0, MAX_SEARCH_LENGTH) ?? '';
  if (!text) return null;
  const phrases = [...text.matchAll(/"([^"]*)"/g)]
    .map(([, phrase]) => splitWords(phrase).join(' '))
    .filter((phrase) => phrase !== '')
    .slice(0, MAX_TERMS);
  return { text: text.slice(0, 200), words: [...new Set(splitWords(text))].slice(0, MAX_TERMS), phrases };
}

/** Returns the stored fields for search: the distinct words, and all words in order with one line for each text. */
export function searchableText(...texts: (string | null | undefined)[]): { words: string[]; text: string } {
  const lines = texts.map((text) => splitWords(text).slice(0, MAX_STORED_WORDS));
  return { words: [...new Set(lines.flat())], text: lines.map((line) => line.join(' ')).join('\n') };
}
