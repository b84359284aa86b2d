// An HTTP server with the worker routes of the service. It records the requests of one worker and injects faults.
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProblem } from '../../http/response/problem.ts';
import { DomainError, refuse } from '../../subgraphs/core/domain/errors.ts';
import { errorMessage } from '../../subgraphs/core/domain/text/error-message.ts';
import {
  appendLog,
  assignToWorker,
  createMockJob,
  type EndBody,
  type EndOperation,
  endAttempt,
  expireLease,
  type Faults,
  type JobInput,
  jobResponse,
  type MockJob,
  reassignToOtherWorker,
  recordHeartbeat,
  WORKER,
} from './mock-job.ts';
import { artifactResponse, contextResponse, parseResultHeaders, readJsonBody, validateBody } from './mock-protocol.ts';

export type Operation = 'claim' | 'context' | 'heartbeat' | EndOperation | 'download' | 'upload' | 'other';

/** A request of the worker. */
export type RecordedRequest = {
  /** Time of arrival (milliseconds, monotonic). */
  at: number;
  operation: Operation;
  /** Method and path. */
  request: string;
  job: MockJob | null;
  attempt: unknown;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** The `kind` of an uploaded artifact. */
  kind: string | null;
  /** Status of the response; 0 until there is one. */
  status: number;
  /** Error code of the response. */
  code: string | null;
};

export type MockService = {
  /** http://127.0.0.1:<port> */
  url: string;
  token: string;
  requests: RecordedRequest[];
  leaseSeconds: number;
  heartbeatSeconds: number;
  queue(faults?: Faults, content?: Buffer): MockJob;
  /** Removes a job from the queue. */
  withdraw(job: MockJob): void;
  /** Fails all waiting claims with 503, or the next claim if none is waiting. Returns immediately. */
  failClaims(): void;
  /** Waits until the condition is true or the time is over, and returns whether it is true. */
  waitUntil(condition: () => boolean, seconds: number): Promise<boolean>;
  close(): Promise<void>;
};

type Options = {
  host?: string;
  port?: number;
  leaseSeconds: number;
  type: MockJob['state']['type'];
  source: JobInput;
};
type WaitingClaim = { types: string[] | null; workerId: string; resolve(job: MockJob | null | 'unavailable'): void };

const MAX_WAIT_SECONDS = 50;
const POLL_MS = 200;

