import { operation } from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

const LIST = { versionId: 'query', documentId: 'query', status: 'query', type: 'query', ...PAGE } as const;
// the fence: the attempt that the worker holds
const HELD = { id: 'path', attempt: 'body.* or header X-Job-Attempt', workerId: 'body.*' } as const;

export const JOB_ROUTES: readonly Route[] = [
  route('GET /jobs', {
    summary: 'List jobs, newest first; their logs are in the single job',
    operation: operation(`
      query ListJobs(
        $versionId: ID, $documentId: ID, $status: JobStatus, $type: JobType, $sort: JobSort
        $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean
      ) {
        jobs(
          versionId: $versionId, documentId: $documentId, status: $status, type: $type, sort: $sort
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
    variables: LIST,
    usualSort: '-createdAt',
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
    summary: 'Follow the log of a job as server-sent events: a message for each line, `end` when the job has ended',
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
    summary: 'The jobs of a draft or version, newest first',
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
      ...PAGE,
    },
    usualSort: '-createdAt',
  }),
  route('POST /jobs/:id/retry', {
    summary: 'Run a failed job again',
    operation: operation(`
      mutation RetryJob($id: ID!) {
        retryJob(id: $id) {
          ...Job
        }
      }
    `),
    pick: 'retryJob',
    variables: { id: 'path' },
  }),
  route('POST /jobs/:id/cancel', {
    summary: 'Cancel a job: a waiting one at once, a running one when its worker answers',
    operation: operation(`
      mutation CancelJob($id: ID!) {
        cancelJob(id: $id) {
          ...Job
        }
      }
    `),
    pick: 'cancelJob',
    variables: {
      id: 'path',
    },
  }),
];

export const WORKER_ROUTES: readonly Route[] = [
  route('POST /jobs/claim', {
    summary: 'Take the oldest fitting job, waiting up to waitSeconds (at most 50) for one; 204 when there is none',
    operation: operation(`
      mutation ClaimJob($workerId: String!, $types: [JobType!], $environment: JSON, $waitSeconds: Int) {
        claimJob(workerId: $workerId, types: $types, environment: $environment, waitSeconds: $waitSeconds) {
          job {
            ...Job
          }
          leaseSeconds
          heartbeatSeconds
        }
      }
    `),
    pick: 'claimJob',
    variables: { workerId: 'body.*', types: 'body.*', environment: 'body.*', waitSeconds: 'body.*' },
    example: { workerId: 'press-7', types: ['convert'], environment: { engine: 'occt' }, waitSeconds: 0 },
    whenNull: 204,
    spread: ['job'],
  }),
  route('GET /jobs/:id/context', {
    summary: 'What a worker needs: document, version, files with their SHA-256, parameters of a run',
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
    variables: { id: 'path' },
  }),
  route('POST /jobs/:id/heartbeat', {
    summary: 'Keep the job; may carry progress and log lines',
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
    variables: {
      ...HELD,
      percent: 'body.*',
      step: 'body.*',
      log: 'body.*',
    },
    example: { attempt: 1, percent: 40, step: 'meshing', log: ['3 of 7 bodies'] },
  }),
  route('POST /jobs/:id/complete', {
    summary: 'The job is done',
    operation: operation(`
      mutation CompleteJob($id: ID!, $attempt: Int, $workerId: String, $log: [String!]) {
        completeJob(id: $id, attempt: $attempt, workerId: $workerId, log: $log) {
          ...Job
        }
      }
    `),
    pick: 'completeJob',
    variables: { ...HELD, log: 'body.*' },
    example: { attempt: 1, log: ['7 bodies'] },
  }),
  route('POST /jobs/:id/fail', {
    summary: 'The job failed; final: true when retrying cannot help',
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
    variables: { ...HELD, error: 'body.*', final: 'body.*', retryable: 'body.*', log: 'body.*' },
    example: { attempt: 1, error: { code: 'bad_geometry', message: 'Face 12 cuts itself.' }, final: true },
    also: { error: (error) => (typeof error === 'string' ? { message: error } : error) },
  }),
  route('POST /jobs/:id/give-back', {
    summary: 'Hand the job back unharmed, for a worker that shuts down',
    operation: operation(`
      mutation GiveBackJob($id: ID!, $attempt: Int, $workerId: String) {
        giveBackJob(id: $id, attempt: $attempt, workerId: $workerId) {
          ...Job
        }
      }
    `),
    pick: 'giveBackJob',
    variables: HELD,
    example: { attempt: 1 },
  }),
];
