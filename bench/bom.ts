// Bills of materials: 10,000 rows over 12 levels, first and repeated reads, from the store and over HTTP from a
// separate service process; memory for 100,000 rows; number of store queries.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bomRows } from '../subgraphs/core/domain/assembly/bom.ts';
import { readStructure } from '../subgraphs/core/store/assembly/bom-structure.ts';
import { connectMongo } from '../subgraphs/core/store/mongo.ts';
import type { Scope } from '../subgraphs/core/store/query/scope.ts';
import { storeStructure } from '../test/support/assemblies.ts';
import { startProcess } from '../test/support/service-process.ts';

const TARGET_MS = 500;
const ROUNDS = 7;
const FIRST_READS = 4;
const LEVELS = 12;

type Uses = Record<string, [name: string, quantity: number][]>;

/**
 * A tree of `rows` rows over `levels` levels in which every document is used once and every third one is an assembly.
 */
function createTree(name: string, rows: number, levels: number): Uses {
  const uses: Uses = { [name]: [] };
  const rowsPerLevel = Math.floor(rows / levels);
  let parents = [name];
  for (let level = 1, created = 0; level <= levels; level++) {
    const count = level === levels ? rows - created : rowsPerLevel;
    const next: string[] = [];
    for (let i = 0; i < count; i++) {
      const childName = `${name}.${level}.${i}`;
      uses[childName] = [];
      uses[parents[i % parents.length]!]!.push([childName, (i % 4) + 1]);
      if (i % 3 === 0) next.push(childName);
    }
    created += count;
    parents = next;
  }
  return uses;
}

/** A chain of `levels` assemblies in which each uses the next one in `lines` lines. */
function createSharedChain(name: string, levels: number, lines: number): Uses {
  const at = (level: number) => (level ? `${name}.${level}` : name);
  return Object.fromEntries(
    Array.from({ length: levels + 1 }, (_, level) => [
      at(level),
      level === levels ? [] : Array.from({ length: lines }, () => [at(level + 1), 2]),
    ]),
  );
}

const dataDir = await mkdtemp(join(tmpdir(), 'pdm-bench-'));
const service = await startProcess(dataDir, { PDM_ROLES: 'store,api,sweeps', PDM_NATS_SERVER_BIN: 'off' });
process.once('exit', () => service.child.kill());
const address = `mongodb://${encodeURIComponent(join(dataDir, 'store', 'store.sock'))}/pdm?directConnection=true`;
const mongo = await connectMongo(address);
const scope = { db: mongo.db };
const treeNames = (name: string) => Array.from({ length: FIRST_READS }, (_, at) => `${name}${at}`);
const STORE_TREES = treeNames('STORE');
const HTTP_TREES = treeNames('HTTP');
await storeStructure(scope, {
  ...createTree('SMALL', 1_000, LEVELS),
  ...Object.assign({}, ...[...STORE_TREES, ...HTTP_TREES].map((name) => createTree(name, 10_000, LEVELS))),
  ...createSharedChain('HUGE', 3, 46),
  ...createSharedChain('SHARED', 5, 10),
});

// A separate connection, because monitoring commands decodes every response twice.
const monitored = await connectMongo(address, { monitorCommands: true });
const COLLECTIONS = new Set(['versions', 'documents', 'references', 'revisions']);
async function countQueries(name: string): Promise<number> {
  let commands = 0;
  monitored.client.on('commandStarted', ({ commandName, command }) => {
    if (COLLECTIONS.has(command[commandName === 'getMore' ? 'collection' : commandName])) commands++;
  });
  await readStructure({ db: monitored.db }, [{ versionId: `ver_${name}`, now: false }]);
  monitored.client.removeAllListeners('commandStarted');
  return commands;
}

type Measured = { ms: number; cpu: number; result: number };

/**
 * Minimum wall time and minimum CPU time of this process over `rounds` rounds; CPU time is less affected by other load.
 */
