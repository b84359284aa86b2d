// docker-compose.yml without Docker: the roles it names, started with the environment that it gives them. What only an engine can show (the image,
// read-only roots, networks, the replica set of the mongo service) is not run here.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { containerFilter } from '../../scheduler/sandbox/system-calls.ts';
import { SETTINGS } from '../../subgraphs/core/platform/config.ts';
import { client } from '../support/client.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { freePorts, withDatabase } from '../support/split.ts';
import { testServer } from '../support/store.ts';

type Service = {
  environment?: Record<string, string>;
  secrets?: string[];
  image: string;
  read_only?: boolean;
  user?: string;
  ports?: string[];
  cap_drop?: string[];
  healthcheck?: { test: string[] };
};
const home = join(import.meta.dirname, '../..');
const { services, secrets } = parse(readFileSync(join(home, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
};
const roles = Object.entries(services).filter(([, { environment }]) => environment?.PDM_ROLES);
const folder = mkdtempSync(join(tmpdir(), 'pdm-compose-'));
const running: ServiceProcess[] = [];
let stopStore = async () => {};
afterAll(async () => {
  for (const part of running.reverse()) await part.end('SIGTERM');
  await stopStore();
  rmSync(folder, { recursive: true, force: true });
});

/** The credentials as operate/compose/prepare.sh writes them, in a copy of the folder that it works in. */
function prepared(): string {
  mkdirSync(join(folder, 'operate/compose'), { recursive: true });
  cpSync(join(home, 'operate/compose/prepare.sh'), join(folder, 'operate/compose/prepare.sh'));
  execFileSync('sh', [join(folder, 'operate/compose/prepare.sh')]);
  return join(folder, 'secrets');
}

test('every setting it gives exists, every credential is a file that prepare.sh writes, and only the API is published, to this machine', () => {
  const files = prepared();
  const before = readFileSync(join(files, 'worker-token'), 'utf8');
  prepared();
  expect(readFileSync(join(files, 'worker-token'), 'utf8')).toBe(before);
  expect(roles.map(([name]) => name).sort()).toEqual([
    'api',
    'artifacts',
    'documents',
    'jobs',
    'scheduler',
    'sweeps',
    'versioning',
  ]);
  for (const [, { environment, user, read_only, cap_drop }] of roles) {
    expect(Object.keys(environment ?? {}).filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
    expect({ user, read_only, cap_drop }).toEqual({ user: '10001:10001', read_only: true, cap_drop: ['ALL'] });
  }
  for (const { file } of Object.values(secrets)) expect(existsSync(join(folder, file)), file).toBe(true);
  for (const { secrets: used = [] } of Object.values(services))
    expect(used.filter((name) => !secrets[name])).toEqual([]);
  expect(Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))).toEqual([
    'api 127.0.0.1:8080:8080',
  ]);
});

test('the sandbox in the container of the scheduler is made behind a filter that refuses what neither it nor the scheduler asks for', () => {
  const { services: more } = parse(readFileSync(join(home, 'operate/compose/sandbox.yml'), 'utf8')) as {
    services: Record<string, { security_opt: string[] }>;
  };
  expect(Object.keys(more)).toEqual(['scheduler']);
  const path =
    more.scheduler?.security_opt.find((option) => option.startsWith('seccomp='))?.slice('seccomp='.length) ?? '';
  const refused = new Set(
    (JSON.parse(readFileSync(join(home, path), 'utf8')) as { syscalls: { names: string[] }[] }).syscalls.flatMap(
      ({ names }) => names,
    ),
  );
  const inside: string[] = JSON.parse(containerFilter()).syscalls[0].names;
  // what makes namespaces and processes, and what Node needs outside of them
  const asked =
    'fork memfd_create mount personality pivot_root semget sethostname setsid shmget socket umount2 unshare vfork vmsplice'.split(
      ' ',
    );
  expect(inside.filter((name) => !refused.has(name)).sort()).toEqual(asked);
});

test('the roles with the environment it gives them make one service', async () => {
  const files = prepared();
  const store = await testServer();
  stopStore = store.stop;
  // what the network of the containers would do: their names are this machine, their ports are free ones
  const ports = await freePorts(roles.length + 1);
  const moved = new Map(roles.map(([name], i) => [name, String(ports[i])]));
  writeFileSync(join(folder, 'mongodb-url'), withDatabase(store.uri, `compose_${process.pid}`));
  const here = (text: string) =>
    text
      .replace('/run/secrets/mongodb-url', join(folder, 'mongodb-url'))
      .replaceAll('/run/secrets', files)
      .replaceAll(/http:\/\/([a-z]+):\d+/g, (_all, name: string) => `http://127.0.0.1:${moved.get(name)}`);
  const environment = (name: string, given: Record<string, string>) => ({
    ...Object.fromEntries(Object.entries(given).map(([key, value]) => [key, here(value)])),
    NATS_URL_FILE: '', // no NATS here: jobs are found by asking
    PDM_HOST: '127.0.0.1',
    PDM_PORT: moved.get('api') ?? '',
    PDM_SUBGRAPH_PORT: String(
      Number(moved.get(name)) - Math.max(0, ['documents', 'versioning', 'artifacts', 'jobs', 'sweeps'].indexOf(name)),
    ),
    PDM_SCHEDULER_PORT: moved.get('scheduler') ?? '',
  });
  const start = async (name: string) =>
    running.push(await startProcess(join(folder, 'data'), environment(name, services[name]?.environment ?? {})));
  mkdirSync(join(folder, 'data'));
  const parts = await Promise.allSettled(roles.filter(([name]) => name !== 'scheduler').map(([name]) => start(name)));
  expect(parts.filter(({ status }) => status === 'rejected')).toEqual([]);
  await start('scheduler');

  for (const [name, { healthcheck }] of roles) {
    const path = /^http:\/\/127\.0\.0\.1:\d+(\/.+)$/.exec(healthcheck?.test.at(-1) ?? '')?.[1];
    expect([name, path && (await fetch(`http://127.0.0.1:${moved.get(name)}${path}`)).status]).toEqual([name, 200]);
  }
  const token = readFileSync(join(files, 'bootstrap-token'), 'utf8');
  const ofSweeps = await fetch(`http://127.0.0.1:${moved.get('sweeps')}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await ofSweeps.text()).toMatch(/^pdm_sweeper_last_success_timestamp_seconds [1-9]/m);

  const url = `http://127.0.0.1:${moved.get('api')}/api/v1`;
  const admin = client(url, token);
  const made = await admin.post('/documents', { name: 'Bracket', kind: 'model' });
  expect(made.status).toBe(201);
  const draft = made.body.workspaces[0].draftId;
  expect((await admin.upload(draft, 'source', 'no STEP file', { fileName: 'x.stp' })).status).toBe(201);
  await expect
    .poll(async () => (await admin.get(`/versions/${draft}/jobs`)).body.items[0].status, { timeout: 20_000 })
    .toBe('failed');
});
