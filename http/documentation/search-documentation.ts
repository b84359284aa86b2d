// The search in the documentation: an index of its sections in memory.
import MiniSearch, { type SearchOptions } from 'minisearch';
import type { DocumentationPage } from './read-documentation.ts';

export type Found = { title: string; heading: string; url: string; excerpt: string; terms: readonly string[] };

const MAX_RESULTS = 20;
const EXCERPT_LENGTH = 200;

// whole words and the guides come first, the history of changes last
const RANKING: SearchOptions = {
  boost: { heading: 3, title: 2 },
  weights: { prefix: 0.2, fuzzy: 0.1 },
  boostDocument: (id: string) => (id.startsWith('/docs/guide') ? 2 : id.startsWith('/docs/changelog') ? 0.3 : 1),
};

/** Returns a function that finds the sections with all words of a query, the best first; words may be incomplete. */
export function indexDocumentation(pages: readonly DocumentationPage[]): (query: string) => Found[] {
  const sections = pages.flatMap(({ name, title, sections }) =>
    sections.map(({ heading, anchor, text }) => ({
      id: `/docs/${name}${anchor && `#${anchor}`}`,
      title,
      heading,
      text,
    })),
  );
  const byUrl = new Map(sections.map((section) => [section.id, section]));
  const index = new MiniSearch({ fields: ['title', 'heading', 'text'] });
  index.addAll(sections);
  return (query) =>
    index
      .search(query, { prefix: true, fuzzy: 0.1, combineWith: 'AND', ...RANKING })
      .slice(0, MAX_RESULTS)
      .flatMap(({ id, terms }) => {
        const section = byUrl.get(String(id));
        if (!section) return [];
        const { title, heading, text } = section;
        return [{ title, heading, url: section.id, excerpt: excerptOf(text, terms), terms }];
      });
}

function excerptOf(text: string, terms: readonly string[]): string {
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0);
  const first = Math.min(...places, text.length);
  const start = first < EXCERPT_LENGTH / 2 || first === text.length ? 0 : text.lastIndexOf(' ', first - 60) + 1;
  const part = text.slice(start, start + EXCERPT_LENGTH);
  return `${start > 0 ? '… ' : ''}${part}${start + EXCERPT_LENGTH < text.length ? ' …' : ''}`;
}
