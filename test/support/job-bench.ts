// For tests of jobs: a store with an adjustable clock, one draft, and two workers.

import type { Context } from '../../subgraphs/core/graphql.ts';
import { listChain } from '../../subgraphs/core/store/audit/list-audit.ts';
import { logsOf } from '../../subgraphs/core/store/jobs/job-logs.ts';
import { get } from '../../subgraphs/core/store/query/records.ts';
import { collection, type Scope } from '../../subgraphs/core/store/query/scope.ts';
import type { JobRecord } from '../../subgraphs/core/store/schema/collections.ts';
import { type Command, inTransaction } from '../../subgraphs/core/work.ts';
import { createClaimDispatcher } from '../../subgraphs/jobs/worker/claim-dispatcher.ts';
import { claimJob } from '../../subgraphs/jobs/worker/claim-job.ts';
import { expireJob } from '../../subgraphs/jobs/worker/expire-job.ts';
import { createTestDraft, queueTestJob } from './job-fixture.ts';
import { requestAs, testStore } from './store.ts';

export const LEASE = 60_000;
export const editor = requestAs('editor');
export const worker = requestAs('worker', 'w1');
export const other = requestAs('worker', 'w2');

/** Starts the store. `fresh` empties the queue, creates a draft and resets the clock. */
export async function jobBench() {
  const state = { now: Date.now(), place: { documentId: '', versionId: '' } };
  const { services, uri, close } = await testStore({ clock: () => new Date(state.now) });
  const scope: Scope = { db: services.mongo.db };
  const run = <I, R>(command: Command<I, R>, input: I, request = worker) =>
    inTransaction(services, request, command, input);
  const contextOf = (request = worker): Context => ({ services, request, scope, loaders: {} });

  async function claimed(request = worker): Promise<JobRecord> {
    const answer = await claimJob(contextOf(request), createClaimDispatcher(scope, services.clock), {
      workerId: `${request.actor.id}-1`,
    });
    if (!answer) throw new Error('nothing to claim');
    return answer.job;
  }
  return {
    services,
    uri,
    scope,
    state,
    close,
    run,
    contextOf,
    claimed,
    async fresh(): Promise<void> {
      state.now = Date.now();
      await collection(scope, 'jobs').deleteMany({});
      state.place = await createTestDraft(services, editor);
    },
    /** Queues a job for the draft and claims it as `worker`. */
    async running(): Promise<JobRecord> {
      await queueTestJob(services, editor, state.place);
      return claimed();
    },
    /** Lets the lease expire and expires the job, as the sweeper does. */
    leaseRunsOut(id: string): Promise<JobRecord | null> {
      state.now += LEASE + 1;
      return run(expireJob, { id }, requestAs('admin', 'service'));
    },
    job: (id: string) => get(scope, 'jobs', id),
    lines: async (id: string) => (await logsOf(scope, [id])).flatMap((record) => record.lines),
    actions: async () =>
      (await listChain(scope, state.place.documentId, { limit: 50 })).map(({ action }) => action).reverse(),
  };
}
