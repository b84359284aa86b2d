import {
  CancelJobDocument,
  ClaimJobDocument,
  CompleteJobDocument,
  FailJobDocument,
  FollowJobLogDocument,
  GiveBackJobDocument,
  HeartbeatJobDocument,
  ListJobsDocument,
  ListVersionJobsDocument,
  ReadJobContextDocument,
  ReadJobDocument,
  RetryJobDocument,
  StreamJobLogDocument,
} from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

const LIST = { versionId: 'query', documentId: 'query', status: 'query', type: 'query', ...PAGE } as const;
// the fence: the attempt that the worker holds
const HELD = { id: 'path', attempt: 'body.* or header X-Job-Attempt', workerId: 'body.*' } as const;

export const JOB_ROUTES: readonly Route[] = [
  route('GET /jobs', 'List jobs, newest first; their logs are in the single job', ListJobsDocument, 'jobs', LIST, {
    usualSort: '-createdAt',
  }),
  route('GET /jobs/:id', 'Read a job with its log and error', ReadJobDocument, 'job', { id: 'path' }),
  route(
    'GET /jobs/:id/log/stream',
    'Follow the log of a job as server-sent events: a message for each line, `end` when the job has ended',
    StreamJobLogDocument,
    'jobLog',
    { id: 'path', from: 'header Last-Event-ID' },
    { send: 'events', follow: FollowJobLogDocument },
  ),
  route(
    'GET /versions/:id/jobs',
    'The jobs of a draft or version, newest first',
    ListVersionJobsDocument,
    'version.jobs',
    {
      id: 'path',
      ...PAGE,
    },
    { usualSort: '-createdAt' },
  ),
  route('POST /jobs/:id/retry', 'Run a failed job again', RetryJobDocument, 'retryJob', { id: 'path' }),
  route(
    'POST /jobs/:id/cancel',
    'Cancel a job: a waiting one at once, a running one when its worker answers',
    CancelJobDocument,
    'cancelJob',
    {
      id: 'path',
    },
  ),
];

export const WORKER_ROUTES: readonly Route[] = [
  route(
    'POST /jobs/claim',
    'Take the oldest fitting job, waiting up to waitSeconds (at most 50) for one; 204 when there is none',
    ClaimJobDocument,
    'claimJob',
    { workerId: 'body.*', types: 'body.*', environment: 'body.*', waitSeconds: 'body.*' },
    { whenNull: 204, spread: ['job'] },
  ),
  route(
    'GET /jobs/:id/context',
    'What a worker needs: document, version, files with their SHA-256, parameters of a run',
    ReadJobContextDocument,
    'jobContext',
    { id: 'path' },
  ),
  route(
    'POST /jobs/:id/heartbeat',
    'Keep the job; may carry progress and log lines',
    HeartbeatJobDocument,
    'heartbeatJob',
    {
      ...HELD,
      percent: 'body.*',
      step: 'body.*',
      log: 'body.*',
    },
  ),
  route('POST /jobs/:id/complete', 'The job is done', CompleteJobDocument, 'completeJob', { ...HELD, log: 'body.*' }),
  route(
    'POST /jobs/:id/fail',
    'The job failed; final: true when retrying cannot help',
    FailJobDocument,
    'failJob',
    { ...HELD, error: 'body.*', final: 'body.*', retryable: 'body.*', log: 'body.*' },
    { also: { error: (error) => (typeof error === 'string' ? { message: error } : error) } },
  ),
  route(
    'POST /jobs/:id/give-back',
    'Hand the job back unharmed, for a worker that shuts down',
    GiveBackJobDocument,
    'giveBackJob',
    HELD,
  ),
];
