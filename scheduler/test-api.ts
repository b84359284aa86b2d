// For tests: the worker routes as a small HTTP service that plays a script of jobs and remembers what it was told.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TestJob = {
  id: string;
  source: string;
  attempt: number;
  status: string;
  lost: number;
  error?: { code: string; final?: boolean; again?: boolean };
};
export type Told = { jobId: string; deed: string; body: Record<string, unknown>; headers: IncomingMessage['headers'] };
export type Upload = { jobId: string; kind: string; content: string; headers: IncomingMessage['headers'] };

export type TestApi = {
  url: string;
  jobs: TestJob[];
  told: Told[];
  uploads: Upload[];
  /** Queues a convert job for a source. */
  queue(source: string): TestJob;
  /** Sends other bytes than the source from now on. */
  corruptDownloads(): void;
  /** Resolves when a deed has been told about a job. */
  hears(job: TestJob, deed: string): Promise<void>;
  /** Answers instead of the route when it returns a status and a code. */
  refuse(rule: (deed: string, job: TestJob) => { status: number; code: string } | 'hang up' | null): void;
  askToCancel(job: TestJob): void;
  /** The job's status, once it is one of these. */
  reaches(job: TestJob, ...statuses: string[]): Promise<string>;
  close(): Promise<void>;
};

/** Starts it on a free port of loopback. */
export async function testApi({ leaseSeconds = 30, heartbeatSeconds = 10 } = {}): Promise<TestApi> {
  const jobs: TestJob[] = [];
  const told: Told[] = [];
  const uploads: Upload[] = [];
  const cancelled = new Set<TestJob>();
  const changes = new EventTarget();
  let corrupt = false;
  let rule: Parameters<TestApi['refuse']>[0] = () => null;
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const changed = () => changes.dispatchEvent(new Event('change'));
  const waitUntil = async <T>(found: () => T | null | undefined, signal?: AbortSignal): Promise<T | null> => {
    for (;;) {
      const value = found();
      if (value) return value;
      if (signal?.aborted) return null;
      await Promise.race([once(changes, 'change'), ...(signal ? [once(signal, 'abort').catch(() => null)] : [])]);
    }
  };

  async function claim(response: ServerResponse, body: Record<string, unknown>): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const patience = AbortSignal.any([gone.signal, AbortSignal.timeout(Number(body.waitSeconds) * 1000)]);
    const job = await waitUntil(() => jobs.find(({ status }) => status === 'waiting'), patience);
    if (!job || gone.signal.aborted) return answer(response, 204);
    Object.assign(job, { status: 'running', attempt: job.attempt + 1 });
    changed();
    return answer(response, 200, { ...shown(job), leaseSeconds, heartbeatSeconds });
  }

  const shown = ({ id, attempt, status, source }: TestJob) => ({
    ...{ id, attempt, status, versionId: `ver_${id}`, documentId: 'doc_1', type: 'convert' },
    ...{ inputSha256: hash(source), format: null, queuedAt: new Date().toISOString() },
  });

  const deeds: Record<string, (job: TestJob, body: Record<string, unknown>) => object> = {
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
    heartbeat: (job) => ({ leaseExpiresAt: new Date(Date.now() + leaseSeconds * 1000), cancel: cancelled.has(job) }),
    complete: (job) => Object.assign(job, { status: 'done' }),
    fail: (job, { error, final, again }) =>
      Object.assign(job, { error: { ...(error as object), final, again }, status: failedAs(job, again === true) }),
    'give-back': (job) => Object.assign(job, { status: 'given back' }),
  };
  function failedAs(job: TestJob, again: boolean): string {
    if (cancelled.has(job)) return 'cancelled';
    job.lost += again ? 1 : 0;
    return again && job.lost < 3 ? 'waiting' : 'failed';
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api');
    const [, , , collection, id = '', deed = ''] = pathname.split('/');
    const content = await textOf(request);
    const body = request.headers['content-type'] === 'application/json' && content ? JSON.parse(content) : {};
    if (request.headers.authorization !== 'Bearer test-token')
      return answer(response, 401, { code: 'unauthenticated' });
    if (id === 'claim') return claim(response, body);
    const job = jobs.find((candidate) => candidate.id === id.replace(/^ver_/, ''));
    if (!job) return answer(response, 404, { code: 'not_found' });
    const name = collection === 'artifacts' ? 'download' : collection === 'versions' ? 'upload' : deed;
    const refusal = rule(name, job);
    if (refusal === 'hang up') return void request.socket.destroy();
    told.push({ jobId: job.id, deed: name, body, headers: request.headers });
    changed();
    if (refusal) return answer(response, refusal.status, { code: refusal.code, title: refusal.code });
    if (name === 'download') return void response.end(corrupt ? `${job.source}.` : job.source);
    if (name !== 'upload') answer(response, 200, deeds[name]?.(job, body));
    else {
      uploads.push({ jobId: job.id, kind: String(searchParams.get('kind')), content, headers: request.headers });
      answer(response, 201, { id: 'art_1' });
    }
    changed();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    jobs,
    told,
    uploads,
    queue: (source) => {
      const job: TestJob = { id: `job_${jobs.length + 1}`, source, attempt: 0, status: 'waiting', lost: 0 };
      jobs.push(job);
      changed();
      return job;
    },
    refuse: (next) => {
      rule = next;
    },
    corruptDownloads: () => {
      corrupt = true;
    },
    hears: async (job, deed) =>
      void (await waitUntil(() => told.find((entry) => entry.jobId === job.id && entry.deed === deed))),
    askToCancel: (job) => void cancelled.add(job),
    reaches: async (job, ...statuses) =>
      (await waitUntil(() => statuses.find((status) => status === job.status))) ?? job.status,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answer(response: ServerResponse, status: number, body?: object): void {
  response
    .writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' })
    .end(body && JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
