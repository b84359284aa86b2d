import { afterAll, beforeEach, expect, test } from 'vitest';
import { editor, jobBench } from '../../test/support/job-bench.ts';
import { exportJobs } from '../../test/support/job-fixture.ts';
import { collection } from '../core/store/query/scope.ts';
import { readJobs } from './read-jobs.ts';

const bench = await jobBench();
const { services, scope, state } = bench;

beforeEach(() => bench.fresh());
afterAll(() => bench.close());

test('jobs that two processes queued in the same place of the order are all on some page, once', async () => {
  const queued = await exportJobs(services, editor, [state.place], 7);
  const jobs = collection(scope, 'jobs');
  await jobs.updateMany(
    { _id: { $in: queued.slice(1, 6) } },
    { $set: { seq: (await jobs.findOne({ _id: queued[3]! }))!.seq } },
  );
  for (const filter of [
    {},
    { versionId: state.place.versionId },
    { documentId: state.place.documentId },
    { status: 'waiting' as const },
  ]) {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { items, nextCursor } = await readJobs({ scope }, { ...filter, limit: 2, cursor });
      seen.push(...items.map(({ _id }) => _id));
      cursor = nextCursor;
    } while (cursor);
    expect([seen.length, [...seen].sort(), seen[0], seen[6]]).toEqual([7, [...queued].sort(), queued[6], queued[0]]);
  }
});
