// How much goes on at once: requests in all, uploads and streams of a token. What goes on is held open here by clients that do not finish.
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

type Told = { status: number; headers: IncomingMessage['headers']; body: Buffer };
type Held = { asked: ClientRequest; answer: Promise<Told> };

/** Sends the head of a request and the beginning of its body, and no more until it is told to. */
function hold(token: string, path: string, body: string, headers: Record<string, string> = {}): Held {
  const asked = httpRequest(`${pdm.url}/api/v1${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': `${body.length}`,
      ...headers,
    },
  });
  const answer = new Promise<Told>((resolve, reject) => {
    asked.once('error', reject).once('response', async (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) });
    });
  });
  asked.write(body.slice(0, 1));
  return { asked, answer };
}

const finish = ({ asked, answer }: Held, body: string): Promise<Told> => {
  asked.end(body.slice(1));
  return answer;
};

/** How many requests the service says are under way, but for the one that asks. */
async function underWay(): Promise<number> {
  const metrics = (await pdm.viewer.get('/../../metrics')).bytes.toString();
  return Number(/^pdm_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]) - 1;
}

async function until(count: number): Promise<void> {
  await expect.poll(underWay, { timeout: 20_000 }).toBe(count);
}

const FOLDERS = Array.from({ length: 6 }, (_, n) => JSON.stringify({ name: `Folder ${n}` }));

test('beyond what it works on at once the service answers 503 at once, and says when to come again; uploads, streams and the health have places of their own', async () => {
  const held = FOLDERS.map((body) => hold(pdm.tokens.editor, '/folders', body));
  await until(6);
  const refused = await pdm.viewer.get('/me');
  expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
    503,
    '1',
    expect.objectContaining({ code: 'unavailable', part: 'api', retryAfter: 1 }),
  ]);
  const graph = await pdm.viewer.graphql('{ me { name } }');
  expect([graph.status, graph.headers.get('retry-after'), graph.body.errors[0].extensions.code]).toEqual([
    503,
    '1',
    'unavailable',
  ]);
  expect((await pdm.anonymous.get('/health')).status).toBe(200);
  expect((await pdm.editor.upload(draft, 'attachment.a', 'a')).status).toBe(201);
  expect((await pdm.worker.post('/jobs/claim', { workerId: 'w' })).status).toBe(204);

  const answers = await Promise.all(held.map((one, n) => finish(one, FOLDERS[n] ?? '')));
  expect(answers.map(({ status }) => status)).toEqual(FOLDERS.map(() => 201));
  await until(0);
  expect((await pdm.viewer.get('/me')).status).toBe(200);
});

test('a client that leaves gives its place back', async () => {
  const held = FOLDERS.map((body) => hold(pdm.tokens.editor, '/folders', body));
  await until(6);
  for (const { asked, answer } of held) {
    answer.catch(() => undefined);
    asked.destroy();
  }
  await until(0);
  expect((await pdm.viewer.get('/me')).status).toBe(200);
});

test('a token has four uploads at once; the fifth is refused before its body is read, those of another token are not', async () => {
  const upload = (token: string, n: number) =>
    hold(token, `/versions/${draft}/artifacts?kind=attachment.${n}`, 'content', {
      'content-type': 'application/octet-stream',
    });
  const held = [1, 2, 3, 4].map((n) => upload(pdm.tokens.editor, n));
  await until(4);
  const fifth = await upload(pdm.tokens.editor, 5).answer;
  expect([fifth.status, fifth.headers['retry-after'], JSON.parse(fifth.body.toString())]).toEqual([
    429,
    '5',
    expect.objectContaining({ code: 'rate_limited', limit: 'uploads', allowed: 4 }),
  ]);
  expect((await finish(upload(pdm.tokens.admin, 5), 'content')).status).toBe(201);
  const stored = await Promise.all(held.map((one) => finish(one, 'content')));
  expect(stored.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  await until(0);
  expect((await finish(upload(pdm.tokens.editor, 6), 'content')).status).toBe(201);
});

test('a token has eight streams and long polls at once, in both faces; a worker waits with every slot', async () => {
  const leaving = new AbortController();
  const stream = () =>
    fetch(`${pdm.url}/api/v1/events/stream`, {
      headers: { authorization: `Bearer ${pdm.tokens.admin}` },
      signal: leaving.signal,
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
  leaving.abort();
  await until(0);
  expect(
    (await pdm.admin.graphql('{ auditVerification(waitSeconds: 1) { verdict } }')).body.data.auditVerification.verdict,
  ).toBe('intact');
  expect((await pdm.admin.post('/jobs/claim', { workerId: 'a' })).status).toBe(204);
});
