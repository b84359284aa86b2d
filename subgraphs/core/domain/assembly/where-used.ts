import { refuse } from '../errors.ts';

/** Which versions count as users: the newest of each document, those that are released, or all. */
export type UseScope = 'latest' | 'released' | 'all';

/** Whether only direct users are asked for, or all above them too. Refuses anything but `1` and `all`. */
export function wantedLevels(levels: string | null | undefined): 1 | 'all' {
  if (levels === null || levels === undefined || levels === '1') return 1;
  if (levels === 'all') return 'all';
  return refuse('validation_failed', 'levels must be 1 or all.', {
    errors: [{ path: '/levels', message: 'must be 1 or all' }],
  });
}

/** The state of a document that `of` names: `v` and digits is a version, anything else the label of a release. */
export function stateNamed(of: string): { label: string } | { n: number } {
  const n = /^v(\d{1,9})$/.exec(of)?.[1];
  return n === undefined ? { label: of } : { n: Number(n) };
}

/** A document that uses another one, found on the way up: by which line, and through which document it was reached. */
export type Reached = { documentId: string; lineId: string; level: number; through: Reached | null };

/** What a line says: which document uses which. */
export type Link = { lineId: string; documentId: string; usedId: string; place: 'draft' | 'latest' | 'earlier' };

/**
 * The documents of the next level: those that use one of this level and were not reached before, in the order of their ids, each by its
 * newest version that does so, else by its draft. Of several ways up the one through the lowest id counts. Marks them as seen.
 */
export function nextLevel(links: readonly Link[], level: readonly Reached[], seen: Set<string>): Reached[] {
  const below = new Map(level.map((reached) => [reached.documentId, reached]));
  const byDocument = Map.groupBy(links, ({ documentId }) => documentId);
  const documents = [...byDocument.keys()].filter((id) => !seen.has(id)).sort();
  return documents.flatMap((documentId) => {
    const link = byDocument.get(documentId)?.reduce((best, each) => (goesBefore(each, best) ? each : best));
    if (!link) return [];
    seen.add(documentId);
    const through = below.get(link.usedId) ?? null;
    return [{ documentId, lineId: link.lineId, level: (through?.level ?? 0) + 1, through }];
  });
}

const RANK = { latest: 0, earlier: 1, draft: 2 } as const;

function goesBefore(one: Link, other: Link): boolean {
  if (one.place !== other.place) return RANK[one.place] < RANK[other.place];
  if (one.usedId !== other.usedId) return one.usedId < other.usedId;
  return one.lineId > other.lineId;
}

/** The documents between a used one and the one that was reached, from below. */
export function wayTo(reached: Reached): string[] {
  const way: string[] = [];
  for (let step = reached.through; step; step = step.through) way.unshift(step.documentId);
  return way;
}
