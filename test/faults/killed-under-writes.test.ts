// Kills the service and the store while 32 clients write. PDM_TEST_WRITE_KILLS sets the number of rounds.
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { type Answer, type Client, client } from '../support/client.ts';
import { type Followed, follow } from '../support/event-stream.ts';
import { allOf, needs } from '../support/needs.ts';
import { receiver } from '../support/receiver.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { storePid } from '../support/store-process.ts';

const ROUNDS = Number(process.env.PDM_TEST_WRITE_KILLS ?? 6);
const CLIENTS = 32;
const WRITES_PER_ROUND = 150;
const DELIVERED_TYPES = ['folder.created', 'version.created'];
const SETTINGS = {
  PDM_ROLES: 'store,api,sweeps',
  PDM_NATS_SERVER_BIN: 'off',
  PDM_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1',
};
const embedded = allOf(needs('embedded store'), needs('Linux'));

type Write = 'rename' | 'document' | 'version' | 'folder' | 'sibling';
type Acknowledged = { write: Write; requestId: string; body: Answer['body'] };
/** One client with its document and folder, what was acknowledged, and the names it sent since the last acknowledged one. */
type Writer = {
  number: number;
  own: { document: string; workspace: string; folder: string } | null;
  acknowledged: Acknowledged[];
  name: string;
  sentNames: string[];
};

