// Bills of material: 10,000 rows over 12 levels read for the first time and again, from the store and over HTTP, 100,000 rows, and how often the store is asked.
import assert from 'node:assert/strict';
import { bomRows } from '../subgraphs/core/domain/bom.ts';
import { connectMongo } from '../subgraphs/core/mongo.ts';
import { readStructure } from '../subgraphs/core/store/bom-structure.ts';
import type { Scope } from '../subgraphs/core/store/scope.ts';
import { storeStructure } from '../test/support/assemblies.ts';
import { startPdm } from '../test/support/pdm.ts';

const AIM = 500;
const ROUNDS = 7;
const FIRST_READS = 3;

type Uses = Record<string, [name: string, quantity: number][]>;

/** A tree with this many rows over so many levels, no assembly used twice: each level has one assembly more that goes on, the rest are parts. */
function treeOf(name: string, rows: number, levels: number): Uses {
  const uses: Uses = { [name]: [] };
  const wide = Math.floor(rows / levels);
  let open = [name];
  for (let level = 1, made = 0; level <= levels; level++) {
    const due = level === levels ? rows - made : wide;
    const next: string[] = [];
    for (let i = 0; i < due; i++) {
      const own = `${name}.${level}.${i}`;
      uses[own] = [];
      uses[open[i % open.length]!]!.push([own, (i % 4) + 1]);
      if (i % 3 === 0) next.push(own);
    }
    made += due;
    open = next;
  }
  return uses;
}

/** Shared assemblies: `levels` levels of which each uses the next one `wide` times, under as many lines. */
function sharedOf(name: string, levels: number, wide: number): Uses {
  const at = (level: number) => (level ? `${name}.${level}` : name);
  return Object.fromEntries(
    Array.from({ length: levels + 1 }, (_, level) => [at(level), level === levels ? [] : Array.from({ length: wide }, () => [at(level + 1), 2])]),
  );
}

const pdm = await startPdm({ settings: { PDM_RATE_LIMIT: 'off' } });
const { db } = pdm.services.mongo;
const scope = { db };
const TREES = Array.from({ length: FIRST_READS }, (_, at) => `LARGE${at}`);
await storeStructure(scope, {
  ...treeOf('SMALL', 1_000, 12),
  ...Object.assign({}, ...TREES.map((name) => treeOf(name, 10_000, 12))),
  ...sharedOf('HUGE', 3, 46),
  ...sharedOf('SHARED', 5, 10),
});

// Counted on a connection of its own: to watch commands is to decode every answer twice.
const address = db.client.options.hosts[0]!;
const watched = await connectMongo(
  `mongodb://${encodeURIComponent(address.socketPath ?? `${address.host}:${address.port}`)}/?directConnection=true`,
  {
    name: db.databaseName,
    monitorCommands: true,
  },
);
const READ = new Set(['versions', 'documents', 'references', 'revisions']);
async function asked(name: string): Promise<number> {
  let commands = 0;
  watched.client.on('commandStarted', ({ commandName, command }) => {
    if (READ.has(command[commandName === 'getMore' ? 'collection' : commandName])) commands++;
  });
  await readStructure({ db: watched.db }, [{ versionId: `ver_${name}`, now: false }]);
  watched.client.removeAllListeners('commandStarted');
  return commands;
}

type Measured = { ms: number; cpu: number; found: number };

/** The best of some rounds: by the clock, and in processor time, which other work on the machine does not stretch. */
async function best(work: () => Promise<number>, rounds = ROUNDS): Promise<Measured> {
  const measured: Measured = { ms: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY, found: 0 };
  for (let i = 0; i < rounds; i++) {
    const begun = performance.now();
    const used = process.cpuUsage();
    measured.found = await work();
    measured.ms = Math.min(measured.ms, performance.now() - begun);
    const { user, system } = process.cpuUsage(used);
    measured.cpu = Math.min(measured.cpu, (user + system) / 1000);
  }
  return measured;
}
const time = ({ ms, cpu }: Measured) => `${ms.toFixed(0)} ms (${cpu.toFixed(0)} ms of processor)`;
const rowsOf = async (of: Scope, name: string, mode: 'indented' | 'flat') =>
  bomRows(`ver_${name}`, await readStructure(of, [{ versionId: `ver_${name}`, now: false }]), { mode }).length;
const fromStore = (name: string, mode: 'indented' | 'flat') => () => rowsOf(scope, name, mode);
const overHttp = (name: string, query: string) => async () => {
  const answer = await pdm.viewer.get(`/versions/ver_${name}/bom${query}`);
  assert.equal(answer.status, 200);
  return answer.body ? answer.body.items.length : answer.bytes.toString().split('\r\n').length - 2;
};

const queries = { small: await asked('SMALL'), large: await asked('LARGE0') };
assert.equal(queries.large, queries.small);
const unread = TREES.values();
const first = await best(() => fromStore(unread.next().value ?? '', 'indented')(), FIRST_READS);
const small = await best(fromStore('SMALL', 'indented'));
const large = await best(fromStore('LARGE0', 'indented'));
assert.deepEqual([small.found, first.found, large.found], [1_000, 10_000, 10_000]);
console.log(
  `10,000 rows over 12 levels, from the store, read for the first time: ${time(first)}, aim under ${AIM} ms; ${queries.large} store queries`,
);
console.log(`the same read again: ${time(large)}, aim under ${AIM} ms`);
console.log(
  `1,000 rows over 12 levels: ${time(small)}; ${queries.small} store queries (aim: as many); ten times the rows take ${(large.cpu / small.cpu).toFixed(1)} times the processor`,
);

for (const [what, query] of [
  ['JSON', ''],
  ['CSV', '?format=csv'],
  ['flat JSON', '?mode=flat'],
] as const) {
  const answered = await best(overHttp('LARGE0', query));
  console.log(`10,000 rows as ${what} over HTTP, its client included: ${time(answered)}; ${answered.found} items`);
}
for (const [what, query] of [
  ['JSON', ''],
  ['CSV', '?format=csv'],
] as const) {
  const answered = await best(overHttp('HUGE', query), 2);
  console.log(`${answered.found} rows as ${what} over HTTP, its client included: ${time(answered)}; ${memory()}`);
}
const shared = await best(fromStore('SHARED', 'flat'));
console.log(`111,110 places of 5 shared assemblies, flat: ${time(shared)}; ${shared.found} item`);
const refused = await pdm.viewer.get('/versions/ver_SHARED/bom');
assert.equal(refused.body.limit, 'bomRows');
console.log(`indented they are refused: ${refused.body.detail}`);
await watched.close();
await pdm.close();

function memory(): string {
  return `${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB of memory, its client included`;
}
