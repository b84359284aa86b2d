// Concurrency limits: requests, uploads and streams of a token. The tests send requests that they do not finish.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let draft: string;
beforeAll(async () => {
  pdm = await startPdm({
    settings: {
      PDM_MAX_CONCURRENT_REQUESTS: '6',
      PDM_MAX_CONCURRENT_UPLOADS: '4',
      PDM_MAX_CONCURRENT_STREAMS: '8',
      PDM_ROLES: 'store,api',
    },
  });
  draft = (await pdm.admin.post('/documents', { name: 'A', kind: 'model' })).body.drafts[0].id;
});
afterAll(() => pdm.close());

type Reply = { status: number; headers: IncomingMessage['headers']; body: Buffer };
type OpenRequest = { request: ClientRequest; reply: Promise<Reply> };

/** Sends the headers of a request and the first byte of its body, and keeps the request open. */
function openRequest(token: string, path: string, body: string, headers: Record<string, string> = {}): OpenRequest {
  const request = httpRequest(`${pdm.url}/api/v1${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': `${body.length}`,
      ...headers,
    },
  });
  const reply = new Promise<Reply>((resolve, reject) => {
    request.once('error', reject).once('response', async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) });
    });
  });
  request.write(body.slice(0, 1));
  return { request, reply };
}

const finish = ({ request, reply }: OpenRequest, body: string): Promise<Reply> => {
  request.end(body.slice(1));
  return reply;
};

/** Returns the number of requests in flight that the metrics report, without the metrics request itself. */
async function requestsInFlight(): Promise<number> {
  const metrics = (await pdm.viewer.get('/../../metrics')).bytes.toString();
  return Number(/^pdm_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]) - 1;
}

async function waitForInFlight(count: number): Promise<void> {
  await expect.poll(requestsInFlight, { timeout: 20_000 }).toBe(count);
}

const FOLDERS = Array.from({ length: 6 }, (_, n) => JSON.stringify({ name: `Folder ${n}` }));

test('rejects the seventh concurrent request of a token, but not other tokens, health checks and uploads', async () => {
  const open = FOLDERS.map((body) => openRequest(pdm.tokens.editor, '/folders', body));
  await waitForInFlight(6);
  const rejected = await pdm.editor.get('/me');
  expect([rejected.status, rejected.headers.get('retry-after'), rejected.body]).toEqual([
    429,
    '1',
    expect.objectContaining({ code: 'rate_limited', limit: 'requests', allowed: 6, retryAfter: 1 }),
  ]);
  const graphqlResponse = await pdm.editor.graphql('{ me { name } }');
  expect([
    graphqlResponse.status,
    graphqlResponse.headers.get('retry-after'),
    graphqlResponse.body.errors[0].extensions.code,
  ]).toEqual([429, '1', 'rate_limited']);
  expect((await pdm.anonymous.get('/health')).status).toBe(200);
  expect((await pdm.viewer.get('/me')).status).toBe(200);
  expect((await pdm.editor.upload(draft, 'attachment.a', 'a')).status).toBe(201);
  expect((await pdm.worker.post('/jobs/claim', { workerId: 'w' })).status).toBe(204);

  const responses = await Promise.all(open.map((one, n) => finish(one, FOLDERS[n] ?? '')));
  expect(responses.map(({ status }) => status)).toEqual(FOLDERS.map(() => 201));
  await waitForInFlight(0);
  expect((await pdm.editor.get('/me')).status).toBe(200);
});

test('stops counting the requests of a client that disconnects', async () => {
  const open = FOLDERS.map((body) => openRequest(pdm.tokens.editor, '/folders', body));
  await waitForInFlight(6);
  for (const { request, reply } of open) {
    reply.catch(() => undefined);
    request.destroy();
  }
  await waitForInFlight(0);
  expect((await pdm.editor.get('/me')).status).toBe(200);
});

test('rejects the fifth concurrent upload of a token before reading its body', async () => {
  const upload = (token: string, n: number) =>
    openRequest(token, `/versions/${draft}/artifacts?kind=attachment.${n}`, 'content', {
      'content-type': 'application/octet-stream',
    });
  const open = [1, 2, 3, 4].map((n) => upload(pdm.tokens.editor, n));
  await waitForInFlight(4);
  const fifth = await upload(pdm.tokens.editor, 5).reply;
  expect([fifth.status, fifth.headers['retry-after'], JSON.parse(fifth.body.toString())]).toEqual([
    429,
    '5',
    expect.objectContaining({ code: 'rate_limited', limit: 'uploads', allowed: 4 }),
  ]);
  expect((await finish(upload(pdm.tokens.admin, 5), 'content')).status).toBe(201);
  const stored = await Promise.all(open.map((one) => finish(one, 'content')));
  expect(stored.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  await waitForInFlight(0);
  expect((await finish(upload(pdm.tokens.editor, 6), 'content')).status).toBe(201);
});

test('rejects the ninth concurrent stream or long poll of a token, but not the claims of workers', async () => {
  const controller = new AbortController();
  const stream = () =>
    fetch(`${pdm.url}/api/v1/events/stream`, {
      headers: { authorization: `Bearer ${pdm.tokens.admin}` },
      signal: controller.signal,
    });
  const open = await Promise.all(Array.from({ length: 8 }, stream));
  expect(open.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const ninth = await stream();
  expect([ninth.status, ninth.headers.get('retry-after'), (await ninth.json()).limit]).toEqual([
    429,
    '5',
    'streams and long polls',
  ]);
  expect((await pdm.admin.post('/jobs/claim', { workerId: 'a' })).body.code).toBe('rate_limited');
  const waiting = await pdm.admin.graphql('{ auditVerification(waitSeconds: 1) { verdict } }');
  expect([waiting.status, waiting.headers.get('retry-after'), waiting.body.errors[0].extensions.code]).toEqual([
    429,
    '5',
    'rate_limited',
  ]);
  expect((await pdm.admin.graphql('{ me { name } }')).status).toBe(200);

  const slots = await Promise.all(
    Array.from({ length: 20 }, (_, n) => pdm.worker.post('/jobs/claim', { workerId: `w${n}`, waitSeconds: 1 })),
  );
  expect(slots.map(({ status }) => status)).toEqual(Array(20).fill(204));
  controller.abort();
  await waitForInFlight(0);
  expect(
    (await pdm.admin.graphql('{ auditVerification(waitSeconds: 1) { verdict } }')).body.data.auditVerification.verdict,
  ).toBe('intact');
  expect((await pdm.admin.post('/jobs/claim', { workerId: 'a' })).status).toBe(204);
});
