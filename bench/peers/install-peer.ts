import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the files and packages of a peer in `home`, isolated from the product. Returns null, or the reason it
 * failed.
 */
export function installPeer(from: string, home: string, files: readonly string[]): string | null {
  mkdirSync(home, { recursive: true });
  const upToDate = existsSync(join(home, 'node_modules')) && sameText(join(from, LOCK), join(home, LOCK));
  for (const file of files) copyFileSync(join(from, file), join(home, file));
  if (upToDate) return null;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: home,
    stdio: 'ignore',
  });
  return status === 0 ? null : `npm ci failed in ${from}`;
}

const LOCK = 'package-lock.json';
const sameText = (one: string, other: string): boolean =>
  existsSync(other) && readFileSync(one, 'utf8') === readFileSync(other, 'utf8');
