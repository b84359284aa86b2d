import { operation } from '../generated/operations.ts';
import { PAGE_VARIABLES, type Route, route } from '../route.ts';

const LIST_VARIABLES = {
  versionId: 'query',
  documentId: 'query',
  status: 'query',
  type: 'query',
  ...PAGE_VARIABLES,
} as const;
// Fencing fields: they identify the attempt that the worker holds.
const HELD_JOB_VARIABLES = { id: 'path', attempt: 'body.* or header X-Job-Attempt', workerId: 'body.*' } as const;

export const JOB_ROUTES: readonly Route[] = [
  route('GET /jobs', {
    summary: 'List jobs without their logs, newest first',
    operation: operation(`
      query ListJobs(
        $versionId: ID, $documentId: ID, $status: [JobStatus!], $type: JobType, $sort: JobSort
        $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean
      ) {
        jobs(
          versionId: $versionId, documentId: $documentId, statuses: $status, type: $type, sort: $sort
          descending: $descending, limit: $limit, cursor: $cursor, total: $total
        ) {
          items {
            ...JobSummary
          }
          nextCursor
          total
        }
      }
    `),
    pick: 'jobs',
    variables: LIST_VARIABLES,
    defaultSort: '-createdAt',
  }),
  route('GET /jobs/:id', {
    summary: 'Read a job with its log and error',
    operation: operation(`
      query ReadJob($id: ID!) {
        job(id: $id) {
          ...Job
        }
      }
    `),
    pick: 'job',
    variables: { id: 'path' },
  }),
  route('GET /jobs/:id/log/stream', {
    summary: 'Stream the log of a job as server-sent events: one message per line, then the event `end`',
    description:
      'Sends the log lines from the beginning, or after `Last-Event-ID`, and further lines until the job has ended.',
    operation: operation(`
      query StreamJobLog($id: ID!, $from: Int) {
        jobLog(id: $id, from: $from) {
          ...JobLogChunk
        }
      }
    `),
    pick: 'jobLog',
    variables: { id: 'path', from: 'header Last-Event-ID' },
    send: 'events',
    follow: operation(`
      query FollowJobLog($id: ID!, $from: Int) {
        jobLog(id: $id, from: $from, waitSeconds: 10) {
          ...JobLogChunk
        }
      }
    `),
  }),
  route('GET /versions/:id/jobs', {
    summary: 'List the jobs of a draft or version, newest first',
    operation: operation(`
      query ListVersionJobs(
        $id: ID!, $sort: JobSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean
      ) {
        version(id: $id) {
          jobs(sort: $sort, descending: $descending, limit: $limit, cursor: $cursor, total: $total) {
            items {
              ...JobSummary
            }
            nextCursor
            total
          }
        }
      }
    `),
    pick: 'version.jobs',
    variables: {
      id: 'path',
      ...PAGE_VARIABLES,
    },
    defaultSort: '-createdAt',
  }),
  route('POST /jobs/:id/retry', {
    summary: 'Retry a failed job',
    operation: operation(`
      mutation RetryJob($id: ID!) {
        retryJob(id: $id) {
          ...Job
        }
      }
    `),
    pick: 'retryJob',
    errors: ['document_archived', 'job_not_failed'],
    variables: { id: 'path' },
  }),
  route('POST /jobs/:id/cancel', {
    summary: 'Cancel a job: immediately if it is waiting, at the next heartbeat of its worker if it is running',
    operation: operation(`
      mutation CancelJob($id: ID!) {
        cancelJob(id: $id) {
          ...Job
        }
      }
    `),
    pick: 'cancelJob',
    errors: ['job_not_cancellable'],
    variables: {
      id: 'path',
    },
  }),
];

