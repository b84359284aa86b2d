// The worker routes as a small HTTP service that plays scenes with one worker and remembers what it was told. Its rules are the service's own.
import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problem } from '../../http/response/problem.ts';
import { DomainError, refuse } from '../../subgraphs/core/domain/errors.ts';
import { artifactResponse, contextResponse, readJsonBody, parseResultHeaders, validateBody } from './mock-protocol.ts';
import {
  recordHeartbeat,
  endAttempt,
  reassignToOtherWorker,
  assignToWorker,
  type JobInput,
  appendLog,
  type MockJob,
  createMockJob,
  type Faults,
  jobResponse,
  expireLease,
  WORKER,
} from './mock-job.ts';

export type Operation =
  | 'claim'
  | 'context'
  | 'heartbeat'
  | 'complete'
  | 'fail'
  | 'give-back'
  | 'download'
  | 'upload'
  | 'other';
/** One request of the worker: when it came (milliseconds of a monotonic clock), what it said, and the status it was answered; 0 is none. */
export type RecordedRequest = {
  at: number;
  operation: Operation;
  request: string;
  job: MockJob | null;
  attempt: unknown;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  kind: string | null;
  status: number;
  code: string | null;
};

export type MockService = {
  /** http://127.0.0.1:<port> */
  url: string;
  token: string;
  requests: RecordedRequest[];
  leaseSeconds: number;
  heartbeatSeconds: number;
  queue(quirks?: Faults, content?: Buffer): MockJob;
  /** Nobody gets it any more. */
  withdraw(job: MockJob): void;
  /** Answers the claims that wait, or else the next one, with 503; resolves at once. */
  refuseClaims(): void;
  /** Whether it becomes true within that time. */
  waitUntil(found: () => boolean, seconds: number): Promise<boolean>;
  close(): Promise<void>;
};

type Options = {
  host?: string;
  port?: number;
  leaseSeconds: number;
  type: MockJob['state']['type'];
  source: JobInput;
};
type Waiting = { types: string[] | null; workerId: string; give(job: MockJob | null | 'refused'): void };

const LONGEST_WAIT = 50;
const LOOK_MILLISECONDS = 200;

