// Compares this code with another checkout of the repository, to find operations that became slower: lists, documents,
// bills of materials, GraphQL and jobs. Both services run at the same time with the same data, and are measured by turns.
// Prints the medians of the rounds and their ratio. Run: `npm run bench compare` with BASELINE=/path/to/checkout.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemblies } from '../test/support/assemblies.ts';
import { type Client, client } from '../test/support/client.ts';
import { type ServiceProcess, startProcess } from '../test/support/service-process.ts';
import { cpuMs, processTree } from './peers/job-queue.ts';

const { BASELINE, ROUNDS = '7', MS = '1000', CLIENTS = '8' } = process.env;
const DOCUMENTS = 100;
const JOBS = 200;

type Service = {
  process: ServiceProcess;
  admin: Client;
  worker: Client;
  parts: string[];
  drafts: string[];
  bom: string;
};
/** The number of operations per second, and the processor time of one in all processes of the service, in ms. */
type Result = { rate: number; cpu: number };
type Operation = (service: Service, n: number) => Promise<unknown>;

const LIST = '{ documents(limit: 50) { items { id number name drafts { id name artifacts { kind size } } } } }';
const GRAPH = 'query ($id: ID!) { document(id: $id) { versions { id n parents workspace { name } } } }';
const READS: Record<string, Operation> = {
  'list of 50 documents': ({ admin }) => admin.get('/documents?limit=50'),
  'one document': ({ admin, parts }, n) => admin.get(`/documents/${parts[n % parts.length]}`),
  'BOM of 100 lines': ({ admin, bom }) => admin.get(`/versions/${bom}/bom`),
  'list by GraphQL': ({ admin }) => admin.graphql(LIST),
  'version graph by GraphQL': ({ admin, parts }, n) => admin.graphql(GRAPH, { id: parts[n % parts.length] }),
};

if (BASELINE) await compare(BASELINE);
else console.log('not run: BASELINE does not name another checkout of the repository');

async function compare(baseline: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-compare-'));
  const services = [await prepare(join(folder, 'baseline'), baseline), await prepare(join(folder, 'current'))];
  for (const [title, operation] of Object.entries(READS))
    await byTurns(title, services, (service) => measureReads(service, operation));
  await byTurns('job claimed and ended', services, measureJobs);
  for (const { process } of services) await process.end('SIGTERM');
  rmSync(folder, { recursive: true });
}

async function prepare(dataDir: string, checkout?: string): Promise<Service> {
  const settings = { PDM_ROLES: 'store,api,sweeps', PDM_NATS_SERVER_BIN: 'off', PDM_MAX_ACTIVE_JOBS: '100000' };
  const started = await startProcess(dataDir, settings, [], checkout);
  process.once('exit', () => started.child.kill());
  const as = (token: string) => client(`${started.url}/api/v1`, token);
  const admin = as((await must(as(started.token()).post('/setup', { name: 'Administrator' }))).token);
  const { id } = await must(admin.post('/users', { name: 'Worker', role: 'worker' }));
  const { token } = await must(admin.post('/tokens', { userId: id, name: 'worker' }));
  const create = assemblies(admin);
  const parts = [];
  for (let n = 0; n < DOCUMENTS; n++) parts.push(await create.part({ name: `Part ${n}` }));
  const assembly = await create.draft(parts.map((part) => [part, 2]));
  const { id: bom } = await create.version(assembly);
  return {
    process: started,
    admin,
    worker: as(token),
    parts: parts.map((part) => part.id),
    drafts: parts.map((part) => part.draftId),
    bom,
  };
}

async function must(request: ReturnType<Client['get']>) {
  const { status, body } = await request;
  assert(status < 300, `the request failed with ${status}: ${JSON.stringify(body)}`);
  return body;
}

async function byTurns(title: string, services: Service[], measure: (service: Service) => Promise<Result>) {
  const results = services.map((): Result[] => []);
  for (const service of services) await measure(service); // warm-up
  for (let round = 0; round < Number(ROUNDS); round++)
    for (const at of round % 2 ? [1, 0] : [0, 1]) results[at]?.push(await measure(services[at]!));
  const [baseline, current] = results.map((rounds) => ({
    rate: median(rounds.map(({ rate }) => rate)),
    cpu: median(rounds.map(({ cpu }) => cpu)),
  }));
  const ratios = results[1]!.map(({ rate }, round) => rate / results[0]![round]!.rate);
  console.log(
    `${title}: ${baseline!.rate.toFixed(0)} → ${current!.rate.toFixed(0)}/s, ratio ${median(ratios).toFixed(2)} ` +
      `(${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}); ` +
      `processor time ${baseline!.cpu.toFixed(2)} → ${current!.cpu.toFixed(2)} ms`,
  );
}

async function measureReads(service: Service, operation: Operation): Promise<Result> {
  const end = performance.now() + Number(MS);
  let n = 0;
  return measured(service, async () => {
    const send = async () => {
      while (performance.now() < end) await must(operation(service, n++) as ReturnType<Client['get']>);
    };
    await Promise.all(Array.from({ length: Number(CLIENTS) }, send));
    return n;
  });
}

/** Queues jobs outside of the measurement, then claims and ends them. */
async function measureJobs(service: Service): Promise<Result> {
  const { admin, worker, drafts } = service;
  for (let n = 0; n < JOBS; n++)
    await must(admin.upload(drafts[n % DOCUMENTS]!, 'source', `not a STEP file ${n}`, { fileName: 'part.step' }));
  return measured(service, async () => {
    let ended = 0;
    const work = async () => {
      for (;;) {
        const { status, body } = await worker.post('/jobs/claim', { workerId: 'bench' });
        if (status === 204) return;
        assert.equal(status, 200);
        const error = { code: 'not_step', message: 'The file is no STEP file.' };
        await must(worker.post(`/jobs/${body.id}/fail`, { attempt: body.attempt, error, final: true }));
        ended++;
      }
    };
    await Promise.all(Array.from({ length: Number(CLIENTS) }, work));
    return ended;
  });
}

async function measured({ process: { pid } }: Service, work: () => Promise<number>): Promise<Result> {
  const total = () => cpuMs({ processes: () => processTree(pid) });
  const [before, start] = [total(), performance.now()];
  const count = await work();
  return { rate: (count * 1000) / (performance.now() - start), cpu: (total() - before) / count };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}
