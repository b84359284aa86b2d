// What can be told from all that a worker said, whatever the scene was.
import { type CheckName, type Finding, fail, notTested, pass } from './checks.ts';
import type { MockJob } from './mock-job.ts';
import type { RecordedRequest } from './mock-service.ts';

/** The part of a job's time in which heartbeats are due: from claim to the last word, to being let go of, or to silence. */
export type ClaimPeriod = { job: MockJob; attempt: number; from: number; to: number };

const MALFORMED = [400, 401, 404, 405, 413, 415];
const FENCED = ['heartbeat', 'upload', 'complete', 'fail', 'give-back'];

/** The findings of every check that does not need a scene of its own. */
export function evaluateRequests(journal: readonly RecordedRequest[], held: readonly ClaimPeriod[], heartbeatSeconds: number): Finding[] {
  return [
    wellFormed(journal),
    workerIds(journal),
    attempts(journal, held),
    beats(journal, held, heartbeatSeconds),
    ofUploads(journal, 'names-generator', ({ headers }) => (headers['x-generator'] ? null : 'no X-Generator')),
    ofUploads(journal, 'names-input', ({ headers, job }) => {
      const sent = headers['x-input-sha256'];
      if (!sent) return 'no X-Input-Sha256';
      return sent === job?.sha256 ? null : `X-Input-Sha256 ${sent}, which is not the inputSha256 of the job`;
    }),
  ];
}

function wellFormed(journal: readonly RecordedRequest[]): Finding {
  if (!journal.length) return notTested('well-formed', 'It sent nothing.');
  const bad = journal.find(({ status }) => MALFORMED.includes(status));
  return bad
    ? fail('well-formed', `${bad.request} was answered ${bad.status} ${bad.code ?? ''}.`)
    : pass('well-formed');
}

function workerIds(journal: readonly RecordedRequest[]): Finding {
  const claims = journal.filter(({ operation }) => operation === 'claim');
  if (!claims.length) return notTested('claims-with-worker-id', 'It claimed nothing.');
  const ids = new Set(claims.map(({ body }) => body.workerId));
  if ([...ids].some((id) => typeof id !== 'string' || id === ''))
    return fail('claims-with-worker-id', 'A claim had no workerId.');
  return pass('claims-with-worker-id');
}

function attempts(journal: readonly RecordedRequest[], held: readonly ClaimPeriod[]): Finding {
  const fenced = journal.filter(({ operation, job }) => job && FENCED.includes(operation));
  if (!fenced.length) return notTested('sends-attempt', 'It said nothing about a job.');
  for (const { operation, attempt, job } of fenced) {
    const claimed = held.find((time) => time.job === job)?.attempt;
    if (attempt === null || attempt === undefined)
      return fail('sends-attempt', `A ${operation} carried no attempt, neither in its body nor as X-Job-Attempt.`);
    if (claimed !== undefined && attempt !== claimed)
      return fail('sends-attempt', `A ${operation} carried attempt ${attempt}; ${claimed} was claimed.`);
  }
  return pass('sends-attempt');
}

function beats(journal: readonly RecordedRequest[], held: readonly ClaimPeriod[], heartbeatSeconds: number): Finding {
  // twice the interval: then one is missing
  const allowed = heartbeatSeconds * 2;
  let longest = 0;
  let seen = false;
  for (const { job, from, to } of held) {
    const times = journal
      .filter((entry) => entry.operation === 'heartbeat' && entry.job === job && entry.at <= to)
      .map(({ at }) => at);
    const marks = [from, ...times, to];
    if ((to - from) / 1000 > allowed) seen = true;
    for (const [i, mark] of marks.slice(1).entries()) longest = Math.max(longest, (mark - (marks[i] ?? mark)) / 1000);
  }
  if (longest > allowed)
    return fail(
      'beats-in-time',
      `${longest.toFixed(1)} s passed without a heartbeat; every ${heartbeatSeconds} s were asked for.`,
    );
  if (!seen) return notTested('beats-in-time', 'No job took long enough for a heartbeat to be due.');
  return pass('beats-in-time', `at most ${longest.toFixed(1)} s apart`);
}

function ofUploads(journal: readonly RecordedRequest[], check: CheckName, wrong: (entry: RecordedRequest) => string | null): Finding {
  const uploads = journal.filter(({ operation, job }) => operation === 'upload' && job);
  if (!uploads.length) return notTested(check, 'It uploaded nothing.');
  const bad = uploads.map((entry) => ({ entry, why: wrong(entry) })).find(({ why }) => why);
  return bad ? fail(check, `The upload of ${bad.entry.kind} had ${bad.why}.`) : pass(check);
}
