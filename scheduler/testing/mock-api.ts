// For tests: an HTTP service with the worker routes that serves queued jobs and records the requests.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type MockJob = {
  id: string;
  source: string;
  attempt: number;
  status: string;
  failedAttempts: number;
  error?: { code: string; final?: boolean; retryable?: boolean };
};
export type RecordedRequest = {
  jobId: string;
  action: string;
  body: Record<string, unknown>;
  headers: IncomingMessage['headers'];
};
export type Upload = { jobId: string; kind: string; content: string; headers: IncomingMessage['headers'] };

export type MockApi = {
  url: string;
  jobs: MockJob[];
  requests: RecordedRequest[];
  uploads: Upload[];
  /** Queues a convert job for a source. */
  queue(source: string): MockJob;
  /** Makes downloads return bytes that differ from the source. */
  corruptDownloads(): void;
  /** Resolves when the API has received a request for this action of a job. */
  waitForRequest(job: MockJob, action: string): Promise<void>;
  /** Sets a function that may replace the response of the route with an error, or close the connection. */
  intercept(rule: (action: string, job: MockJob) => { status: number; code: string } | 'close' | null): void;
  requestCancel(job: MockJob): void;
  /** Resolves to the status of the job as soon as it is one of these. */
  waitForStatus(job: MockJob, ...statuses: string[]): Promise<string>;
  close(): Promise<void>;
};

/** Starts the API on a free loopback port. */
export async function startMockApi({ leaseSeconds = 30, heartbeatSeconds = 10 } = {}): Promise<MockApi> {
  const jobs: MockJob[] = [];
  const requests: RecordedRequest[] = [];
  const uploads: Upload[] = [];
  const cancelled = new Set<MockJob>();
  const changes = new EventTarget();
  let corrupt = false;
  let rule: Parameters<MockApi['intercept']>[0] = () => null;
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const notifyChange = () => changes.dispatchEvent(new Event('change'));
  const waitUntil = async <T>(find: () => T | null | undefined, signal?: AbortSignal): Promise<T | null> => {
    for (;;) {
      const value = find();
      if (value) return value;
      if (signal?.aborted) return null;
      await Promise.race([once(changes, 'change'), ...(signal ? [once(signal, 'abort').catch(() => null)] : [])]);
    }
  };

  async function claim(response: ServerResponse, body: Record<string, unknown>): Promise<void> {
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const timeout = AbortSignal.any([disconnected.signal, AbortSignal.timeout(Number(body.waitSeconds) * 1000)]);
    const job = await waitUntil(() => jobs.find(({ status }) => status === 'waiting'), timeout);
    if (!job || disconnected.signal.aborted) return respond(response, 204);
    Object.assign(job, { status: 'running', attempt: job.attempt + 1 });
    notifyChange();
    return respond(response, 200, { ...jobBody(job), leaseSeconds, heartbeatSeconds });
  }

  const jobBody = ({ id, attempt, status, source }: MockJob) => ({
    id,
    attempt,
    status,
    versionId: `ver_${id}`,
    documentId: 'doc_1',
    type: 'convert',
    inputSha256: hash(source),
    format: null,
    queuedAt: new Date().toISOString(),
  });

  const actions: Record<string, (job: MockJob, body: Record<string, unknown>) => object> = {
    context: (job) => ({
      document: { number: 'PRT-000001', name: 'Bracket', kind: 'model' },
      files: [
        {
          id: `art_${job.id}`,
          kind: 'source',
          fileName: 'Träger.step',
          contentType: 'model/step',
          size: job.source.length,
          sha256: hash(job.source),
          url: `/api/v1/artifacts/${job.id}/file`,
        },
      ],
      params: null,
    }),
    heartbeat: (job) => ({
      leaseExpiresAt: new Date(Date.now() + leaseSeconds * 1000),
      cancelRequested: cancelled.has(job),
    }),
    complete: (job) => Object.assign(job, { status: 'done' }),
    fail: (job, { error, final, retryable }) =>
      Object.assign(job, {
        error: { ...(error as object), final, retryable },
        status: statusAfterFailure(job, retryable === true),
      }),
    'give-back': (job) => Object.assign(job, { status: 'given back' }),
  };
  function statusAfterFailure(job: MockJob, retryable: boolean): string {
    if (cancelled.has(job)) return 'cancelled';
    job.failedAttempts += retryable ? 1 : 0;
    return retryable && job.failedAttempts < 3 ? 'waiting' : 'failed';
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api');
    const [, , , collection, id = '', subresource = ''] = pathname.split('/');
    const content = await textOf(request);
    const body = request.headers['content-type'] === 'application/json' && content ? JSON.parse(content) : {};
    if (request.headers.authorization !== 'Bearer test-token')
      return respond(response, 401, { code: 'unauthenticated' });
    if (id === 'claim') return claim(response, body);
    const job = jobs.find((candidate) => candidate.id === id.replace(/^ver_/, ''));
    if (!job) return respond(response, 404, { code: 'not_found' });
    const name = { artifacts: 'download', versions: 'upload' }[collection ?? ''] ?? subresource;
    const replacement = rule(name, job);
    if (replacement === 'close') return void request.socket.destroy();
    requests.push({ jobId: job.id, action: name, body, headers: request.headers });
    notifyChange();
    if (replacement) return respond(response, replacement.status, { code: replacement.code, title: replacement.code });
    if (name === 'download') return void response.end(corrupt ? `${job.source}.` : job.source);
    if (name !== 'upload') respond(response, 200, actions[name]?.(job, body));
    else {
      uploads.push({ jobId: job.id, kind: String(searchParams.get('kind')), content, headers: request.headers });
      respond(response, 201, { id: 'art_1' });
    }
    notifyChange();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    jobs,
    requests,
    uploads,
    queue: (source) => {
      const job: MockJob = { id: `job_${jobs.length + 1}`, source, attempt: 0, status: 'waiting', failedAttempts: 0 };
      jobs.push(job);
      notifyChange();
      return job;
    },
    intercept: (next) => {
      rule = next;
    },
    corruptDownloads: () => {
      corrupt = true;
    },
    waitForRequest: async (job, action) =>
      void (await waitUntil(() => requests.find((entry) => entry.jobId === job.id && entry.action === action))),
    requestCancel: (job) => void cancelled.add(job),
    waitForStatus: async (job, ...statuses) =>
      (await waitUntil(() => statuses.find((status) => status === job.status))) ?? job.status,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function respond(response: ServerResponse, status: number, body?: object): void {
  response
    .writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' })
    .end(body && JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