async function measureMinimum(work: () => Promise<number>, rounds = ROUNDS): Promise<Measured> {
  const measured: Measured = { ms: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY, result: 0 };
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    const before = process.cpuUsage();
    measured.result = await work();
    measured.ms = Math.min(measured.ms, performance.now() - start);
    const { user, system } = process.cpuUsage(before);
    measured.cpu = Math.min(measured.cpu, (user + system) / 1000);
  }
  return measured;
}
const formatMs = ({ ms }: Measured) => `${ms.toFixed(0)} ms`;
const formatTimes = (measured: Measured) => `${formatMs(measured)} (${measured.cpu.toFixed(0)} ms of CPU)`;
const countRows = async (scope: Scope, name: string) =>
  bomRows(`ver_${name}`, await readStructure(scope, [{ versionId: `ver_${name}`, now: false }]), { mode: 'indented' })
    .length;
const readFromStore = (name: string) => () => countRows(scope, name);

const queries = { small: await countQueries('SMALL'), large: await countQueries(STORE_TREES[0]!) };
assert.ok(Math.max(queries.small, queries.large) <= 3 * LEVELS, 'too many store queries');
const unread = STORE_TREES.values();
const first = await measureMinimum(() => readFromStore(unread.next().value ?? '')(), FIRST_READS);
const small = await measureMinimum(readFromStore('SMALL'));
const large = await measureMinimum(readFromStore(STORE_TREES[0]!));
assert.deepEqual([small.result, first.result, large.result], [1_000, 10_000, 10_000]);
console.log(
  `10,000 rows over ${LEVELS} levels from the store, first read: ${formatTimes(first)} (target: < ${TARGET_MS} ms)`,
);
console.log(
  `repeated read: ${formatTimes(large)} (target: < ${TARGET_MS} ms); ${(large.cpu / small.cpu).toFixed(1)} times the CPU of 1,000 rows`,
);
console.log(`store queries: ${queries.large}, for 1,000 rows ${queries.small} (limit: 3 per level)`);
await monitored.close();
await mongo.close();

async function get(path: string): Promise<{ status: number; bytes: Buffer }> {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${service.token()}` },
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}
async function readOverHttp(name: string, query = ''): Promise<number> {
  const { status, bytes } = await get(`/versions/ver_${name}/bom${query}`);
  assert.equal(status, 200);
  return bytes.length;
}

await readOverHttp('SMALL');
const unreadHttp = HTTP_TREES.values();
const firstHttp = await measureMinimum(() => readOverHttp(unreadHttp.next().value ?? ''), FIRST_READS);
console.log(`10,000 rows as JSON over HTTP, first read: ${formatMs(firstHttp)} (target: < ${TARGET_MS} ms)`);
for (const [format, query] of [
  ['JSON', ''],
  ['CSV', '?format=csv'],
  ['flat JSON', '?mode=flat'],
] as const) {
  const measured = await measureMinimum(() => readOverHttp(HTTP_TREES[0]!, query));
  console.log(
    `10,000 rows as ${format} over HTTP, repeated read: ${formatMs(measured)}; ${mebibytes(measured.result)}`,
  );
}
const before = peakMemory();
for (const [format, query] of [
  ['CSV', '?format=csv'],
  ['JSON', ''],
] as const) {
  const measured = await measureMinimum(() => readOverHttp('HUGE', query), 2);
  console.log(
    `99,498 rows as ${format} over HTTP: ${formatMs(measured)}, ${mebibytes(measured.result)}; peak memory of the service ${peakMemory()}, before ${before}`,
  );
}
const shared = await measureMinimum(() => readOverHttp('SHARED', '?mode=flat'));
console.log(`111,110 occurrences in 5 shared assemblies, flat over HTTP: ${formatMs(shared)}`);
const rejected = await get('/versions/ver_SHARED/bom');
const { limit, detail } = JSON.parse(rejected.bytes.toString());
assert.equal(limit, 'bomRows');
console.log(`indented: rejected, ${detail}`);
await service.end('SIGTERM');
await rm(dataDir, { recursive: true });

/** Peak resident memory of the service (Linux only). */
function peakMemory(): string {
  if (process.platform !== 'linux') return 'unknown';
  return mebibytes(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) * 1024);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 24 ? 1 : 0)} MiB`;
}
