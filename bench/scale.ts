// What one machine holds: fills an embedded store directly, then measures the start, memory, reads, writes, verification,
// check and backup of a service on it. docs/scaling.md has the results. Full size: DOCUMENTS=100000 (10 versions and 100
// audit records each) FILES_MB=100000; BENCH_DIR is the folder for the data, by default below the temporary folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStore } from '../embedded/process/supervisor.ts';
import { createBackup } from '../operate/scheduled-backups.ts';
import { signNote } from '../subgraphs/core/domain/audit/signed-note.ts';
import { readOrCreateAuditKey } from '../subgraphs/core/platform/audit-key.ts';
import { ensureAuditTree, sealPending } from '../subgraphs/core/store/audit/audit-seals.ts';
import { connectMongo, type Mongo } from '../subgraphs/core/store/mongo.ts';
import { client } from '../test/support/client.ts';
import { startProcess } from '../test/support/service-process.ts';
import { fillStore, PARTS, RECORDS, VERSIONS } from './scale-content.ts';

const DOCUMENTS = Number(process.env.DOCUMENTS ?? 1_000);
const FILES_MB = Number(process.env.FILES_MB ?? 200);
const ROUNDS = 20;
const MIB = 2 ** 20;

const home = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'pdm-scale-'));
const [dataDir, backups] = [join(home, 'data'), join(home, 'backups')];
const environment = {
  MONGODB_URL: '',
  PDM_ROLES: 'store,api,sweeps',
  PDM_NATS_SERVER_BIN: 'off',
  PDM_CHECKPOINT_FILE: '',
};
async function seal(mongo: Mongo): Promise<void> {
  const key = readOrCreateAuditKey(dataDir);
  await ensureAuditTree({ db: mongo.db });
  const sign = (text: string, name: string) => signNote(text, name, key);
  const sealer = { id: 'bench', now: new Date(), leaseMs: 0, sign };
  for (let moved = 1; moved; ) ({ count: moved } = await sealPending(mongo, sealer));
}

const report = (what: string, value: string) => console.log(`${what.padEnd(44)} ${value}`);
async function timed<R>(what: string, work: () => Promise<R>): Promise<R> {
  const start = performance.now();
  const result = await work();
  report(what, `${((performance.now() - start) / 1000).toFixed(2)} s`);
  return result;
}
async function median(what: string, work: (round: number) => Promise<{ status: number }>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { status } = await work(round);
    if (status >= 300) throw new Error(`${what} failed with ${status}`);
    times.push(performance.now() - start);
  }
  const [fastest = 0, middle = 0, slowest = 0] = [0, ROUNDS / 2, ROUNDS - 1].map(
    (i) => times.toSorted((a, b) => a - b)[i] ?? 0,
  );
  report(what, `median ${middle.toFixed(1)} ms, fastest ${fastest.toFixed(1)}, slowest ${slowest.toFixed(0)}`);
}
function memoryOf(pid: number): string {
  const [, kilobytes = 0] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return `${Math.round(Number(kilobytes) / 1024)} MiB`;
}
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
async function pdm(...args: string[]): Promise<void> {
  const settings = { ...process.env, ...environment, PDM_DATA_DIR: dataDir };
  const command = spawn(process.execPath, ['app/pdm.ts', ...args], {
    env: settings,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(command, 'exit');
  if (code) throw new Error(`pdm ${args.join(' ')} ended with ${code}`);
}

try {
  mkdirSync(dataDir);
  mkdirSync(backups);
  const first = await startProcess(dataDir, environment);
  const token = first.token();
  await first.end('SIGTERM');

  report('documents, versions, audit records', [DOCUMENTS, DOCUMENTS * VERSIONS, DOCUMENTS * RECORDS].join(', '));
  const store = await startStore({ dataDir: join(dataDir, 'store'), log: () => {}, onFatal: console.error });
  const mongo = await connectMongo(store.uri);
  await timed('fill', () => fillStore(mongo, { documents: DOCUMENTS, filesMb: FILES_MB }));
  await timed('seal the audit records', () => seal(mongo));
  await mongo.close();
  await store.stop();
  report('store file', `${Math.round(statSync(join(dataDir, 'store/store.mdb')).size / MIB)} MiB`);

  const service = await timed('start', () => startProcess(dataDir, environment));
  const admin = client(`${service.url}/api/v1`, token);
  const some = (round: number) => ((round * 7919) % Math.floor(DOCUMENTS / (PARTS + 1))) * (PARTS + 1);
  await median('document', (round) => admin.get(`/documents/X-${some(round)}`));
  await median('list, 50 documents by last update', () => admin.get('/documents?limit=50&sort=-updatedAt'));
  await median('search for a word', (round) => admin.get(`/documents?q=${(round * 31) % 997}&limit=50`));
  await median('bill of materials, 9 lines', (round) => admin.get(`/versions/ver_${some(round)}_${VERSIONS}/bom`));
  await median('where-used', (round) => admin.get(`/documents/X-${some(round) + 1}/where-used`));
  await median('audit records of a document', (round) => admin.get(`/documents/X-${some(round)}/audit`));
  await median('create a document', (round) => admin.post('/documents', { name: `New ${round}`, kind: 'model' }));
  report('memory of the service', memoryOf(service.pid));
  report('memory of the store, with mapped pages', childrenOf(service.pid).map(memoryOf).join(', '));
  const plan = { dataDir, target: backups, everyMs: 0, retention: { daily: 1, weekly: 0, monthly: 0 } };
  const full = await timed('first backup', () => createBackup(plan, new Date()));
  await admin.post('/documents', { name: 'After the backup', kind: 'model' });
  const next = await timed('next backup after one write', () => createBackup(plan, new Date()));
  report('size of both backups', `${Math.round(full.bytes / MIB)} MiB, ${Math.round(next.newBytes / MIB)} MiB more`);
  await service.end('SIGTERM');
  await timed('pdm audit verify', () => pdm('audit', 'verify'));
  await timed('pdm check', () => pdm('check'));
} finally {
  rmSync(home, { recursive: true, force: true });
}
