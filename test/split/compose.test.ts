// docker-compose.yml without Docker: starts its services as processes with the environment, secrets and volumes that the
// file gives them, on a store that enforces the database privileges. Not covered, because it needs an engine: the image,
// read-only roots, and the replica set of the mongo service.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { containerSeccompProfile } from '../../scheduler/sandbox/system-calls.ts';
import { readOrCreateAuditKey } from '../../subgraphs/core/platform/audit-key.ts';
import { SETTINGS } from '../../subgraphs/core/platform/config.ts';
import { connectMongo } from '../../subgraphs/core/store/mongo.ts';
import { DATABASE_USERS } from '../../subgraphs/core/store/schema/privileges.ts';
import { MATRIX } from '../support/access-matrix.ts';
import { type Client, client } from '../support/client.ts';
import { freePorts } from '../support/free-ports.ts';
import { needs } from '../support/needs.ts';
import { type RestrictedStore, restrictedStore } from '../support/restricted-store.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';
import { withDatabase } from '../support/split.ts';
import { testServer } from '../support/store.ts';

type Service = {
  environment?: Record<string, string>;
  command?: string[];
  secrets?: string[];
  volumes?: string[];
  networks?: string[];
  image: string;
  read_only?: boolean;
  user?: string;
  ports?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  healthcheck?: { test: string[] };
};
const NOT_AUTHORIZED = 13;
const home = join(import.meta.dirname, '../..');
const { services, secrets } = parse(readFileSync(join(home, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
};
const PARTS = ['documents', 'versioning', 'artifacts', 'jobs', 'sweeps', 'api', 'scheduler'];
const part = (name: string): Service => {
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
};
const folder = mkdtempSync(join(tmpdir(), 'pdm-compose-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The credentials as operate/compose/prepare.sh writes them, in a copy of its folder. */
function prepared(): string {
  for (const path of ['operate/compose/prepare.sh', 'operate/nats-users.conf'])
    cpSync(join(home, path), join(folder, path), { recursive: true });
  execFileSync('sh', [join(folder, 'operate/compose/prepare.sh')]);
  return join(folder, 'secrets');
}

test('sets only known settings, reads credentials that prepare.sh writes, and publishes only the API on the loopback interface', () => {
  const files = prepared();
  const before = readFileSync(join(files, 'mongodb-url-sweeps'), 'utf8');
  writeFileSync(join(files, 'mongodb-url'), 'of an earlier version');
  prepared();
  expect(readFileSync(join(files, 'mongodb-url-sweeps'), 'utf8')).toBe(before);
  expect(existsSync(join(files, 'mongodb-url'))).toBe(false);
  expect(Object.keys(services).sort()).toEqual([...PARTS, 'mongo', 'nats', 'prepare'].sort());
  for (const name of [...PARTS, 'prepare']) {
    const { environment, user, read_only } = part(name);
    expect(Object.keys(environment ?? {}).filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
    expect({ user, read_only }).toEqual({ user: '10001:10001', read_only: true });
  }
  for (const { file } of Object.values(secrets)) expect(existsSync(join(folder, file)), file).toBe(true);
  expect(Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))).toEqual([
    'api 127.0.0.1:8080:8080',
  ]);
});

test('gives every container limits and no capabilities', () => {
  for (const [name, { cap_drop, security_opt, mem_limit, pids_limit }] of Object.entries(services))
    expect({ name, cap_drop, security_opt, limits: [typeof mem_limit, typeof pids_limit] }).toEqual({
      name,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      limits: ['string', 'number'],
    });
});

test('gives each container only the secrets, volumes and neighbours that its part needs', () => {
  const usersOf = (pick: (service: Service) => string[]) => {
    const users = Object.entries(services).flatMap(([name, service]) => pick(service).map((used) => [used, name]));
    return Object.fromEntries(
      [...Map.groupBy(users, ([used]) => used)].map(([used, all]) => [used, all.map(([, name]) => name)]),
    );
  };
  const subgraphs = ['documents', 'versioning', 'artifacts', 'jobs'];
  expect(usersOf(({ secrets = [] }) => secrets)).toEqual({
    'mongodb-url-admin': ['prepare'],
    'mongodb-url-api': ['prepare', 'api'],
    'mongodb-url-subgraphs': ['prepare', ...subgraphs],
    'mongodb-url-sweeps': ['prepare', 'sweeps'],
    'nats-url': [...subgraphs, 'sweeps'],
    'nats-url-scheduler': ['scheduler'],
    'worker-token': ['api', 'scheduler'],
    'bootstrap-token': ['api'],
    'mongo-key': ['mongo'],
    'mongo-password': ['mongo'],
    'nats-config': ['nats'],
  });
  expect(usersOf(({ volumes = [] }) => volumes.map((volume) => volume.split(':')[0] ?? ''))).toEqual({
    data: ['prepare', ...subgraphs, 'api'],
    sealing: ['prepare', 'sweeps'],
    scheduler: ['scheduler'],
    mongo: ['mongo'],
    nats: ['nats'],
  });
  const neighbours = Object.entries(services).filter(([, { networks = [] }]) =>
    networks.some((network) => part('scheduler').networks?.includes(network)),
  );
  expect(neighbours.map(([name]) => name).sort()).toEqual(['api', 'nats', 'scheduler']);
});

test('pins the images by the digests that the container engine reports', () => {
  for (const path of ['operate/compose/pin-images.sh'])
    cpSync(join(home, path), join(folder, path), { recursive: true });
  const engine = join(folder, 'engine');
  writeFileSync(
    engine,
    '#!/bin/sh\nfor image; do :; done\n[ "$1" = pull ] || printf "%s@sha256:%064d\\n" "$(echo "$image" | cut -d: -f1)" 7\n',
  );
  chmodSync(engine, 0o755);
  writeFileSync(join(folder, '.env'), 'PDM_LOG=json\nMONGO_IMAGE=mongo@sha256:former\n');
  const env = { PATH: [folder, process.env.PATH].join(delimiter), CONTAINER_ENGINE: engine };
  execFileSync('sh', [join(folder, 'operate/compose/pin-images.sh')], { env });
  const lines = readFileSync(join(folder, '.env'), 'utf8').trim().split('\n');
  const compose = readFileSync(join(home, 'docker-compose.yml'), 'utf8');
  const variables = [...compose.matchAll(/\$\{(\w+):-/g)].map(([, name]) => name).sort();
  expect(lines[0]).toBe('PDM_LOG=json');
  expect(lines.slice(1).map((line) => line.split('=')[0])).toEqual(['NODE_IMAGE', 'MONGO_IMAGE', 'NATS_IMAGE']);
  expect([...new Set(variables)]).toEqual(['MONGO_IMAGE', 'NATS_IMAGE', 'NODE_IMAGE']);
  for (const line of lines.slice(1)) expect(line).toMatch(/^\w+=(node|mongo|nats)@sha256:[0-9a-f]{64}$/);
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

describe('the parts with their own environment, secrets, volumes and database user', () => {
  const running = new Map<string, ServiceProcess>();
  const ends: (() => Promise<unknown>)[] = [];
  let store: RestrictedStore;
  let files: string;
  let ports: Map<string, string>;
  let admin: Client;
  let preparing: string;
  let formerKey: string;

  const folderOf = (volume: string) => join(folder, 'volumes', volume);
  const secretsOf = (name: string) => join(folder, 'run', name);
  const own = (path: string) => readFileSync(path, 'utf8').trim();
  const url = () => `http://127.0.0.1:${ports.get('api')}/api/v1`;

  /** Copies the secrets of a service, with the addresses of this machine; its connection is that of its database user. */
  async function provideSecrets(name: string): Promise<void> {
    mkdirSync(secretsOf(name), { recursive: true });
    const { environment = {}, secrets: names = [] } = part(name);
    for (const secret of names) {
      const text = own(join(files, secret));
      const user = /^mongodb:\/\/([^:]+):/.exec(text)?.[1];
      const isConnection = user && environment.MONGODB_URL_FILE === `/run/secrets/${secret}`;
      const here = isConnection
        ? await store.urlOf(user, 'pdm')
        : text.replace('@nats:4222', `@127.0.0.1:${ports.get('nats')}`);
      writeFileSync(join(secretsOf(name), secret), here);
    }
  }

  /** The environment that the file sets, with the addresses and folders of this machine. */
  function environmentOf(name: string): Record<string, string> {
    const { environment = {}, volumes = [] } = part(name);
    const here = (text: string) =>
      text
        .replaceAll('/run/secrets', secretsOf(name))
        .replaceAll(/http:\/\/([a-z]+):\d+/g, (_all, host: string) => `http://127.0.0.1:${ports.get(host)}`);
    const order = ['documents', 'versioning', 'artifacts', 'jobs', 'sweeps'];
    return {
      ...Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, here(value)])),
      PDM_DATA_DIR: folderOf(volumes.find((volume) => volume.endsWith(':/data'))?.split(':')[0] ?? 'none'),
      PDM_HOST: '127.0.0.1',
      PDM_NATS_SERVER_BIN: 'off',
      PDM_SANDBOX_IMPORT: 'limited',
      PDM_PORT: ports.get('api') ?? '',
      PDM_SUBGRAPH_PORT: String(Number(ports.get(name) ?? 4001) - Math.max(0, order.indexOf(name))),
      PDM_SCHEDULER_PORT: ports.get('scheduler') ?? '',
      ...(environment.NATS_URL_FILE && needs('nats-server').isMissing ? { NATS_URL_FILE: '' } : {}),
    };
  }

  async function startNats(): Promise<void> {
    const file = join(folder, 'nats.conf');
    const text = own(join(files, 'nats-config'));
    const data = folderOf('nats');
    writeFileSync(
      file,
      text.replace('4222', `${ports.get('nats')}`).replace('store_dir: /data', `store_dir: "${data}"`),
    );
    const server = spawn(String(process.env.PDM_NATS_SERVER_BIN), ['-a', '127.0.0.1', '-c', file], { stdio: 'ignore' });
    ends.push(async () => {
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    });
  }

  beforeAll(async () => {
    files = prepared();
    const numbers = await freePorts(PARTS.length + 1);
    ports = new Map([...PARTS, 'nats'].map((name, i) => [name, String(numbers[i])]));
    const server = await testServer();
    ends.push(server.stop);
    store = restrictedStore(withDatabase(server.uri, 'pdm'));
    ends.push(() => store.close());
    if (!needs('nats-server').isMissing) await startNats();
    // the key of an installation whose containers shared one volume
    mkdirSync(folderOf('data'), { recursive: true, mode: 0o700 });
    readOrCreateAuditKey(folderOf('data'));
    formerKey = readFileSync(join(folderOf('data'), 'audit-key'), 'utf8');
    for (const name of ['prepare', ...PARTS]) await provideSecrets(name);
    const args = (part('prepare').command ?? [])
      .slice(2)
      .map((arg) => arg.replace('/run/secrets', secretsOf('prepare')).replace('=/sealing', `=${folderOf('sealing')}`));
    const prepare = spawn(process.execPath, ['pdm.mjs', ...args], {
      cwd: home,
      env: { PATH: process.env.PATH, ...environmentOf('prepare') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    preparing = '';
    prepare.stdout.on('data', (text) => {
      preparing += text;
    });
    expect(await once(prepare, 'close')).toEqual([0, null]);
    const start = async (name: string) =>
      running.set(name, await startProcess(environmentOf(name).PDM_DATA_DIR ?? '', environmentOf(name)));
    await Promise.all(PARTS.filter((name) => name !== 'scheduler').map(start));
    await start('scheduler');
    const bootstrap = client(url(), own(join(files, 'bootstrap-token')));
    admin = client(url(), (await bootstrap.post('/setup', { name: 'Ada' })).body.token);
  }, 120_000);
  afterAll(async () => {
    for (const process of [...running.values()].reverse()) await process.end('SIGTERM');
    for (const end of ends.reverse()) await end();
  });

  test('has one data folder without the audit log key, and one with it for the sweeps', () => {
    expect(preparing).toContain('User pdm-sweeps has the privileges of sweeps.');
    expect(readdirSync(folderOf('data')).sort()).toEqual(['audit-key.pub', 'secret']);
    expect(readdirSync(folderOf('sealing')).sort()).toEqual(['audit-key', 'secret']);
    expect(readFileSync(join(folderOf('sealing'), 'audit-key'), 'utf8')).toBe(formerKey);
    expect(readFileSync(join(folderOf('sealing'), 'secret'))).toEqual(readFileSync(join(folderOf('data'), 'secret')));
  });

  test('is healthy at every health check', async () => {
    for (const name of PARTS) {
      const path = /^http:\/\/127\.0\.0\.1:\d+(\/.+)$/.exec(part(name).healthcheck?.test.at(-1) ?? '')?.[1];
      expect([name, path && (await fetch(`http://127.0.0.1:${ports.get(name)}${path}`)).status]).toEqual([name, 200]);
    }
  });

  test('converts a file, creates, releases and exports, and verifies the audit log, without a refused database command', async () => {
    const { body: document } = await admin.post('/documents', { name: 'Bracket', kind: 'model' });
    const { id: workspaceId, draftId } = document.workspaces[0];
    const step = readFileSync(join(home, 'operate/worker-check/block.step'));
    expect((await admin.upload(draftId, 'source', step, { fileName: 'bracket.stp' })).status).toBe(201);
    const jobOf = async (id: string) => (await admin.get(`/versions/${id}/jobs`)).body.items[0];
    await expect.poll(async () => (await jobOf(draftId)).status, { timeout: 30_000 }).toMatch(/done|failed/);
    expect([await jobOf(draftId), store.refused]).toMatchObject([{ status: 'done' }, []]);
    const version = (await admin.post(`/workspaces/${workspaceId}/versions`, { comment: 'first' })).body;
    expect((await admin.post(`/versions/${version.id}/release`)).status).toBe(201);
    const { body: files } = await admin.get(`/versions/${version.id}/artifacts`);
    expect(files.items.map(({ kind }: { kind: string }) => kind)).toContain('glb');
    expect(
      (await admin.post('/webhooks', { url: 'https://hooks.example.com/', types: ['version.released'] })).status,
    ).toBe(201);
    expect(
      (await admin.delete(`/documents/${(await admin.post('/documents', { name: 'X', kind: 'model' })).body.id}`))
        .status,
    ).toBe(204);
    await expect
      .poll(async () => (await admin.get('/audit/verify?waitSeconds=20')).body.verdict, { timeout: 30_000 })
      .toBe('intact');
    expect(store.refused).toEqual([]);
  });

  test('refuses to change or delete audit records, and to create indexes and collections, for every user', async () => {
    for (const user of DATABASE_USERS) {
      const mongo = await connectMongo(await store.urlOf(`pdm-${user}`, 'pdm'));
      const { db } = mongo;
      const audit = db.collection('audit');
      const attempts = [
        audit.deleteMany({}),
        audit.updateOne({}, { $set: { action: 'x' } }),
        audit.createIndex({ at: 1 }, { expireAfterSeconds: 0 }),
        db.createCollection('other'),
        db.dropCollection('audit'),
      ];
      expect([user, ...(await Promise.all(attempts.map((attempt) => attempt.catch(({ code }) => code))))]).toEqual([
        user,
        ...attempts.map(() => NOT_AUTHORIZED),
      ]);
      expect(await audit.countDocuments()).toBeGreaterThan(0);
      await mongo.close();
    }
  });

  test('shows the scheduler neither a database, a key nor the secrets of other parts', () => {
    const mine = new Set([...(part('scheduler').secrets ?? []), 'nats-password-scheduler']);
    const others = readdirSync(files).filter((name) => !mine.has(name));
    const readable = [
      readFileSync(`/proc/${running.get('scheduler')?.pid}/environ`, 'utf8'),
      ...[secretsOf('scheduler'), folderOf('scheduler')].flatMap((path) =>
        readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
      ),
    ].join('\n');
    expect(readable).not.toMatch(/mongodb(\+srv)?:/);
    expect(readable).not.toContain('PRIVATE KEY');
    expect(readable).not.toContain(readFileSync(join(folderOf('data'), 'secret'), 'latin1'));
    expect(others.filter((name) => readable.includes(own(join(files, name))))).toEqual([]);
  });

  test('rejects every request of the token of the scheduler that is not a worker route', async () => {
    const token = own(join(secretsOf('scheduler'), 'worker-token'));
    const routes = MATRIX.filter(({ what }) => /^[A-Z]+ \//.test(what));
    expect(routes.length).toBeGreaterThan(100);
    const routeOf = ({ what }: (typeof routes)[number]) => what.replace(/\?.*/, '');
    const ofWorkers = new Set(
      routes.filter(({ cells }) => cells.worker !== '403' || cells.holder !== '403').map(routeOf),
    );
    const allowed: string[] = [];
    for (const route of routes.filter((route) => !ofWorkers.has(routeOf(route)))) {
      const [method = '', path = ''] = route.what.split(' ');
      const response = await fetch(url() + path.replaceAll(/:\w+/g, 'x'), {
        method,
        headers: { authorization: `Bearer ${token}`, ...(route.with ? { 'content-type': 'application/json' } : {}) },
        ...(route.with ? { body: route.with } : {}),
      });
      if (response.status !== 403) allowed.push(`${route.what}: ${response.status}`);
    }
    expect(allowed).toEqual([]);
  });
});