export const WORKER_ROUTES: readonly Route[] = [
  route('POST /jobs/claim', {
    summary: 'Claim the oldest matching job, waiting up to `waitSeconds` (0–50); 204 if there is none',
    operation: operation(`
      mutation ClaimJob(
        $workerId: String!, $types: [JobType!], $environment: JSON, $light: Boolean, $waitSeconds: Int, $leaseSeconds: Int
      ) {
        claimJob(
          workerId: $workerId
          types: $types
          environment: $environment
          light: $light
          waitSeconds: $waitSeconds
          leaseSeconds: $leaseSeconds
        ) {
          job {
            ...Job
          }
          leaseSeconds
          heartbeatSeconds
        }
      }
    `),
    pick: 'claimJob',
    variables: {
      workerId: 'body.*',
      types: 'body.*',
      environment: 'body.*',
      light: 'body.*',
      waitSeconds: 'body.*',
      leaseSeconds: 'body.*',
    },
    example: { workerId: 'press-7', types: ['convert'], environment: { engine: 'occt' }, waitSeconds: 0 },
    whenNull: 204,
    inline: ['job'],
  }),
  route('GET /jobs/:id/context', {
    summary: 'Read the context of a job for its worker: document, version, files with SHA-256, run parameters',
    operation: operation(`
      query ReadJobContext($id: ID!) {
        jobContext(id: $id) {
          job {
            ...Job
          }
          document {
            id
            number
            name
            kind
          }
          version {
            id
            type
            n
            name
            createdAt
          }
          files {
            id
            kind
            fileName
            contentType
            size
            sha256
            url
          }
          params
        }
      }
    `),
    pick: 'jobContext',
    errors: ['lease_lost', 'not_your_job', 'stale_input'],
    variables: { id: 'path' },
  }),
  route('POST /jobs/:id/heartbeat', {
    summary: 'Renew the lease of a job, optionally with progress and log lines',
    operation: operation(`
      mutation HeartbeatJob(
        $id: ID!, $attempt: Int, $workerId: String, $percent: Float, $step: String, $log: [String!]
      ) {
        heartbeatJob(id: $id, attempt: $attempt, workerId: $workerId, percent: $percent, step: $step, log: $log) {
          leaseExpiresAt
          cancelRequested
        }
      }
    `),
    pick: 'heartbeatJob',
    errors: ['lease_lost', 'not_your_job'],
    variables: {
      ...HELD_JOB_VARIABLES,
      percent: 'body.*',
      step: 'body.*',
      log: 'body.*',
    },
    example: { attempt: 1, percent: 40, step: 'meshing', log: ['3 of 7 bodies'] },
  }),
  route('POST /jobs/:id/complete', {
    summary: 'Complete a job whose results have been uploaded',
    operation: operation(`
      mutation CompleteJob($id: ID!, $attempt: Int, $workerId: String, $log: [String!]) {
        completeJob(id: $id, attempt: $attempt, workerId: $workerId, log: $log) {
          ...Job
        }
      }
    `),
    pick: 'completeJob',
    errors: ['lease_lost', 'not_your_job', 'result_missing'],
    variables: { ...HELD_JOB_VARIABLES, log: 'body.*' },
    example: { attempt: 1, log: ['7 bodies'] },
  }),
  route('POST /jobs/:id/fail', {
    summary: 'Fail a job; `final: true` means that a retry cannot succeed',
    operation: operation(`
      mutation FailJob(
        $id: ID!, $attempt: Int, $workerId: String, $error: JobErrorInput!, $final: Boolean
        $retryable: Boolean, $log: [String!]
      ) {
        failJob(
          id: $id, attempt: $attempt, workerId: $workerId, error: $error, final: $final
          retryable: $retryable, log: $log
        ) {
          ...Job
        }
      }
    `),
    pick: 'failJob',
    errors: ['lease_lost', 'not_your_job'],
    variables: { ...HELD_JOB_VARIABLES, error: 'body.*', final: 'body.*', retryable: 'body.*', log: 'body.*' },
    example: { attempt: 1, error: { code: 'bad_geometry', message: 'Face 12 is self-intersecting.' }, final: true },
    normalize: { error: (error) => (typeof error === 'string' ? { message: error } : error) },
  }),
  route('POST /jobs/:id/give-back', {
    summary: 'Return a job to the queue, e.g. when the worker shuts down; the attempt does not count as a failure',
    operation: operation(`
      mutation GiveBackJob($id: ID!, $attempt: Int, $workerId: String) {
        giveBackJob(id: $id, attempt: $attempt, workerId: $workerId) {
          ...Job
        }
      }
    `),
    pick: 'giveBackJob',
    errors: ['lease_lost', 'not_your_job'],
    variables: HELD_JOB_VARIABLES,
    example: { attempt: 1 },
  }),
];
