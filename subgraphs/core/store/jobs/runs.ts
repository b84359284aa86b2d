import { allOf, beyond, inOrder, type Window } from '../query/ordered.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import { someOfEach } from '../query/some-of-each.ts';
import type { Write } from '../query/write.ts';
import type { RunRecord } from '../schema/collections.ts';

/** The run that answers for a key, if there is one: of those with the same code and parameters the last that was asked for. */
export function currentRun(scope: Scope, key: string): Promise<RunRecord | null> {
  return collection(scope, 'runs').findOne({ key: { $eq: key }, current: true }, within(scope));
}

/** Lets no run answer for a key any more, so that the next one can. */
export async function retireRuns(work: Write, key: string): Promise<void> {
  await collection(work, 'runs').updateMany(
    { key: { $eq: key }, current: true },
    { $set: { current: false }, $inc: { lock: 1 } },
    within(work),
  );
}

const MOST_MADE = 100;

/** The documents that some generators made; of many the first hundred for each. */
export async function madeBy(
  scope: Scope,
  generatorIds: readonly string[],
): Promise<{ generatorId: string; documentId: string; number: string }[]> {
  const read = (some: readonly string[], limit: number) =>
    collection(scope, 'documents')
      .find(
        { 'generated.generatorId': { $in: [...some] } },
        { projection: { number: 1, generated: 1 }, ...within(scope) },
      )
      .limit(limit)
      .toArray();
  const found = await someOfEach(generatorIds, MOST_MADE, read, ({ generated }) => generated?.generatorId);
  return found.flatMap(({ _id, number, generated }) =>
    generated ? [{ generatorId: generated.generatorId, documentId: _id, number }] : [],
  );
}

/** A part of the list of the runs that were asked for in a draft or version. */
export function runsOf(scope: Scope, versionId: string, window: Window): Promise<RunRecord[]> {
  return collection(scope, 'runs')
    .find(allOf([{ versionIds: { $eq: versionId } }, ...beyond<RunRecord>('createdAt', window)]), within(scope))
    .sort(inOrder('createdAt', window))
    .limit(window.limit)
    .toArray();
}

export function countRuns(scope: Scope, versionId: string): Promise<number> {
  return collection(scope, 'runs').countDocuments({ versionIds: { $eq: versionId } }, within(scope));
}