/** Starts it, on a free port of loopback unless told otherwise. */
export async function startMockService({
  host = '127.0.0.1',
  port = 0,
  leaseSeconds,
  type,
  source,
}: Options): Promise<MockService> {
  const token = `pdm_${randomBytes(4).toString('hex')}_${randomBytes(19).toString('hex')}`;
  const heartbeatSeconds = Math.max(1, Math.floor(leaseSeconds / 3));
  const journal: RecordedRequest[] = [];
  const jobs: MockJob[] = [];
  const queued: MockJob[] = [];
  const waiting = new Set<Waiting>();
  const changes = new EventEmitter().setMaxListeners(0);
  let refusing = false;
  const changed = () => changes.emit('change');

  function offer(): void {
    for (const claim of waiting) {
      const job = queued.find(({ state }) => !claim.types || claim.types.includes(state.type));
      if (!job) continue;
      queued.splice(queued.indexOf(job), 1);
      assignToWorker(job, claim.workerId, leaseSeconds);
      claim.give(job);
    }
  }

  async function claimFrom(response: ServerResponse, body: Record<string, unknown>): Promise<MockJob | null> {
    const {
      workerId,
      types,
      waitSeconds = 0,
    } = body as { workerId: string; types?: string[] | null; waitSeconds?: number | null };
    if (Number(waitSeconds) < 0 || Number(waitSeconds) > LONGEST_WAIT)
      refuse('validation_failed', `waitSeconds must be from 0 to ${LONGEST_WAIT}.`);
    if (refusing) {
      refusing = false;
      refuse('unavailable', 'The database does not answer. Try again in a moment.', { part: 'database' });
    }
    const { promise, resolve: give } = Promise.withResolvers<MockJob | null | 'refused'>();
    const claim: Waiting = { types: types ?? null, workerId, give };
    const patience = setTimeout(() => give(null), Number(waitSeconds) * 1000);
    response.once('close', () => give(null));
    waiting.add(claim);
    offer();
    const job = await promise;
    clearTimeout(patience);
    waiting.delete(claim);
    if (job === 'refused')
      return refuse('unavailable', 'The database does not answer. Try again in a moment.', { part: 'database' });
    return job;
  }

  async function answered(entry: RecordedRequest, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== `Bearer ${token}`)
      refuse('unauthenticated', 'The token is unknown, expired or revoked.');
    const { operation, job } = entry;
    if (operation === 'other') refuse('not_found', `There is nothing at ${entry.request}.`);
    if (operation === 'claim') {
      entry.body = validateBody('claim', await readJsonBody(request));
      const claimed = await claimFrom(response, entry.body);
      if (claimed) entry.job = claimed;
      return send(
        entry,
        response,
        claimed ? 200 : 204,
        claimed ? { ...jobResponse(claimed), leaseSeconds, heartbeatSeconds } : null,
      );
    }
    if (!job) return refuse('not_found', `There is nothing at ${entry.request}.`);
    if (operation === 'context') return send(entry, response, 200, contextResponse(job));
    if (operation === 'download') return drip(entry, job, response);
    if (operation === 'upload') {
      const made = parseResultHeaders(entry, job, { ...WORKER, attempt: entry.attempt as number | null });
      let size = 0;
      for await (const chunk of request) size += chunk.length;
      return send(entry, response, 201, artifactResponse(job, made, size), {
        location: `/api/v1/artifacts/${job.versionId}`,
      });
    }
    entry.body = validateBody(operation, await readJsonBody(request));
    entry.attempt = entry.body.attempt ?? entry.attempt;
    const by = { ...WORKER, attempt: entry.attempt as number | null, workerId: entry.body.workerId as string | null };
    const { percent, step } = entry.body as { percent?: number; step?: string };
    if (operation === 'heartbeat') {
      job.heartbeats += 1;
      if (job.heartbeats === job.faults.failHeartbeat)
        refuse('unavailable', 'The database does not answer. Try again in a moment.', { part: 'database' });
      if (job.faults.loseLease && job.heartbeats === 1) reassignToOtherWorker(job, 3600);
      const progress = percent == null && !step ? null : { percent: percent ?? 0, step: step ?? '' };
      const told = recordHeartbeat(job, by, progress, leaseSeconds);
      appendLog(job, (entry.body.log as string[] | null) ?? []);
      return send(entry, response, 200, told);
    }
    endAttempt(job, by, operation, entry.body as Parameters<typeof endAttempt>[3]);
    if (job.faults.dropConnection && operation !== 'give-back') {
      job.faults.dropConnection = false;
      changed();
      request.socket.destroy();
      return;
    }
    return send(entry, response, 200, jobResponse(job));
  }

  const server = createServer(async (request, response) => {
    const entry = entryOf(request, jobs);
    journal.push(entry);
    changed();
    response.on('error', () => {});
    try {
      await answered(entry, request, response);
    } catch (error) {
      if (response.headersSent || response.destroyed) return;
      const known =
        error instanceof DomainError
          ? error
          : new DomainError('validation_failed', error instanceof Error ? error.message : String(error));
      const shownAs = problem(
        known.code,
        known.message,
        { instance: entry.request.split(' ')[1], requestId: 'played' },
        known.details,
      );
      entry.code = known.code;
      request.resume();
      send(entry, response, shownAs.status, shownAs);
    } finally {
      changed();
    }
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const address = server.address() as AddressInfo;

  return {
    ...{
      url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
      token,
      requests,
      leaseSeconds,
      heartbeatSeconds,
    },
    queue: (quirks = {}, content = source.content) => {
      const job = createMockJob(type, { ...source, content }, quirks);
      jobs.push(job);
      queued.push(job);
      offer();
      return job;
    },
    withdraw: (job) => {
      if (queued.includes(job)) queued.splice(queued.indexOf(job), 1);
    },
    refuseClaims: () => {
      refusing = waiting.size === 0;
      for (const { give } of waiting) give('refused');
    },
    waitUntil: (found, seconds) =>
      new Promise((resolve) => {
        const look = () => {
          for (const job of jobs) expireLease(job);
          if (found()) done(true);
        };
        const done = (answer: boolean) => {
          clearTimeout(patience);
          clearInterval(looking);
          changes.off('change', look);
          resolve(answer);
        };
        const patience = setTimeout(() => done(found()), seconds * 1000);
        const looking = setInterval(look, LOOK_MILLISECONDS);
        changes.on('change', look);
        look();
      }),
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function entryOf(request: IncomingMessage, jobs: readonly MockJob[]): RecordedRequest {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://played');
  const [, api, version, collection, id = '', deed = '', more = ''] = pathname.split('/');
  const method = request.method ?? '';
  const route = api === 'api' && version === 'v1' ? `${method} ${collection} ${id === 'claim' ? id : ''}${deed}` : '';
  const header = request.headers['x-job-attempt'];
  const attempt = typeof header === 'string' && /^\d+$/.test(header) ? Number(header) : null;
  return {
    ...{
      at: performance.now(),
      request: `${method} ${pathname}`,
      headers: request.headers,
      body: {},
      status: 0,
      code: null,
    },
    operation: more ? 'other' : (ROUTES[route] ?? 'other'),
    job: jobs.find((job) => [job.state._id, job.versionId, `art_${job.state._id}`].includes(id)) ?? null,
    attempt,
    kind: searchParams.get('kind'),
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

/** Sends the input, in fifty pieces when it is to take its time. */
async function drip(
  entry: RecordedRequest,
  { input: { content, contentType }, faults, sha256 }: MockJob,
  response: ServerResponse,
): Promise<void> {
  entry.status = 200;
  const bytes = faults.corruptInput ? Buffer.concat([content.subarray(0, -1), Buffer.from('~')]) : content;
  response.writeHead(200, { 'content-type': contentType, 'content-length': bytes.length, etag: `"${sha256}"` });
  const piece = Math.ceil(bytes.length / PIECES);
  for (let from = 0; from < bytes.length && !response.destroyed; from += faults.downloadSeconds ? piece : bytes.length) {
    if (faults.downloadSeconds)
      await new Promise((resolve) => setTimeout(resolve, ((faults.downloadSeconds ?? 0) * 1000) / PIECES));
    response.write(bytes.subarray(from, faults.downloadSeconds ? from + piece : bytes.length));
  }
  response.end();
}

const PIECES = 50;