/** Starts the mock service. Default: a free port on the loopback interface. */
export async function startMockService({
  host = '127.0.0.1',
  port = 0,
  leaseSeconds,
  type,
  source,
}: Options): Promise<MockService> {
  const token = `pdm_${randomBytes(4).toString('hex')}_${randomBytes(19).toString('hex')}`;
  const heartbeatSeconds = Math.max(1, Math.floor(leaseSeconds / 3));
  const requests: RecordedRequest[] = [];
  const jobs: MockJob[] = [];
  const queued: MockJob[] = [];
  const waiting = new Set<WaitingClaim>();
  const changes = new EventEmitter().setMaxListeners(0);
  let failNextClaim = false;
  const notifyChange = () => changes.emit('change');

  function assignQueued(): void {
    for (const claim of waiting) {
      const job = queued.find(({ state }) => !claim.types || claim.types.includes(state.type));
      if (!job) continue;
      queued.splice(queued.indexOf(job), 1);
      assignToWorker(job, claim.workerId, leaseSeconds);
      claim.resolve(job);
    }
  }

  async function waitForJob(response: ServerResponse, body: Record<string, unknown>): Promise<MockJob | null> {
    const {
      workerId,
      types,
      waitSeconds = 0,
    } = body as { workerId: string; types?: string[] | null; waitSeconds?: number | null };
    if (Number(waitSeconds) < 0 || Number(waitSeconds) > MAX_WAIT_SECONDS)
      refuse('validation_failed', `waitSeconds must be from 0 to ${MAX_WAIT_SECONDS}.`);
    if (failNextClaim) {
      failNextClaim = false;
      unavailable();
    }
    const { promise, resolve } = Promise.withResolvers<MockJob | null | 'unavailable'>();
    const claim: WaitingClaim = { types: types ?? null, workerId, resolve };
    const timeout = setTimeout(() => resolve(null), Number(waitSeconds) * 1000);
    response.once('close', () => resolve(null));
    waiting.add(claim);
    assignQueued();
    const job = await promise;
    clearTimeout(timeout);
    waiting.delete(claim);
    return job === 'unavailable' ? unavailable() : job;
  }

  async function handle(entry: RecordedRequest, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== `Bearer ${token}`)
      refuse('unauthenticated', 'The token is unknown, expired or revoked.');
    const { operation, job } = entry;
    if (operation === 'other') return notFound(entry);
    if (operation === 'claim') {
      entry.body = validateBody('claim', await readJsonBody(request));
      const claimed = await waitForJob(response, entry.body);
      if (!claimed) return send(entry, response, 204, null);
      entry.job = claimed;
      return send(entry, response, 200, { ...jobResponse(claimed), leaseSeconds, heartbeatSeconds });
    }
    if (!job) return notFound(entry);
    if (operation === 'context') return send(entry, response, 200, contextResponse(job));
    if (operation === 'download') return sendInput(entry, job, response);
    if (operation === 'upload') {
      const headers = parseResultHeaders(entry, job, { ...WORKER, attempt: entry.attempt as number | null });
      let size = 0;
      for await (const chunk of request) size += chunk.length;
      return send(entry, response, 201, artifactResponse(job, headers, size), {
        location: `/api/v1/artifacts/${job.versionId}`,
      });
    }
    entry.body = validateBody(operation, await readJsonBody(request));
    entry.attempt = entry.body.attempt ?? entry.attempt;
    const by = { ...WORKER, attempt: entry.attempt as number | null, workerId: entry.body.workerId as string | null };
    if (operation === 'heartbeat') {
      job.heartbeats += 1;
      if (job.heartbeats === job.faults.failHeartbeat) unavailable();
      if (job.faults.loseLease && job.heartbeats === 1) reassignToOtherWorker(job, 3600);
      const { percent, step } = entry.body as { percent?: number; step?: string };
      const progress = percent == null && !step ? null : { percent: percent ?? 0, step: step ?? '' };
      const result = recordHeartbeat(job, by, progress, leaseSeconds);
      appendLog(job, (entry.body.log as string[] | null) ?? []);
      return send(entry, response, 200, result);
    }
    endAttempt(job, by, operation, entry.body as EndBody);
    if (job.faults.dropConnection && operation !== 'give-back') {
      job.faults.dropConnection = false;
      notifyChange();
      request.socket.destroy();
      return;
    }
    return send(entry, response, 200, jobResponse(job));
  }

  const server = createServer(async (request, response) => {
    const entry = recordRequest(request, jobs);
    requests.push(entry);
    notifyChange();
    response.on('error', () => {});
    try {
      await handle(entry, request, response);
    } catch (error) {
      if (response.headersSent || response.destroyed) return;
      sendError(entry, request, response, error);
    } finally {
      notifyChange();
    }
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const address = server.address() as AddressInfo;

  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    token,
    requests,
    leaseSeconds,
    heartbeatSeconds,
    queue: (faults = {}, content = source.content) => {
      const job = createMockJob(type, { ...source, content }, faults);
      jobs.push(job);
      queued.push(job);
      assignQueued();
      return job;
    },
    withdraw: (job) => {
      if (queued.includes(job)) queued.splice(queued.indexOf(job), 1);
    },
    failClaims: () => {
      failNextClaim = waiting.size === 0;
      for (const { resolve } of waiting) resolve('unavailable');
    },
    waitUntil: (condition, seconds) =>
      new Promise((resolve) => {
        const check = () => {
          for (const job of jobs) expireLease(job);
          if (condition()) finish(true);
        };
        const finish = (result: boolean) => {
          clearTimeout(timeout);
          clearInterval(polling);
          changes.off('change', check);
          resolve(result);
        };
        const timeout = setTimeout(() => finish(condition()), seconds * 1000);
        const polling = setInterval(check, POLL_MS);
        changes.on('change', check);
        check();
      }),
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function notFound({ request }: RecordedRequest): never {
  return refuse('not_found', `There is no resource at ${request}.`);
}

function unavailable(): never {
  return refuse('unavailable', 'The database does not respond. Retry in a moment.', { part: 'database' });
}

function recordRequest(request: IncomingMessage, jobs: readonly MockJob[]): RecordedRequest {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://mock');
  const [, api, version, collection, id = '', action = '', more = ''] = pathname.split('/');
  const method = request.method ?? '';
  const route = `${method} ${collection} ${id === 'claim' ? id : ''}${action}`;
  const isKnown = api === 'api' && version === 'v1' && !more;
  const attempt = request.headers['x-job-attempt'];
  return {
    at: performance.now(),
    operation: (isKnown && ROUTES[route]) || 'other',
    request: `${method} ${pathname}`,
    job: jobs.find((job) => [job.state._id, job.versionId, `art_${job.state._id}`].includes(id)) ?? null,
    attempt: typeof attempt === 'string' && /^\d+$/.test(attempt) ? Number(attempt) : null,
    headers: request.headers,
    body: {},
    kind: searchParams.get('kind'),
    status: 0,
    code: null,
  };
}

const ROUTES: Record<string, Operation> = {
  'POST jobs claim': 'claim',
  'GET jobs context': 'context',
  'POST jobs heartbeat': 'heartbeat',
  'POST jobs complete': 'complete',
  'POST jobs fail': 'fail',
  'POST jobs give-back': 'give-back',
  'GET artifacts file': 'download',
  'POST versions artifacts': 'upload',
};

function send(
  entry: RecordedRequest,
  response: ServerResponse,
  status: number,
  body: object | null,
  headers: Record<string, string> = {},
): void {
  entry.status = status;
  const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
  response
    .writeHead(status, { ...(body ? { 'content-type': type } : {}), ...headers })
    .end(body ? JSON.stringify(body) : undefined);
}

function sendError(entry: RecordedRequest, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const { code, message, details } =
    error instanceof DomainError ? error : new DomainError('validation_failed', errorMessage(error));
  const instance = entry.request.split(' ')[1];
  const body = createProblem(code, message, { instance, requestId: 'mock' }, details);
  entry.code = code;
  request.resume();
  send(entry, response, body.status, body);
}

const CHUNKS = 50;

/** Sends the input of a job, in 50 delayed chunks if the download is to be slow. */
async function sendInput(
  entry: RecordedRequest,
  { input: { content, contentType }, faults, sha256 }: MockJob,
  response: ServerResponse,
): Promise<void> {
  entry.status = 200;
  const bytes = faults.corruptInput ? Buffer.concat([content.subarray(0, -1), Buffer.from('~')]) : content;
  response.writeHead(200, { 'content-type': contentType, 'content-length': bytes.length, etag: `"${sha256}"` });
  const chunkSize = faults.downloadSeconds ? Math.ceil(bytes.length / CHUNKS) : bytes.length;
  for (let from = 0; from < bytes.length && !response.destroyed; from += chunkSize) {
    if (faults.downloadSeconds) await sleep((faults.downloadSeconds * 1000) / CHUNKS);
    response.write(bytes.subarray(from, from + chunkSize));
  }
  response.end();
}
