// Checks that need no scenario of their own: they evaluate all recorded requests of a worker.
import { type CheckName, type Finding, fail, pass, skip } from './checks.ts';
import type { MockJob } from './mock-job.ts';
import type { RecordedRequest } from './mock-service.ts';

/** The period in which heartbeats are due: from the claim until the job ends or is cancelled, or the lease is lost. */
export type ClaimPeriod = { job: MockJob; attempt: number; from: number; to: number };

const REJECTED = [400, 401, 404, 405, 413, 415];
const REQUIRE_ATTEMPT = ['heartbeat', 'upload', 'complete', 'fail', 'give-back'];

export function evaluateRequests(
  requests: readonly RecordedRequest[],
  claims: readonly ClaimPeriod[],
  heartbeatSeconds: number,
): Finding[] {
  return [
    checkValid(requests),
    checkWorkerIds(requests),
    checkAttempts(requests, claims),
    checkHeartbeats(requests, claims, heartbeatSeconds),
    checkUploads(requests, 'sends-generator', ({ headers }) => (headers['x-generator'] ? null : 'has no X-Generator')),
    checkUploads(requests, 'sends-input-hash', ({ headers, job }) => {
      const sent = headers['x-input-sha256'];
      if (!sent) return 'has no X-Input-Sha256';
      return sent === job?.sha256 ? null : `has X-Input-Sha256 ${sent}, which is not the inputSha256 of the job`;
    }),
  ];
}

function checkValid(requests: readonly RecordedRequest[]): Finding {
  const check = 'valid-requests';
  if (!requests.length) return skip(check, 'The worker sent no request.');
  const rejected = requests.find(({ status }) => REJECTED.includes(status));
  return rejected
    ? fail(check, `${rejected.request} was rejected with ${rejected.status} ${rejected.code ?? ''}.`)
    : pass(check);
}

function checkWorkerIds(requests: readonly RecordedRequest[]): Finding {
  const check = 'sends-worker-id';
  const claims = requests.filter(({ operation }) => operation === 'claim');
  if (!claims.length) return skip(check, 'The worker claimed no job.');
  if (claims.some(({ body: { workerId } }) => typeof workerId !== 'string' || workerId === ''))
    return fail(check, 'A claim has no workerId.');
  return pass(check);
}

function checkAttempts(requests: readonly RecordedRequest[], claims: readonly ClaimPeriod[]): Finding {
  const check = 'sends-attempt';
  const relevant = requests.filter(({ operation, job }) => job && REQUIRE_ATTEMPT.includes(operation));
  if (!relevant.length) return skip(check, 'The worker sent no request about a job.');
  for (const { operation, attempt, job } of relevant) {
    const claimed = claims.find((claim) => claim.job === job)?.attempt;
    if (attempt === null || attempt === undefined)
      return fail(check, `The ${operation} request has no attempt number, in neither its body nor X-Job-Attempt.`);
    if (claimed !== undefined && attempt !== claimed)
      return fail(check, `The ${operation} request has attempt number ${attempt} instead of ${claimed}.`);
  }
  return pass(check);
}

function checkHeartbeats(
  requests: readonly RecordedRequest[],
  claims: readonly ClaimPeriod[],
  heartbeatSeconds: number,
): Finding {
  const check = 'sends-heartbeats';
  // A gap of two intervals means that a heartbeat is missing.
  const maxGap = heartbeatSeconds * 2;
  let longestGap = 0;
  let anyDue = false;
  for (const { job, from, to } of claims) {
    const times = requests
      .filter((entry) => entry.operation === 'heartbeat' && entry.job === job && entry.at <= to)
      .map(({ at }) => at);
    const marks = [from, ...times, to];
    if ((to - from) / 1000 > maxGap) anyDue = true;
    for (const [i, mark] of marks.slice(1).entries())
      longestGap = Math.max(longestGap, (mark - (marks[i] ?? mark)) / 1000);
  }
  if (longestGap > maxGap)
    return fail(
      check,
      `The worker sent no heartbeat for ${longestGap.toFixed(1)} s; the interval is ${heartbeatSeconds} s.`,
    );
  if (!anyDue) return skip(check, 'No job took long enough for a heartbeat to be due.');
  return pass(check, `longest gap: ${longestGap.toFixed(1)} s`);
}

/** `findError` completes "The upload of X …" with what is wrong; null if nothing is. */
function checkUploads(
  requests: readonly RecordedRequest[],
  check: CheckName,
  findError: (request: RecordedRequest) => string | null,
): Finding {
  const uploads = requests.filter(({ operation, job }) => operation === 'upload' && job);
  if (!uploads.length) return skip(check, 'The worker uploaded nothing.');
  for (const upload of uploads) {
    const error = findError(upload);
    if (error) return fail(check, `The upload of ${upload.kind} ${error}.`);
  }
  return pass(check);
}