const dataDir = mkdtempSync(join(tmpdir(), 'pdm-kill-writes-'));
let running: ServiceProcess | null = null;
afterAll(async () => {
  await running?.end('SIGKILL all'); // if the test failed
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ServiceProcess> {
  running = await startProcess(dataDir, SETTINGS);
  return running;
}

test.skipIf(embedded.isMissing)(
  embedded.title(
    `keeps every acknowledged write of ${CLIENTS} clients, its events, log and seals when killed in ${ROUNDS} rounds`,
  ),
  { timeout: 120_000 + ROUNDS * 60_000 },
  async () => {
    const hook = await receiver();
    const writers: Writer[] = Array.from({ length: CLIENTS }, (_, number) => ({
      number,
      own: null,
      acknowledged: [],
      name: '',
      sentNames: [],
    }));
    const events: { seq: number; requestId: string }[] = [];
    const count = () => writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    const untilWritten = async (writes: number) => {
      const enough = count() + writes;
      await expect.poll(count, { timeout: 60_000, interval: 5 }).toBeGreaterThan(enough);
      await after(randomInt(0, 20)); // a random moment
    };
    let shared = '';
    for (let round = 0; round < ROUNDS; round++) {
      const service = await start();
      const api = client(`${service.url}/api/v1`, service.token());
      if (round === 0) {
        expect((await api.post('/webhooks', { url: hook.url, types: DELIVERED_TYPES })).status).toBe(201);
        shared = (await api.post('/folders', { name: 'Shared' })).body.id;
      }
      const following = followEvents(service, events);
      const writing = writers.map((writer) => writeUntilGone(api, writer, shared));
      await untilWritten(randomInt(20, WRITES_PER_ROUND));
      if (round % 3 === 2) {
        process.kill(storePid(dataDir), 'SIGKILL');
        await untilWritten(randomInt(20, WRITES_PER_ROUND)); // the service goes on with the restarted store
      }
      await service.end(round % 2 ? 'SIGKILL all' : 'SIGKILL');
      await Promise.all([...writing, following]);
    }

    const service = await start();
    const api = client(`${service.url}/api/v1`, service.token());
    const following = followEvents(service, events);
    const lost = (await Promise.all(writers.map((writer) => findLost(api, writer)))).flat();
    expect(lost).toEqual([]);
    expect(count()).toBeGreaterThan(20 * ROUNDS);
    const numbers = writers.map(({ acknowledged }) =>
      acknowledged.filter(({ write }) => write === 'document').map(({ body }) => body.number as string),
    );
    expect(new Set(numbers.flat()).size).toBe(numbers.flat().length);
    expect(numbers).toEqual(numbers.map((all) => all.toSorted()));

    const acknowledged = writers.flatMap((writer) => writer.acknowledged);
    const missing = (received: { requestId: string }[], writes: Acknowledged[]) => {
      const ids = new Set(received.map(({ requestId }) => requestId));
      return writes.filter(({ requestId }) => !ids.has(requestId)).length;
    };
    const patience = { timeout: 120_000, interval: 200 };
    await expect.poll(() => missing(events, acknowledged), patience).toBe(0);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
    const deliverable = acknowledged.filter(({ write }) => write !== 'document' && write !== 'rename');
    const delivered = () => hook.got.map(({ event }) => event.data as { seq: number; requestId: string });
    await expect.poll(() => missing(delivered(), deliverable), patience).toBe(0);
    expect(await service.end('SIGTERM')).toBe(0);
    await following;
    await hook.close();

    expect(await pdm('check', '--read-data', '--json')).toEqual({ ok: true, errors: [] });
    const verification = await pdm('audit', 'verify', '--json');
    expect(verification).toMatchObject({ verdict: 'intact', errors: [], pending: 0 });
    expect(verification.sealed).toBe(verification.records);
  },
);

// Sends one write after the other until the service is gone. Only a response below 300 acknowledges a write.
async function writeUntilGone(api: Client, writer: Writer, shared: string): Promise<void> {
  const send = async (write: Write, request: Promise<Answer>): Promise<Answer['body'] | null> => {
    const { status, body, bytes, headers } = await request;
    if (status === 503) {
      await after(100); // the store restarts
      return null;
    }
    if (status >= 300) throw new Error(`${write} returned ${status}: ${bytes}`);
    writer.acknowledged.push({ write, requestId: headers.get('x-request-id') ?? '', body });
    return body;
  };
  try {
    for (;;) {
      const name = `${writer.number}-${randomInt(1e12)}`;
      if (!writer.own) {
        const document = await send('document', api.post('/documents', { name, kind: 'model' }));
        const folder = document && (await send('folder', api.post('/folders', { name })));
        if (!folder) continue;
        writer.own = { document: document.id, workspace: document.workspaces[0].id, folder: folder.id };
        writer.name = name;
        continue; // with another name
      }
      const { document, workspace, folder } = writer.own;
      writer.sentNames.push(name);
      if (await send('rename', api.patch(`/documents/${document}`, { name })))
        [writer.name, writer.sentNames] = [name, []];
      await send('document', api.post('/documents', { name, kind: 'model' }));
      await send('version', api.post(`/workspaces/${workspace}/versions`, { name }));
      await send('folder', api.post('/folders', { name, parentId: folder }));
      await send('sibling', api.post('/folders', { name, parentId: shared }));
    }
  } catch (error) {
    // fetch reports a lost connection as a TypeError
    if (!(error instanceof TypeError) && (error as { code?: string }).code !== 'ECONNRESET') throw error;
  }
}

/** Collects the events after those that were received, until the service is gone. */
async function followEvents({ url, token }: ServiceProcess, events: { seq: number; requestId: string }[]) {
  try {
    const stream: Followed = await follow(`${url}/api/v1/events/stream?after=${events.at(-1)?.seq ?? 0}`, token());
    for (let event = await stream.next(); event; event = await stream.next()) events.push(JSON.parse(event.data).data);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

async function findLost(api: Client, { acknowledged, own, name, sentNames }: Writer): Promise<string[]> {
  const lost: string[] = [];
  for (const { write, body } of acknowledged) {
    if (write === 'rename') continue;
    const collection = { document: 'documents', version: 'versions', folder: 'folders', sibling: 'folders' }[write];
    const { status, body: read } = await api.get(`/${collection}/${body.id}`);
    const isSame = write === 'document' ? read.number === body.number : read.name === body.name && read.n === body.n;
    if (status !== 200 || !isSame) lost.push(`${write} ${body.id}`);
  }
  const read = own && (await api.get(`/documents/${own.document}`)).body.name;
  if (own && ![name, ...sentNames].includes(read)) lost.push(`the name ${name} of ${own.document}, which is ${read}`);
  return lost;
}

/** Runs a command of the operator on the stopped data folder and returns its JSON. */
function pdm(...args: string[]): Promise<Answer['body']> {
  const env = { ...process.env, PDM_DATA_DIR: dataDir };
  return new Promise((resolve, reject) =>
    execFile(process.execPath, ['pdm.mjs', ...args], { env, maxBuffer: 1 << 26 }, (error, output, errors) => {
      try {
        resolve(JSON.parse(output));
      } catch {
        reject(error ?? new Error(`no JSON: ${output} ${errors}`));
      }
    }),
  );
}
