import { splitWords } from './text.ts';

/** A search as it is run: the text as given, its words, and the phrases in quotes (words joined by a space). All folded but `text`. */
export type Search = { text: string; words: string[]; phrases: string[] };

const MOST_WORDS = 500;
const MOST_SEARCHED = 10;
const LONGEST = 500;

/** Reads a search, its first 500 characters and ten words and phrases; null when it is empty. `"quoted words"` are a phrase. */
export function parseSearch(q: string | null | undefined): Search | null {
  const text = q?.trim().slice(0, LONGEST) ?? '';
  if (!text) return null;
  const phrases = [...text.matchAll(/"([^"]*)"/g)]
    .map(([, phrase]) => splitWords(phrase).join(' '))
    .filter((phrase) => phrase !== '')
    .slice(0, MOST_SEARCHED);
  return { text: text.slice(0, 200), words: [...new Set(splitWords(text))].slice(0, MOST_SEARCHED), phrases };
}

/** What is stored for search: each word once, and all words in their order with a line for each text. */
export function searchableText(...texts: (string | null | undefined)[]): { words: string[]; text: string } {
  const lines = texts.map((text) => splitWords(text).slice(0, MOST_WORDS));
  return { words: [...new Set(lines.flat())], text: lines.map((line) => line.join(' ')).join('\n') };
}
