// How fast jobs are handed out, durably and with their audit records. Run by `node launch.mjs bench/jobs.ts` (MONGODB_URL: on that server);
// prints the wait between queueing and claim, and jobs claimed and completed a second by 32 workers. Aim: half of the waits within 5 ms.
import assert from 'node:assert/strict';
import type { Context } from '../subgraphs/core/graphql.ts';
import { queueJob } from '../subgraphs/core/store/jobs.ts';
import { type Command, inTransaction } from '../subgraphs/core/work.ts';
import { claimDesk } from '../subgraphs/jobs/claim-desk.ts';
import { claimJob } from '../subgraphs/jobs/claim-job.ts';
import { completeJob } from '../subgraphs/jobs/complete-job.ts';
import { requestAs, testStore } from '../test/support/store.ts';

const WAITS = 100;
const JOBS = 500;
const DOCUMENTS = 100;
const WORKERS = 32;
const AIM = 5;

const { services, close } = await testStore();
const scope = { db: services.mongo.db };
const desk = claimDesk(scope, services.clock);
const editor = requestAs('editor');

const queue: Command<{ n: number }, string> = async (work, { n }) => {
  const place = { documentId: `doc_${n % DOCUMENTS}`, versionId: `ver_${n % DOCUMENTS}` };
  work.audit({ action: 'export.queued', documentId: place.documentId, summary: 'An export was queued.' });
  const job = await queueJob(work, { ...place, type: 'export', format: `${n}`, inputSha256: null, inputKinds: [], environment: null });
  return job._id;
};

/** One claim and complete; false when nothing waits. */
async function workOnce(workerId: string, waitSeconds: number): Promise<string | null> {
  const request = requestAs('worker', workerId);
  const context: Context = { services, request, scope, loaders: null };
  const claimed = await claimJob(context, desk, { workerId, waitSeconds });
  if (claimed) await inTransaction(services, request, completeJob, { id: claimed.job._id, attempt: claimed.job.attempt });
  return claimed?.job._id ?? null;
}

const waits: number[] = [];
for (let n = 0; n < WAITS; n++) {
  const request = requestAs('worker', 'w');
  const claiming = claimJob({ services, request, scope, loaders: null }, desk, { workerId: 'w', waitSeconds: 30 });
  await inTransaction(services, editor, queue, { n });
  const queuedAt = performance.now();
  const claimed = await claiming;
  waits.push(performance.now() - queuedAt);
  assert(claimed);
  await inTransaction(services, request, completeJob, { id: claimed.job._id, attempt: 1 });
}
waits.sort((a, b) => a - b);
const percentile = (p: number) => waits[Math.floor((waits.length - 1) * p)]!.toFixed(1);
console.log(`queued to claimed, a worker waiting: p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms (aim: p50 ≤ ${AIM} ms)`);

for (let n = 0; n < JOBS; n += 50)
  await Promise.all(Array.from({ length: 50 }, (_, k) => inTransaction(services, editor, queue, { n: WAITS + n + k })));
const begun = performance.now();
const done = await Promise.all(
  Array.from({ length: WORKERS }, async (_, worker) => {
    const ids: string[] = [];
    for (let id = await workOnce(`w${worker}`, 0); id; id = await workOnce(`w${worker}`, 0)) ids.push(id);
    return ids;
  }),
);
const seconds = (performance.now() - begun) / 1000;
assert.equal(new Set(done.flat()).size, JOBS);
assert.equal(done.flat().length, JOBS);
console.log(`${JOBS} jobs by ${WORKERS} workers: ${Math.round(JOBS / seconds)} claimed and completed a second, each once`);
await close();
