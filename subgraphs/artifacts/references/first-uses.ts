// Batches the first pages of the direct uses of documents.
import DataLoader from 'dataloader';
import { page, pageSize } from '../../core/domain/text/paging.ts';
import { linesOfDocuments } from '../../core/store/assembly/where-used.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import { toUses, type UsePage, type UsesInput, usesList, whereUsed } from './where-used.ts';

type FirstUses = UsesInput & { documentId: string };

/** Creates a loader of first pages: a constant number of queries for all documents with the same arguments. */
export function createFirstUsesLoader(scope: Scope): DataLoader<FirstUses, UsePage, string> {
  const keyOf = ({ documentId, ...input }: FirstUses) => `${documentId} ${groupOf(input)}`;
  return new DataLoader(
    async (inputs) => {
      const pages = new Map<string, UsePage>();
      for (const group of Map.groupBy(inputs, groupOf).values())
        for (const [documentId, found] of await readGroup(scope, group))
          pages.set(keyOf({ ...group[0]!, documentId }), found);
      return inputs.map((input) => pages.get(keyOf(input)) ?? { items: [], nextCursor: null, total: null });
    },
    { cacheKeyFn: keyOf },
  );
}

function groupOf({ scope, drafts, limit }: UsesInput): string {
  return JSON.stringify([scope ?? 'latest', drafts ?? true, limit ?? null]);
}

async function readGroup(scope: Scope, group: readonly FirstUses[]): Promise<Map<string, UsePage>> {
  const [first] = group;
  if (!first) return new Map();
  if (group.length === 1) return new Map([[first.documentId, await whereUsed({ scope }, first)]]);
  const size = pageSize(first.limit);
  const referrers = { scope: first.scope ?? 'latest', drafts: first.drafts ?? true } as const;
  const ids = group.map(({ documentId }) => documentId);
  const lines = await linesOfDocuments(scope, ids, referrers, size + 1);
  const pages = [...lines].map(([documentId, found]) => {
    const list = usesList(documentId, { levels: 1, referrers, descending: true });
    return { documentId, ...page(found, size, ({ _id }) => [_id], list) };
  });
  const uses = await toUses(
    scope,
    pages.flatMap(({ items }) => items),
  );
  return new Map(
    pages.map(({ documentId, items, nextCursor }) => [
      documentId,
      { items: uses.splice(0, items.length), nextCursor, total: null },
    ]),
  );
}
