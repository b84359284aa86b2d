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
function treeOf(name: string, rows: number, levels: number): Uses {
  const uses: Uses = { [name]: [] };
  const rowsPerLevel = Math.floor(rows / levels);
  let parents = [name];
  for (let level = 1, created = 0; level <= levels; level++) {
    const count = level === levels ? rows - created : rowsPerLevel;
    const next: string[] = [];
    for (let i = 0; i < count; i++) {
      const own = `${name}.${level}.${i}`;
      uses[own] = [];
      uses[parents[i % parents.length]!]!.push([own, (i % 4) + 1]);
      if (i % 3 === 0) next.push(own);
    }
    created += count;
    parents = next;
  }
  return uses;
}

/** A chain of `levels` assemblies in which each uses the next one in `lines` lines. */
function sharedOf(name: string, levels: number, lines: number): Uses {
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
const trees = (name: string) => Array.from({ length: FIRST_READS }, (_, at) => `${name}${at}`);
const STORE_TREES = trees('STORE');
const HTTP_TREES = trees('HTTP');
await storeStructure(scope, {
  ...treeOf('SMALL', 1_000, LEVELS),
  ...Object.assign({}, ...[...STORE_TREES, ...HTTP_TREES].map((name) => treeOf(name, 10_000, LEVELS))),
  ...sharedOf('HUGE', 3, 46),
  ...sharedOf('SHARED', 5, 10),
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
async function best(work: () => Promise<number>, rounds = ROUNDS): Promise<Measured> {
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
const inMs = ({ ms }: Measured) => `${ms.toFixed(0)} ms`;
const time = (measured: Measured) => `${inMs(measured)} (${measured.cpu.toFixed(0)} ms of CPU)`;
const rowsOf = async (scope: Scope, name: string) =>
  bomRows(`ver_${name}`, await readStructure(scope, [{ versionId: `ver_${name}`, now: false }]), { mode: 'indented' })
    .length;
const fromStore = (name: string) => () => rowsOf(scope, name);

const queries = { small: await countQueries('SMALL'), large: await countQueries(STORE_TREES[0]!) };
assert.ok(Math.max(queries.small, queries.large) <= 3 * LEVELS, 'too many store queries');
const unread = STORE_TREES.values();
const first = await best(() => fromStore(unread.next().value ?? '')(), FIRST_READS);
const small = await best(fromStore('SMALL'));
const large = await best(fromStore(STORE_TREES[0]!));
assert.deepEqual([small.result, first.result, large.result], [1_000, 10_000, 10_000]);
console.log(`10,000 rows over ${LEVELS} levels from the store, first read: ${time(first)} (target: < ${TARGET_MS} ms)`);
console.log(
  `repeated read: ${time(large)} (target: < ${TARGET_MS} ms); ${(large.cpu / small.cpu).toFixed(1)} times the CPU of 1,000 rows`,
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
async function overHttp(name: string, query = ''): Promise<number> {
  const { status, bytes } = await get(`/versions/ver_${name}/bom${query}`);
  assert.equal(status, 200);
  return bytes.length;
}

await overHttp('SMALL');
const unreadHttp = HTTP_TREES.values();
const firstHttp = await best(() => overHttp(unreadHttp.next().value ?? ''), FIRST_READS);
console.log(`10,000 rows as JSON over HTTP, first read: ${inMs(firstHttp)} (target: < ${TARGET_MS} ms)`);
for (const [format, query] of [
  ['JSON', ''],
  ['CSV', '?format=csv'],
  ['flat JSON', '?mode=flat'],
] as const) {
  const measured = await best(() => overHttp(HTTP_TREES[0]!, query));
  console.log(`10,000 rows as ${format} over HTTP, repeated read: ${inMs(measured)}; ${mebibytes(measured.result)}`);
}
const before = peakMemory();
for (const [format, query] of [
  ['CSV', '?format=csv'],
  ['JSON', ''],
] as const) {
  const measured = await best(() => overHttp('HUGE', query), 2);
  console.log(
    `99,498 rows as ${format} over HTTP: ${inMs(measured)}, ${mebibytes(measured.result)}; peak memory of the service ${peakMemory()}, before ${before}`,
  );
}
const shared = await best(() => overHttp('SHARED', '?mode=flat'));
console.log(`111,110 occurrences in 5 shared assemblies, flat over HTTP: ${inMs(shared)}`);
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
