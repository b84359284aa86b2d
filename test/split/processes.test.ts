// Roles as separate processes: any start order, a component that dies under load, gateways restarted in turn.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { SUBGRAPHS } from '../../subgraphs/core/domain/kinds.ts';
import { client } from '../support/client.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { type Split, startSplit } from '../support/split.ts';

let split: Split;
afterEach(async () => {
  expect(await violatedInvariants({ db: split.services.mongo.db })).toEqual([]);
  await split.stop();
});

const admin = (url = split.url) => client(`${url}/api/v1`, split.parts.get('api')?.token());

test('returns 503 with the name of a missing subgraph, and serves it as soon as it starts', async () => {
  split = await startSplit(['api']);
  expect((await admin().get('/documents')).body).toMatchObject({ status: 503, code: 'unavailable', part: 'documents' });
  for (const name of [...SUBGRAPHS].reverse()) await split.start(name);
  expect((await admin().post('/documents', { name: 'Bracket', kind: 'model' })).status).toBe(201);
});

test('loses no acknowledged write and returns only 503 while a killed subgraph restarts under load', async () => {
  split = await startSplit([...SUBGRAPHS, 'api']);
  const loaded = load(admin());
  await loaded.untilStored(3);
  for (const name of ['artifacts', 'documents', 'versioning'] as const) {
    await split.parts.get(name)?.end('SIGKILL');
    await loaded.untilRejected();
    await split.start(name);
    await loaded.untilStored(3);
  }
  const { statuses, stored, broken } = await loaded.end();
  expect(broken).toBe(0);
  expect([...statuses].filter((status) => status !== 503 && status >= 400)).toEqual([]);
  for (const { draftId, sha256 } of stored)
    expect((await admin().get(`/versions/${draftId}/artifacts`)).body.items).toMatchObject([{ sha256 }]);
});

test('fails no request when two gateways restart in turn under load', async () => {
  split = await startSplit([...SUBGRAPHS, 'api']);
  const second = await split.start('api', 'second');
  let addresses = [split.url, second.url];
  // like a load balancer, skips a gateway that refuses connections
  const either = async (ask: (of: ReturnType<typeof admin>) => Promise<{ status: number }>) => {
    for (const url of addresses) {
      try {
        return await ask(admin(url));
      } catch (error) {
        if (!String((error as Error).cause).includes('ECONNREFUSED')) throw error;
      }
    }
    throw new Error('no gateway takes connections');
  };
  let stop = false;
  const statuses: number[] = [];
  const clients = Array.from({ length: 4 }, async (_, i) => {
    for (let n = 0; !stop; n++) {
      addresses = [...addresses].reverse();
      statuses.push(
        (await either((of) => of.post('/folders', { name: `f${i}-${n}` }))).status,
        (await either((of) => of.get('/documents'))).status,
      );
    }
  });
  const untilMoreResponses = async () => {
    const before = statuses.length;
    while (statuses.length < before + 20) await sleep(10);
  };
  for (const name of ['api', 'second']) {
    await untilMoreResponses();
    expect(await split.parts.get(name)?.end('SIGTERM')).toBe(0);
    const back = await split.start('api', name);
    if (name === 'second') addresses = [split.url, back.url];
  }
  await untilMoreResponses();
  stop = true;
  await Promise.all(clients);
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(50);
});

/** Clients that create documents, upload to them and read, until they are stopped. */
function load(as: ReturnType<typeof admin>) {
  let stop = false;
  let broken = 0;
  let rejected = 0;
  const statuses = new Set<number>();
  const stored: { draftId: string; sha256: string }[] = [];
  const count = (status: number) => {
    statuses.add(status);
    if (status === 503) rejected += 1;
  };
  const clients = Array.from({ length: 4 }, async (_, i) => {
    for (let n = 0; !stop; n++) {
      try {
        const created = await as.post('/documents', { name: `Part ${i}-${n}`, kind: 'model' });
        count(created.status);
        if (created.status !== 201) continue;
        const draftId = created.body.workspaces[0].draftId;
        const file = await as.upload(draftId, 'attachment.note', `content ${i}-${n}`);
        count(file.status);
        if (file.status === 201) stored.push({ draftId, sha256: file.body.sha256 });
        count((await as.get(`/documents/${created.body.id}`)).status);
      } catch {
        broken += 1; // a failed connection to the gateway itself
      }
    }
  });
  const untilGrown = async (value: () => number, by: number) => {
    const before = value();
    while (value() < before + by) await sleep(10);
  };
  return {
    /** Waits until `more` files have been stored. */
    untilStored: (more: number) => untilGrown(() => stored.length, more),
    /** Waits until a request was rejected because a subgraph is missing. */
    untilRejected: () => untilGrown(() => rejected, 1),
    async end() {
      stop = true;
      await Promise.all(clients);
      return { statuses, stored, broken };
    },
  };
}
