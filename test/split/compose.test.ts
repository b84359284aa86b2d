// docker-compose.yml without Docker: starts the roles that it names with the environment that it sets. Not covered,
// because it needs an engine: the image, read-only roots, networks, and the replica set of the mongo service.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { containerSeccompProfile } from '../../scheduler/sandbox/system-calls.ts';
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

/** The credentials as operate/compose/prepare.sh writes them, in a copy of its folder. */
function prepared(): string {
  mkdirSync(join(folder, 'operate/compose'), { recursive: true });
  cpSync(join(home, 'operate/compose/prepare.sh'), join(folder, 'operate/compose/prepare.sh'));
  execFileSync('sh', [join(folder, 'operate/compose/prepare.sh')]);
  return join(folder, 'secrets');
}

test('sets only known settings, reads credentials that prepare.sh writes, and publishes only the API on the loopback interface', () => {
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

test('runs the sandbox in the scheduler container under a seccomp filter that rejects unneeded system calls', () => {
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
  const inside: string[] = JSON.parse(containerSeccompProfile()).syscalls[0].names;
  // system calls that create namespaces and processes, and that Node needs outside of them
  const needed =
    'fork memfd_create mount personality pivot_root semget sethostname setsid shmget socket umount2 unshare vfork vmsplice'.split(
      ' ',
    );
  expect(inside.filter((name) => !refused.has(name)).sort()).toEqual(needed);
});

test('forms one service from the roles with their environment', async () => {
  const files = prepared();
  const store = await testServer();
  stopStore = store.stop;
  // replaces the container network: host names become this machine, ports become free ones
  const ports = await freePorts(roles.length + 1);
  const moved = new Map(roles.map(([name], i) => [name, String(ports[i])]));
  writeFileSync(join(folder, 'mongodb-url'), withDatabase(store.uri, `compose_${process.pid}`));
  const here = (text: string) =>
    text
      .replace('/run/secrets/mongodb-url', join(folder, 'mongodb-url'))
      .replaceAll('/run/secrets', files)
      .replaceAll(/http:\/\/([a-z]+):\d+/g, (_all, name: string) => `http://127.0.0.1:${moved.get(name)}`);
  const environment = (name: string, variables: Record<string, string>) => ({
    ...Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, here(value)])),
    NATS_URL_FILE: '', // without NATS jobs are found by polling
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
  const created = await admin.post('/documents', { name: 'Bracket', kind: 'model' });
  expect(created.status).toBe(201);
  const draft = created.body.workspaces[0].draftId;
  expect((await admin.upload(draft, 'source', 'no STEP file', { fileName: 'x.stp' })).status).toBe(201);
  await expect
    .poll(async () => (await admin.get(`/versions/${draft}/jobs`)).body.items[0].status, { timeout: 20_000 })
    .toBe('failed');
});
