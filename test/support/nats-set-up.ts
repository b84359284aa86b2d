// Before the tests: finds a real nats-server, or fetches Debian's package and unpacks it beside the other packages; nothing
// is installed on the machine.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { natsProgram } from '../../app/nats-process.ts';

const cache = join(import.meta.dirname, '../../node_modules/.cache/nats-server');
const unpacked = join(cache, 'usr/sbin/nats-server');

/** Sets PDM_NATS_SERVER_BIN for the tests and the services they start; without a server it says so, and the tests that need one are skipped. */
export function setup(): void {
  const found =
    natsProgram(process.env.PDM_NATS_SERVER_BIN ?? null, (process.env.PATH ?? '').split(delimiter)) ??
    (process.env.PDM_NATS_SERVER_BIN === 'off' ? null : fetched());
  if (found) process.env.PDM_NATS_SERVER_BIN = found;
  else
    console.warn(
      '\nNOT RUN: the tests with a real nats-server. Install one (apt-get install nats-server) or name it in PDM_NATS_SERVER_BIN.\n',
    );
}

function fetched(): string | null {
  if (existsSync(unpacked)) return unpacked;
  if (process.platform !== 'linux') return null;
  mkdirSync(cache, { recursive: true });
  const run = (program: string, ...given: string[]) =>
    spawnSync(program, given, { cwd: cache, stdio: 'ignore', timeout: 60_000 }).status === 0;
  const download = () => run('apt-get', 'download', 'nats-server');
  if (!download() && !(process.getuid?.() === 0 && run('apt-get', 'update') && download())) return null;
  const file = readdirSync(cache).find((name) => name.endsWith('.deb'));
  return file && run('dpkg-deb', '-x', file, '.') && existsSync(unpacked) ? unpacked : null;
}
