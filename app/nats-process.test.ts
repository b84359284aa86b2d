import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectNats, type NatsConnection } from 'nats';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { natsDispatch, natsPermits } from '../subgraphs/core/platform/dispatch-nats.ts';
import { createLog } from '../subgraphs/core/platform/log.ts';
import { needs } from '../test/support/needs.ts';
import { type NatsProcess, natsProgram, startNatsProcess } from './nats-process.ts';

const log = createLog({ name: 'test', pretty: false, level: 'silent' });
const program = String(process.env.PDM_NATS_SERVER_BIN);
let dataDir: string;
let server: NatsProcess | null = null;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'pdm-nats-'));
});
afterEach(async () => {
  await server?.stop();
  server = null;
  rmSync(dataDir, { recursive: true, force: true });
});

async function listens(port: string): Promise<boolean> {
  const socket = connect(Number(port), '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const SUBJECTS = [
  '$JS.ACK.PDM_EVENTS.x',
  '$JS.ACK.PDM_JOBS.x',
  '$JS.API.CONSUMER.CREATE.PDM_EVENTS.x',
  '$JS.API.CONSUMER.CREATE.PDM_JOBS.x',
  '$JS.API.CONSUMER.DELETE.PDM_JOBS.x',
  '$JS.API.CONSUMER.INFO.PDM_EVENTS.x',
  '$JS.API.CONSUMER.INFO.PDM_JOBS.x',
  '$JS.API.CONSUMER.MSG.NEXT.PDM_EVENTS.x',
  '$JS.API.CONSUMER.MSG.NEXT.PDM_JOBS.x',
  '$JS.API.STREAM.CREATE.x',
  '$JS.API.STREAM.DELETE.PDM_EVENTS',
  '$JS.API.STREAM.INFO.PDM_EVENTS',
  '$JS.API.STREAM.INFO.PDM_JOBS',
  '$JS.API.STREAM.MSG.DELETE.PDM_EVENTS',
  '$JS.API.STREAM.MSG.GET.PDM_EVENTS',
  '$JS.API.STREAM.MSG.GET.PDM_JOBS',
  '$JS.API.STREAM.PURGE.PDM_JOBS',
  '$JS.API.STREAM.UPDATE.PDM_JOBS',
  '$SYS.x',
  '>',
  '_INBOX.x',
  '_INBOX_EVENTS.x',
  '_INBOX_SCHEDULER.x',
  'pdm.events.>',
  'pdm.events.x',
  'pdm.jobs.ready.convert',
];

/** Returns which of these subjects a user of the server may publish and subscribe to. */
async function permissionsOf(user: string): Promise<{ publish: string[]; subscribe: string[] }> {
  const configuration = readFileSync(join(dataDir, 'nats', 'nats.conf'), 'utf8');
  const pass = new RegExp(`^${user}_password: "(\\w+)"`, 'm').exec(configuration)?.[1] ?? '';
  const connection = await connectNats({ servers: new URL(server!.url).host, user, pass });
  const denied = collectDenied(connection);
  const concrete = SUBJECTS.filter((subject) => !subject.includes('>'));
  for (const subject of SUBJECTS) connection.subscribe(subject, { callback: () => {} });
  for (const subject of [...concrete, LAST_SUBJECT]) connection.publish(subject);
  const found = await denied;
  await connection.close();
  return {
    publish: concrete.filter((subject) => !found.has(`publish ${subject}`)),
    subscribe: SUBJECTS.filter((subject) => !found.has(`subscription ${subject}`)),
  };
}

// Nobody may publish to it, so that all errors have arrived when its error arrives.
const LAST_SUBJECT = 'last';

async function collectDenied(connection: NatsConnection): Promise<Set<string>> {
  const denied = new Set<string>();
  for await (const { permissionContext } of connection.status()) {
    if (permissionContext) denied.add(`${permissionContext.operation} ${permissionContext.subject}`);
    if (permissionContext?.subject === LAST_SUBJECT) break;
  }
  return denied;
}

test('finds the configured program, else the first in the given folders; `off` disables it', () => {
  const name = process.platform === 'win32' ? 'nats-server.exe' : 'nats-server';
  writeFileSync(join(dataDir, name), '', { mode: 0o755 });
  expect(natsProgram(null, [dataDir])).toBe(join(dataDir, name));
  expect(natsProgram(join(dataDir, name), [])).toBe(join(dataDir, name));
  expect(natsProgram(join(dataDir, 'nothing'), [dataDir])).toBeNull();
  expect(natsProgram('off', [dataDir])).toBeNull();
});

const natsServer = needs('nats-server');
describe.skipIf(natsServer.isMissing)(natsServer.title('a nats-server beside the service'), () => {
  test('offers JetStream, requires a password, and is restarted when it exits', async () => {
    server = await startNatsProcess({ program, dataDir, log });
    const { host, username: user, password: pass } = new URL(server!.url);
    await expect(connectNats({ servers: host, reconnect: false })).rejects.toThrow(/authorization/i);
    const before = server!.pid();
    process.kill(before, 'SIGKILL');
    await expect.poll(() => server!.pid() !== before && server!.pid() !== 0, { timeout: 20_000 }).toBe(true);
    const connection = await connectNats({ servers: host, user, pass, waitOnFirstConnect: true });
    expect(connection.info?.jetstream).toBe(true);
    await connection.close();
  });

  test('lets schedulers receive job notifications, and nothing else', async () => {
    server = await startNatsProcess({ program, dataDir, log });
    const dispatch = natsDispatch({ url: server!.url, log });
    const permits = natsPermits({ url: server!.schedulerUrl, log });
    try {
      await expect.poll(() => dispatch.up() && permits.up(), { timeout: 20_000 }).toBe(true);
      dispatch.notify('convert', 'job_1:0');
      const wait = { max: 1, milliseconds: 10_000, signal: new AbortController().signal };
      const [permit] = await permits.next(['convert'], wait);
      permit?.done();
      expect(await permits.next(['convert'], { ...wait, milliseconds: 300 })).toEqual([]);
      expect(permits.up()).toBe(true);
    } finally {
      await permits.stop();
      await dispatch.stop();
    }
    expect(await permissionsOf('scheduler')).toEqual({
      publish: ['$JS.ACK.PDM_JOBS.x', '$JS.API.CONSUMER.INFO.PDM_JOBS.x', '$JS.API.CONSUMER.MSG.NEXT.PDM_JOBS.x'],
      subscribe: ['_INBOX_SCHEDULER.x'],
    });
  });

  test('lets readers of events read them, and nothing else', async () => {
    server = await startNatsProcess({ program, dataDir, log });
    expect(await permissionsOf('events')).toEqual({
      publish: [
        '$JS.API.CONSUMER.INFO.PDM_JOBS.x',
        '$JS.API.STREAM.INFO.PDM_EVENTS',
        '$JS.API.STREAM.INFO.PDM_JOBS',
        '$JS.API.STREAM.MSG.GET.PDM_EVENTS',
      ],
      subscribe: ['_INBOX_EVENTS.x', 'pdm.events.>', 'pdm.events.x', 'pdm.jobs.ready.convert'],
    });
  });

  test('starts with empty data when its stored data is unreadable', async () => {
    mkdirSync(join(dataDir, 'nats'));
    writeFileSync(join(dataDir, 'nats', 'store'), 'no folder');
    server = await startNatsProcess({ program, dataDir, log });
    expect(readdirSync(join(dataDir, 'nats', 'store'))).toEqual(['jetstream']);
  });

  test('returns null when the server does not start', async () => {
    expect(await startNatsProcess({ program: process.execPath, dataDir, log })).toBeNull();
  });

  test('ends with the service, even when the service is killed', async () => {
    const script = `import { startNatsProcess } from '${new URL('./nats-process.ts', import.meta.url)}';
      const quiet = { warn() {}, info() {} };
      const { url } = await startNatsProcess({ program: '${program}', dataDir: '${dataDir}', log: quiet });
      console.log(url); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(child.stdout, 'data');
    const { port } = new URL(String(said).trim());
    expect(await listens(port)).toBe(true);
    child.kill('SIGKILL');
    await expect.poll(() => listens(port), { timeout: 20_000 }).toBe(false);
  });
});
