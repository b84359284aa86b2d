// Finds the assemblies that use a document, level by level.

import { refuse } from '../errors.ts';

/** Which versions of other documents to include: the newest of each document, the released ones, or all. */
export type UseScope = 'latest' | 'released' | 'all';

/** Parses `levels`: `1` for direct uses (default), `all` for all levels. Throws `validation_failed` otherwise. */
export function parseLevels(levels: string | null | undefined): 1 | 'all' {
  if (levels === null || levels === undefined || levels === '1') return 1;
  if (levels === 'all') return 'all';
  return refuse('validation_failed', 'levels must be 1 or all.', {
    errors: [{ path: '/levels', message: 'must be 1 or all' }],
  });
}

/** Parses a version (`v` and digits) or the label of a release. */
export function parseVersionOrLabel(text: string): { label: string } | { n: number } {
  const n = /^v(\d{1,9})$/.exec(text)?.[1];
  return n === undefined ? { label: text } : { n: Number(n) };
}

/**
 * A document that uses another one: the line of the reference, and the document on the level below through which it was
 * found.
 */
export type FoundDocument = { documentId: string; lineId: string; level: number; through: FoundDocument | null };

/** A reference between documents: `documentId` uses `usedId` in its draft, newest version or an earlier version. */
export type Link = { lineId: string; documentId: string; usedId: string; place: 'draft' | 'latest' | 'earlier' };

/**
 * Returns the documents that use one of this level and were not found before, sorted by id, and adds them to `found`.
 * If a document has several references, the one in its newest version takes precedence over those in earlier versions
 * and the draft, then the one with the lowest id of the used document.
 */
export function nextLevel(
  links: readonly Link[],
  level: readonly FoundDocument[],
  found: Set<string>,
): FoundDocument[] {
  const usedDocuments = new Map(level.map((document) => [document.documentId, document]));
  const byDocument = Map.groupBy(links, ({ documentId }) => documentId);
  const documents = [...byDocument.keys()].filter((id) => !found.has(id)).sort();
  return documents.flatMap((documentId) => {
    const link = byDocument.get(documentId)?.reduce((best, each) => (precedes(each, best) ? each : best));
    if (!link) return [];
    found.add(documentId);
    const through = usedDocuments.get(link.usedId) ?? null;
    return [{ documentId, lineId: link.lineId, level: (through?.level ?? 0) + 1, through }];
  });
}

const RANK = { latest: 0, earlier: 1, draft: 2 } as const;

function precedes(one: Link, other: Link): boolean {
  if (one.place !== other.place) return RANK[one.place] < RANK[other.place];
  if (one.usedId !== other.usedId) return one.usedId < other.usedId;
  return one.lineId > other.lineId;
}

/** Returns the ids of the documents between the used document and a found one, from the lowest level up. */
export function pathTo(found: FoundDocument): string[] {
  const path: string[] = [];
  for (let step = found.through; step; step = step.through) path.unshift(step.documentId);
  return path;
}
