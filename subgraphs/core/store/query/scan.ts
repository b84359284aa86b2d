// Reads whole collections in batches in id order, for the store check.
import type { Filter } from 'mongodb';
import type { CollectionName, DocumentRecord, Records } from '../schema/collections.ts';
import { collection, type Scope } from './scope.ts';

const BATCH = 500;

/** Yields all records of a collection in batches. */
export async function* scanCollection<N extends CollectionName>(scope: Scope, name: N): AsyncGenerator<Records[N][]> {
  yield* inBatches(collection(scope, name).find().sort({ _id: 1 }).batchSize(BATCH) as AsyncIterable<Records[N]>);
}

const PARTS = ['workspaces', 'versions', 'revisions', 'artifacts', 'jobs', 'runs'] as const;
type Part = (typeof PARTS)[number];

/** A document with everything in it, and its audit records. */
export type DocumentWithContent = { document: DocumentRecord; audit: Records['audit'][] } & {
  [P in Part]: Records[P][];
};

/** Yields every document with everything in it: for each batch of documents one query per collection. */
export async function* scanDocuments(scope: Scope): AsyncGenerator<DocumentWithContent> {
  for await (const documents of scanCollection(scope, 'documents')) {
    const ids = documents.map(({ _id }) => _id);
    const ofDocument = async <P extends Part>(name: P): Promise<Map<string, Records[P][]>> => {
      const filter = { documentId: { $in: ids } } as Filter<Records[P]>;
      const found = (await collection(scope, name).find(filter).toArray()) as Records[P][];
      return Map.groupBy(found, ({ documentId }) => documentId);
    };
    const [workspaces, versions, revisions, artifacts, jobs, runs] = await Promise.all([
      ofDocument('workspaces'),
      ofDocument('versions'),
      ofDocument('revisions'),
      ofDocument('artifacts'),
      ofDocument('jobs'),
      ofDocument('runs'),
    ]);
    const audit = Map.groupBy(
      await collection(scope, 'audit')
        .find({ chain: { $in: ids } })
        .toArray(),
      ({ chain }) => chain,
    );
    for (const document of documents)
      yield {
        document,
        workspaces: workspaces.get(document._id) ?? [],
        versions: versions.get(document._id) ?? [],
        revisions: revisions.get(document._id) ?? [],
        artifacts: artifacts.get(document._id) ?? [],
        jobs: jobs.get(document._id) ?? [],
        runs: runs.get(document._id) ?? [],
        audit: audit.get(document._id) ?? [],
      };
  }
}

/** Yields the records whose document does not exist. */
export async function* scanOrphans(scope: Scope): AsyncGenerator<{ name: string; id: string; documentId: string }> {
  for (const name of [...PARTS, 'references', 'draftBackups', 'views'] as const) {
    for await (const records of scanCollection(scope, name)) {
      const existing = new Set(
        await existingIds(
          scope,
          'documents',
          records.map(({ documentId }) => documentId),
        ),
      );
      for (const { _id, documentId } of records) if (!existing.has(documentId)) yield { name, id: _id, documentId };
    }
  }
}

/** Returns those of the ids that exist. */
export async function existingIds(scope: Scope, name: CollectionName, ids: readonly string[]): Promise<string[]> {
  const found = await scope.db
    .collection<{ _id: string }>(name)
    .find({ _id: { $in: [...new Set(ids)] } }, { projection: { _id: 1 } })
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Groups items into batches. */
export async function* inBatches<T>(items: AsyncIterable<T>, size = BATCH): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length) yield batch;
}
