import { createHash, randomBytes, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startStore } from '../../embedded/process/supervisor.ts';
import { connectMongo } from '../../subgraphs/core/store/mongo.ts';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { type Client, client } from '../support/client.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { needs } from '../support/needs.ts';
import { startProcess } from '../support/service-process.ts';

const embedded = needs('embedded store');

const ROUNDS = Number(process.env.PDM_TEST_KILLS ?? 8); // CI runs 20
const CLIENTS = 4;

/** The acknowledged writes. */
type Acknowledged = {
  documents: Set<string>;
  uploads: { versionId: string; kind: string; sha256: string }[];
  versions: { id: string; documentId: string; n: number; files: Record<string, string> }[];
  requestIds: string[];
};

/** A client that repeats a request without a response under the same idempotency key. */
type Repeater = { count: number; repeated: number; answers: Map<string, string> };

const dataDir = mkdtempSync(join(tmpdir(), 'pdm-kill-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test.skipIf(embedded.isMissing)(
  embedded.title(`loses no acknowledged write and leaves no partial write when the service is killed ${ROUNDS} times`),
  { timeout: ROUNDS * 20_000 },
  async () => {
    const acknowledged: Acknowledged = { documents: new Set(), uploads: [], versions: [], requestIds: [] };
    const repeater: Repeater = { count: 1, repeated: 0, answers: new Map() };
    for (let round = 0; round < ROUNDS; round++) {
      const service = await startProcess(dataDir, { PDM_ROLES: 'store,api,sweeps' });
      const api = client(`${service.url}/api/v1`, service.token());
      const work = Promise.all([
        ...Array.from({ length: CLIENTS }, () => writeUntilGone(api, acknowledged)),
        repeating(api, repeater),
      ]);
      // at a random moment after several acknowledged writes of this round
      const enough = acknowledged.requestIds.length + randomInt(10, 40);
      await expect.poll(() => acknowledged.requestIds.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(enough);
      await after(randomInt(0, 20));
      await service.end(round % 2 ? 'SIGKILL all' : 'SIGKILL');
      await work;
    }

    const service = await startProcess(dataDir, { PDM_ROLES: 'store,api,sweeps' });
    const api = client(`${service.url}/api/v1`, service.token());
    await askOnce(api, repeater);
    const lost = await missing(api, acknowledged);
    expect(await service.end('SIGTERM')).toBe(0);
    expect(lost).toEqual([]);
    expect(acknowledged.versions.length).toBeGreaterThan(ROUNDS);
    expect(await findStoreErrors(acknowledged.requestIds, repeater)).toEqual([]);
    expect(repeater.repeated).toBeGreaterThanOrEqual(ROUNDS / 2);
  },
);

// Creates documents, uploads and versions until the service is gone; records only acknowledged ones.
async function writeUntilGone(api: Client, acknowledged: Acknowledged): Promise<void> {
  try {
    for (;;) {
      const created = await api.post('/documents', { name: `Part ${randomInt(1e9)}`, kind: 'model' });
      if (created.status !== 201) throw new Error(`POST /documents returned ${created.status}: ${created.bytes}`);
      note(created);
      acknowledged.documents.add(created.body.id);
      const { drafts, workspaces } = (await api.get(`/documents/${created.body.id}`)).body;
      const files: Record<string, string> = {};
      for (let i = 0; i < 3; i++) {
        for (const kind of ['source', 'attachment.drawing']) {
          const content = randomBytes(randomInt(1, 150_000));
          const uploaded = await api.upload(drafts[0].id, kind, content, { fileName: '部品.stp' });
          if (uploaded.status !== 201) throw new Error(`upload returned ${uploaded.status}: ${uploaded.bytes}`);
          note(uploaded);
          files[kind] = createHash('sha256').update(content).digest('hex');
        }
        const created = await api.post(`/workspaces/${workspaces[0].id}/versions`, {});
        if (created.status !== 201) throw new Error(`version returned ${created.status}: ${created.bytes}`);
        note(created);
        acknowledged.versions.push({
          id: created.body.id,
          documentId: created.body.id,
          n: created.body.n,
          files: { ...files },
        });
      }
      for (const [kind, sha256] of Object.entries(files))
        acknowledged.uploads.push({ versionId: drafts[0].id, kind, sha256 });
    }
  } catch (error) {
    connectionLost(error);
  }

  function note({ headers }: { headers: Headers }): void {
    acknowledged.requestIds.push(headers.get('x-request-id') ?? '');
  }
}

// Requests one document after the other until the service is gone, and repeats the one without a response in the next
// round.
async function repeating(api: Client, repeater: Repeater): Promise<void> {
  try {
    for (;;) await askOnce(api, repeater);
  } catch (error) {
    connectionLost(error);
    repeater.repeated += 1;
  }
}

async function askOnce(api: Client, repeater: Repeater): Promise<void> {
  const name = `Repeated ${repeater.count}`;
  const { status, body, bytes } = await api.post(
    '/documents',
    { name, kind: 'model' },
    { 'idempotency-key': name.replace(' ', '-') },
  );
  if (status !== 201) throw new Error(`${name} returned ${status}: ${bytes}`);
  repeater.answers.set(name, body.id);
  repeater.count += 1;
}

// fetch reports a lost connection as a TypeError
function connectionLost(error: unknown): void {
  if (!(error instanceof TypeError) && (error as { code?: string }).code !== 'ECONNRESET') throw error;
}

async function missing(api: Client, { documents, uploads, versions }: Acknowledged): Promise<string[]> {
  const lost: string[] = [];
  const filesOf = async (versionId: string): Promise<Record<string, string>> => {
    const { body } = await api.get(`/versions/${versionId}/artifacts`);
    return Object.fromEntries(
      (body.items ?? []).map(({ kind, sha256 }: { kind: string; sha256: string }) => [kind, sha256]),
    );
  };
  for (const id of documents) if ((await api.get(`/documents/${id}`)).status !== 200) lost.push(`document ${id}`);
  for (const { versionId, kind, sha256 } of uploads)
    if ((await filesOf(versionId))[kind] !== sha256) lost.push(`upload of ${kind} to ${versionId}`);
  for (const { id, n, files } of versions) {
    const { status, body } = await api.get(`/versions/${id}`);
    if (status !== 200 || body.n !== n) lost.push(`version ${id}`);
    const stored = await filesOf(id);
    for (const [kind, sha256] of Object.entries(files))
      if (stored[kind] !== sha256) lost.push(`${kind} of version ${id}`);
  }
  return lost;
}

async function findStoreErrors(requestIds: string[], { answers }: Repeater): Promise<string[]> {
  const store = await startStore({ dataDir: join(dataDir, 'store'), log: () => undefined, onFatal: () => undefined });
  const mongo = await connectMongo(store.uri);
  try {
    const recorded = new Set((await collection(mongo, 'audit').find().toArray()).map(({ requestId }) => requestId));
    const unrecorded = requestIds
      .filter((id) => !recorded.has(id))
      .map((id) => `the write of request ${id} has no audit record`);
    const documents = await collection(mongo, 'documents')
      .find({ name: /^Repeated / })
      .toArray();
    const duplicates = documents
      .filter(({ _id, name }) => answers.get(name) !== _id)
      .map(({ name }) => `${name} is there, and is not what returned`);
    const miscounted =
      documents.length === answers.size ? [] : [`${documents.length} documents for ${answers.size} keys`];
    return [...(await violatedInvariants(mongo)), ...unrecorded, ...duplicates, ...miscounted];
  } finally {
    await mongo.close();
    await store.stop();
  }
}
