// A real nats-server that the test starts and stops.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';

export type TestNats = {
  url: string;
  /** Starts the server, by default with JetStream; earlier data is kept. */
  start(options?: { jetStream?: boolean }): Promise<void>;
  stop(): Promise<void>;
  /** Deletes the stored data; the server must be stopped. */
  wipe(): void;
  close(): Promise<void>;
};

/** Prepares a server on a free loopback port without starting it. */
export async function testNats(): Promise<TestNats> {
  const folder = mkdtempSync(join(tmpdir(), 'pdm-nats-'));
  const [port = 0] = await freePorts(1);
  let child: ChildProcess | null = null;

  async function stop(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    start: async ({ jetStream = true } = {}) => {
      const js = jetStream ? ['-js', '-sd', folder] : [];
      child = spawn(String(process.env.PDM_NATS_SERVER_BIN), ['-a', '127.0.0.1', '-p', String(port), ...js], {
        stdio: 'ignore',
      });
      while (!(await isListening(port)))
        if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`);
    },
    stop,
    wipe: () => rmSync(join(folder, 'jetstream'), { recursive: true, force: true }),
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'data');
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return false;
  } finally {
    socket.destroy();
  }
}
