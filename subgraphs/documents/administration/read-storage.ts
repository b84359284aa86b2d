// Measures how much the files of documents need, by folder and by kind.
import type { Context } from '../../core/graphql.ts';
import { filesOfDocuments, type Usage } from '../../core/store/files/storage-usage.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import type { Services } from '../../core/work.ts';

/** `folders`: null is documents without a folder. Both lists start with the largest. */
export type StorageUsage = Usage & {
  measuredAt: Date;
  kinds: (Usage & { kind: string })[];
  folders: (Usage & { folderId: string | null; documents: number })[];
};

const MAX_AGE_MS = 5 * 60_000;

/** Returns a function that returns the usage, measured at most five minutes ago: it reads the records of all files. */
export function createStorageReader(services: Services): (context: Pick<Context, 'scope'>) => Promise<StorageUsage> {
  let latest: Promise<StorageUsage> | undefined;
  let startedAt = 0;
  return async ({ scope }) => {
    const now = services.clock();
    if (!latest || now.getTime() - startedAt > MAX_AGE_MS) {
      startedAt = now.getTime();
      const measured = measure(scope, now);
      latest = measured;
      measured.catch(() => {
        if (latest === measured) latest = undefined;
      });
    }
    return latest;
  };
}

async function measure(scope: Scope, measuredAt: Date): Promise<StorageUsage> {
  const folders = new Map<string | null, Usage & { documents: number }>();
  const kinds = new Map<string, Usage>();
  for await (const document of filesOfDocuments(scope)) {
    const used = [...document.kinds.values()].reduce(sum, NOTHING);
    const before = folders.get(document.folderId);
    folders.set(document.folderId, {
      ...sum(before ?? NOTHING, used),
      documents: (before?.documents ?? 0) + 1,
    });
    for (const [kind, usage] of document.kinds) {
      const group = kind.split('.')[0] ?? kind; // attachments have a name of their own each
      kinds.set(group, sum(kinds.get(group) ?? NOTHING, usage));
    }
  }
  return {
    measuredAt,
    ...[...kinds.values()].reduce(sum, NOTHING),
    kinds: largestFirst([...kinds].map(([kind, usage]) => ({ kind, ...usage }))),
    folders: largestFirst([...folders].map(([folderId, usage]) => ({ folderId, ...usage }))),
  };
}

const NOTHING: Usage = { files: 0, bytes: 0 };

const sum = (a: Usage, b: Usage): Usage => ({ files: a.files + b.files, bytes: a.bytes + b.bytes });

const largestFirst = <U extends Usage>(usages: U[]): U[] => usages.sort((a, b) => b.bytes - a.bytes);
