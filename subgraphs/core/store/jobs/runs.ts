// Runs of generators and the documents they created.
import { limitPerKey } from '../query/limit-per-key.ts';
import { allOf, type PageRequest, sortOrder, startAfter } from '../query/page-request.ts';
import { change } from '../query/records.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import type { Write } from '../query/write.ts';
import type { RunRecord } from '../schema/collections.ts';

/** Returns the current run for a key, i.e. the last requested one with this code and these parameters, or null. */
export function currentRun(scope: Scope, key: string): Promise<RunRecord | null> {
  return collection(scope, 'runs').findOne({ key: { $eq: key }, current: true }, within(scope));
}

/** Marks the current run for a key, if any, as no longer current, so that the next one can become it. */
export async function retireCurrentRun(work: Write, key: string): Promise<void> {
  const run = await currentRun(work, key);
  if (run) await change(work, 'runs', run._id, { current: false, lock: run.lock + 1 });
}

const MAX_GENERATED = 100;

/** Returns the documents that generators created, at most 100 for each. */
export async function generatedDocuments(
  scope: Scope,
  generatorIds: readonly string[],
): Promise<{ generatorId: string; documentId: string; number: string }[]> {
  const read = (ids: readonly string[], limit: number) =>
    collection(scope, 'documents')
      .find(
        { 'generated.generatorId': { $in: [...ids] } },
        { projection: { number: 1, generated: 1 }, ...within(scope) },
      )
      .limit(limit)
      .toArray();
  const found = await limitPerKey(generatorIds, MAX_GENERATED, read, ({ generated }) => generated?.generatorId);
  return found.flatMap(({ _id, number, generated }) =>
    generated ? [{ generatorId: generated.generatorId, documentId: _id, number }] : [],
  );
}

/** Returns a page of the runs that were requested in a draft or version. */
export function runsOf(scope: Scope, versionId: string, window: PageRequest): Promise<RunRecord[]> {
  return collection(scope, 'runs')
    .find(allOf([{ versionIds: { $eq: versionId } }, ...startAfter<RunRecord>('createdAt', window)]), within(scope))
    .sort(sortOrder('createdAt', window))
    .limit(window.limit)
    .toArray();
}

export function countRuns(scope: Scope, versionId: string): Promise<number> {
  return collection(scope, 'runs').countDocuments({ versionIds: { $eq: versionId } }, within(scope));
}
