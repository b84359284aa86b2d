import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDraft, queueExportJobs, queueTestJob } from '../../../../test/support/job-fixture.ts';
import { requestAs, type TestStore, testStore } from '../../../../test/support/store.ts';
import { countWaitingJobs, MAX_COUNTED } from './job-counts.ts';

let store: TestStore;
beforeAll(async () => {
  store = await testStore({ clock: () => new Date('2026-01-02T03:04:05.678Z') });
});
afterAll(() => store.close());

test('counts waiting jobs by type and requirements with the age of the oldest, up to a maximum', async () => {
  const { services } = store;
  const scope = { db: services.mongo.db };
  const editor = requestAs('editor');
  expect(await countWaitingJobs(scope)).toEqual([]);

  const drafts = [await createTestDraft(services, editor), await createTestDraft(services, editor)];
  await queueTestJob(services, editor, drafts[0]!);
  await queueTestJob(services, editor, drafts[1]!, { environment: { engine: 'classcad' } });
  await queueTestJob(services, editor, drafts[1]!, { type: 'assemble', environment: { engine: 'occt' } });
  await queueExportJobs(services, editor, drafts, 3);
  const oldest = new Date('2026-01-02T03:04:05.678Z');
  expect(await countWaitingJobs(scope)).toEqual([
    { type: 'convert', environment: '', count: 1, oldest },
    { type: 'convert', environment: 'engine:classcad', count: 1, oldest },
    { type: 'assemble', environment: 'engine:occt', count: 1, oldest },
    { type: 'export', environment: '', count: 3, oldest },
  ]);

  const waiting = Array.from({ length: MAX_COUNTED }, (_, i) => ({
    _id: `job_more_${i}`,
    status: 'waiting',
    type: 'run',
    environmentKey: '',
    seq: i * 1024,
  }));
  await services.mongo.db
    .collection<{ _id: string; seq: number }>('jobs')
    .insertMany([...waiting, { ...waiting[0], _id: 'job_last', seq: 5e15 }] as { _id: string; seq: number }[]);
  expect((await countWaitingJobs(scope)).find(({ type }) => type === 'run')).toEqual({
    type: 'run',
    environment: '',
    count: MAX_COUNTED,
    oldest: new Date(0),
  });
});
