// Latency of a well-behaved client next to clients that try to starve it: 270 connections whose bodies do not arrive,
// 270 that send a body byte by byte with another token, 270 that do not read a download, 100 that send as many requests as
// they can, and 50 that send wrong tokens. The service and the attackers run in threads of their own. Each attack
// alternates with quiet phases; ratios are medians over the rounds. Run: `npm run bench starvation`. Targets: ≥ 99 %
// success, p95 ≤ 3 times that of the quiet phase.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { generateToken } from '../subgraphs/core/domain/access/token.ts';
import { type Attack, createAttack, requestHead } from '../test/support/attack.ts';
import { client } from '../test/support/client.ts';
import { type Pdm, startPdm } from '../test/support/pdm.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const REQUESTS = 100;

type Service = Pick<Pdm, 'url' | 'tokens'> & { draftId: string };
type Phase = { p95: number; succeeded: number };
/** Starts an attack; returns a function that ends it. */
type Start = (service: Service) => () => Promise<void>;

const SLOW_POST = { 'Content-Type': 'application/json', 'Content-Length': '1000000' };
const ATTACKS: Record<string, Start> = {
  'anonymous requests whose bodies do not arrive': ({ url }) =>
    connections(url, requestHead('POST', '/api/v1/documents', { 'Content-Length': '1000' })),
  'bodies sent byte by byte': ({ url, tokens }) =>
    connections(
      url,
      requestHead('POST', '/api/v1/documents', { ...SLOW_POST, Authorization: `Bearer ${tokens.viewer}` }),
      { piece: ' ' },
    ),
  'downloads that are not read': ({ url, tokens, draftId }) => {
    const path = `/api/v1/versions/${draftId}/artifacts/attachment.large/file`;
    return connections(url, requestHead('GET', path, { Authorization: `Bearer ${tokens.viewer}` }), { isDeaf: true });
  },
  'as many requests as possible': ({ url, tokens }) => flood(100, () => api(url, tokens.viewer).get('/documents')),
  'wrong tokens': ({ url }) => flood(50, () => api(url, generateToken()).get('/me')),
};

const api = (url: string, token: string) => client(`${url}/api/v1`, token);

if (isMainThread) await measure();
else if (workerData) await attack(workerData);
else await serve();

/** Attacks until the main thread sends a message; messages when the attack has started. */
async function attack({ name, service }: { name: string; service: Service }): Promise<void> {
  const stop = ATTACKS[name]!(service);
  parentPort?.postMessage('started');
  await once(parentPort!, 'message');
  await stop();
  parentPort?.close();
}

async function serve(): Promise<void> {
  const pdm = await startPdm({ settings: { PDM_MAX_QUEUE_MS: '500', PDM_MAX_CONCURRENT_REQUESTS: '256' } });
  const draftId = (await pdm.admin.post('/documents', { name: 'A', kind: 'model' })).body.drafts[0].id;
  await pdm.admin.upload(draftId, 'attachment.large', 'x'.repeat(8 * 1024 * 1024));
  parentPort?.postMessage({ url: pdm.url, tokens: pdm.tokens, draftId } satisfies Service);
  await once(parentPort!, 'message');
  await pdm.close();
  parentPort?.close();
}

async function measure(): Promise<void> {
  const server = new Worker(new URL(import.meta.url));
  const [service]: Service[] = await once(server, 'message');
  if (!service) throw new Error('the service did not start');
  await runPhase(service);
  for (const name of Object.keys(ATTACKS)) {
    const rounds: { quiet: Phase; attacked: Phase }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const quiet = await runPhase(service);
      const attacker = new Worker(new URL(import.meta.url), { workerData: { name, service } });
      await once(attacker, 'message');
      const attacked = await runPhase(service);
      attacker.postMessage('stop');
      await once(attacker, 'exit');
      rounds.push({ quiet, attacked });
    }
    const ratio = median(rounds.map(({ quiet, attacked }) => attacked.p95 / quiet.p95));
    const p95 = (of: 'quiet' | 'attacked') => median(rounds.map((round) => round[of].p95)).toFixed(0);
    const succeeded = rounds.reduce((sum, { attacked }) => sum + attacked.succeeded, 0) / (ROUNDS * REQUESTS);
    const missed = ratio > 3 || succeeded < 0.99 ? ': MISSED' : '';
    console.log(
      `${name}: p95 ${p95('quiet')} ms quiet, ${p95('attacked')} ms attacked, ratio ${ratio.toFixed(2)}; ${(100 * succeeded).toFixed(1)} % success${missed}`,
    );
  }
  server.postMessage('end');
  await once(server, 'exit');
}

/** Sends reads, and a write after every third, one after the other. */
async function runPhase({ url, tokens }: Service): Promise<Phase> {
  const honest = api(url, tokens.editor);
  const times: number[] = [];
  let succeeded = 0;
  for (let n = 0; n < REQUESTS; n++) {
    const start = performance.now();
    const body = { name: `Part ${n}`, kind: 'model' };
    const { status } = await (n % 4 ? honest.get('/documents') : honest.post('/documents', body));
    times.push(performance.now() - start);
    if (status < 300) succeeded += 1;
  }
  return { p95: times.sort((a, b) => a - b)[Math.floor(0.95 * REQUESTS)] ?? Number.NaN, succeeded };
}

function connections(url: string, head: string, options: Parameters<Attack['open']>[2] = {}): () => Promise<void> {
  const attack = createAttack(url);
  attack.open(270, head, options);
  return async () => attack.stop();
}

function flood(count: number, send: () => Promise<unknown>): () => Promise<void> {
  let isStopped = false;
  const clients = Array.from({ length: count }, async () => {
    while (!isStopped) await send();
  });
  return async () => {
    isStopped = true;
    await Promise.all(clients);
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}
