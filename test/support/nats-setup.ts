// Global setup: finds a nats-server, or downloads the Debian package and unpacks it in the cache of node_modules; does
// not install it on the machine.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { natsProgram } from '../../app/nats-process.ts';

const cache = join(import.meta.dirname, '../../node_modules/.cache/nats-server');
const unpacked = join(cache, 'usr/sbin/nats-server');

/**
 * Sets PDM_NATS_SERVER_BIN for the tests and the services they start. Without a server, the tests that need one are
 * skipped.
 */
export function setup(): void {
  const found =
    natsProgram(process.env.PDM_NATS_SERVER_BIN ?? null, (process.env.PATH ?? '').split(delimiter)) ??
    (process.env.PDM_NATS_SERVER_BIN === 'off' ? null : download());
  if (found) process.env.PDM_NATS_SERVER_BIN = found;
}

function download(): string | null {
  if (existsSync(unpacked)) return unpacked;
  if (process.platform !== 'linux') return null;
  mkdirSync(cache, { recursive: true });
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, args, { cwd: cache, stdio: 'ignore', timeout: 60_000 }).status === 0;
  const downloadPackage = () => run('apt-get', 'download', 'nats-server');
  if (!downloadPackage() && !(process.getuid?.() === 0 && run('apt-get', 'update') && downloadPackage())) return null;
  const file = readdirSync(cache).find((name) => name.endsWith('.deb'));
  return file && run('dpkg-deb', '-x', file, '.') && existsSync(unpacked) ? unpacked : null;
}
