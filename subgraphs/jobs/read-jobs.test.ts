// Paging of jobs with equal sort keys.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { editor, jobBench } from '../../test/support/job-bench.ts';
import { queueExportJobs } from '../../test/support/job-fixture.ts';
import { collection } from '../core/store/query/scope.ts';
import { readJobs } from './read-jobs.ts';

const bench = await jobBench();
const { services, scope, state } = bench;

beforeEach(() => bench.fresh());
afterAll(() => bench.close());

test('lists each job exactly once when several have the same sequence number', async () => {
  const queued = await queueExportJobs(services, editor, [state.place], 7);
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
    const listed: string[] = [];
    let cursor: string | null = null;
    do {
      const { items, nextCursor } = await readJobs({ scope }, { ...filter, limit: 2, cursor });
      listed.push(...items.map(({ _id }) => _id));
      cursor = nextCursor;
    } while (cursor);
    expect([listed.length, [...listed].sort(), listed[0], listed[6]]).toEqual([
      7,
      [...queued].sort(),
      queued[6],
      queued[0],
    ]);
  }
});
