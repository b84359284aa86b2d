import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectNats } from 'nats';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
  test('offers JetStream, requires its token, and is restarted when it exits', async () => {
    server = await startNatsProcess({ program, dataDir, log });
    const { host, username } = new URL(server!.url);
    await expect(connectNats({ servers: host, reconnect: false })).rejects.toThrow(/authorization/i);
    const before = server!.pid();
    process.kill(before, 'SIGKILL');
    await expect.poll(() => server!.pid() !== before && server!.pid() !== 0, { timeout: 20_000 }).toBe(true);
    const connection = await connectNats({ servers: host, token: username, waitOnFirstConnect: true });
    expect(connection.info?.jetstream).toBe(true);
    await connection.close();
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
