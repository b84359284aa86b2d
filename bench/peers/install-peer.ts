import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the packages of a peer with its files in a folder below node_modules/.cache: beside the packages of the product, where nothing of the
 * product looks. Answers with null, or why it could not.
 */
export function installPeer(from: string, home: string, files: readonly string[]): string | null {
  mkdirSync(home, { recursive: true });
  const done = existsSync(join(home, 'node_modules')) && sameText(join(from, LOCK), join(home, LOCK));
  for (const file of files) copyFileSync(join(from, file), join(home, file));
  if (done) return null;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: home,
    stdio: 'ignore',
  });
  return status === 0 ? null : `its packages could not be installed (npm ci in ${from})`;
}

const LOCK = 'package-lock.json';
const sameText = (one: string, other: string): boolean =>
  existsSync(other) && readFileSync(one, 'utf8') === readFileSync(other, 'utf8');
