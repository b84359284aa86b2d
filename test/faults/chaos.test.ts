// Many workers use the worker routes concurrently: a third is killed, a tenth freezes until its lease expires. Each job
// completes exactly once. PDM_TEST_CHAOS=full runs 50 workers and 2,000 jobs; the default is smaller.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { issueTokenTo } from '../../subgraphs/documents/access/issue-token.ts';
import { client } from '../support/client.ts';
import { content } from '../support/content.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { queueExportJobs } from '../support/job-fixture.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { TEST_QUERY_COMMENT } from '../support/query-plans.ts';
import { requestAs } from '../support/store.ts';

const full = process.env.PDM_TEST_CHAOS === 'full';
const { WORKERS, JOBS, LEASE } = full ? { WORKERS: 50, JOBS: 2_000, LEASE: 5 } : { WORKERS: 10, JOBS: 40, LEASE: 2 };
const KILLED = Math.ceil(WORKERS / 3);
const FROZEN = Math.ceil(WORKERS / 10);
const DRAFTS = 5;

type Fate = 'survives' | 'killed' | 'frozen';
/** A late call of a worker that lost its job, with the response. */
type Late = { jobId: string; call: string; status: number; code: string };

let pdm: Pdm;
let queued: string[];
const accepted: string[] = [];
const late: Late[] = [];
const fates: Fate[] = [];

beforeAll(async () => {
  pdm = await startPdm({ settings: { PDM_JOB_LEASE_SECONDS: String(LEASE) } });
  queued = [];
  while (queued.length < JOBS) {
    const places = [];
    for (let n = 0; n < DRAFTS; n++) {
      const { documentId, draftId } = await content(pdm.services).document();
      places.push({ documentId, versionId: draftId });
    }
    queued.push(...(await queueExportJobs(pdm.services, requestAs('editor'), places, Math.min(JOBS, 200))));
  }
}, 300_000);
afterAll(() => pdm.close());

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const unfinished = () =>
  collection({ db: pdm.services.mongo.db }, 'jobs').countDocuments({ status: { $in: ['waiting', 'running'] } });

/**
 * Works until every job has ended, or fails as configured: at its second job, and never at a job lost before, so that
 * no job fails three times.
 */
async function work(n: number, fate: Fate): Promise<void> {
  const token = await issueTokenTo(pdm.services, { role: 'worker', name: `Worker ${n}`, days: 1 });
  const http = client(`${pdm.url}/api/v1`, token);
  const workerId = `worker-${n}`;
  for (let jobs = 1; ; ) {
    const { status, body: job } = await http.post('/jobs/claim', { workerId, types: ['export'], waitSeconds: 1 });
    if (status === 204 && (await unfinished()) === 0) return;
    if (status !== 200) continue;
    const held = { workerId, attempt: job.attempt };
    const fails = fate !== 'survives' && jobs++ >= 2 && job.attempt === 1;
    if (fails && fate === 'killed') return die(job, held, token, n);
    if (fails) {
      while ((await read(job.id)).attempt === job.attempt && (await read(job.id)).status === 'running')
        await pause(100);
      for (const [call, body] of Object.entries({
        complete: {},
        heartbeat: { percent: 50 },
        fail: { error: 'late' },
        'give-back': {},
      })) {
        const answer = await http.post(`/jobs/${job.id}/${call}`, { ...held, ...body });
        late.push({ jobId: job.id, call, status: answer.status, code: answer.body.code });
      }
      fate = 'survives';
      continue;
    }
    await http.post(`/jobs/${job.id}/heartbeat`, {
      ...held,
      percent: 50,
      log: [`attempt ${job.attempt} of ${workerId}`],
    });
    const done = await http.post(`/jobs/${job.id}/complete`, held);
    if (done.status === 200) accepted.push(job.id);
    else late.push({ jobId: job.id, call: 'complete', status: done.status, code: done.body.code });
  }
}

const read = async (id: string) => (await pdm.viewer.get(`/jobs/${id}`)).body;

/**
 * A third dies with a running job, a third while it completes the job, a third after the completion without having
 * received the response.
 */
async function die(job: { id: string }, held: object, token: string, n: number): Promise<void> {
  if (n % 3 === 0) return;
  const signal = n % 3 === 1 ? AbortSignal.timeout(1) : undefined;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  await fetch(`${pdm.url}/api/v1/jobs/${job.id}/complete`, {
    method: 'POST',
    headers,
    body: JSON.stringify(held),
    signal,
  }).then(
    (answer) => answer.body?.cancel(),
    (error: Error) => expect(error.name).toMatch(/TimeoutError|AbortError/),
  );
}

test(`completes each of ${JOBS} jobs exactly once with ${WORKERS} workers, of which ${KILLED} are killed and ${FROZEN} frozen`, {
  timeout: 600_000,
}, async () => {
  for (let n = 0; n < WORKERS; n++) fates.push(n < KILLED ? 'killed' : n < KILLED + FROZEN ? 'frozen' : 'survives');
  await Promise.all(fates.map((fate, n) => work(n, fate)));

  const scope = { db: pdm.services.mongo.db };
  const jobs = await collection(scope, 'jobs').find({}, { comment: TEST_QUERY_COMMENT }).toArray();
  expect(jobs.map(({ _id }) => _id).sort()).toEqual([...queued].sort());
  expect(jobs.filter(({ status }) => status !== 'done')).toEqual([]);
  const completions = await collection(scope, 'audit').find({ action: 'job.completed' }).toArray();
  expect(completions.map(({ jobId }) => jobId).sort()).toEqual([...queued].sort());
  expect(new Set(accepted).size).toBe(accepted.length);

  const disappeared = await collection(scope, 'audit').countDocuments({ action: 'job.requeued' });
  expect(disappeared).toBeGreaterThanOrEqual(FROZEN + Math.floor(KILLED / 3));
  expect(late.length).toBeGreaterThanOrEqual(4 * FROZEN);
  expect(late.filter(({ status, code }) => status !== 409 || code !== 'lease_lost')).toEqual([]);
  expect(await violatedInvariants(scope)).toEqual([]);
});
