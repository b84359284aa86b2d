// Sets up what is missing, then runs the rest of the command line on the pinned Node.
// Plain JavaScript for whatever Node the machine has: `node launch.mjs app/main.ts`, `node launch.mjs vitest run`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const home = dirname(fileURLToPath(import.meta.url));
const at = (...parts) => join(home, ...parts);
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

// Is every required package of the lock file installed in the version it names? npm keeps the list of what it installed.
function installed() {
  const list = at('node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const wanted = readJson(at('package-lock.json')).packages;
  const present = packagesIn(list);
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => !path || (present[path] ? present[path].version === version : optional),
  );
}

// An installation that was cut off may have left half a list: that is none.
function packagesIn(list) {
  try {
    return readJson(list).packages ?? {};
  } catch {
    return {};
  }
}

// npm run puts itself and its own Node in the environment; from a bare shell it is looked up.
function install() {
  console.error('Setting up: installing the packages of package-lock.json (about a minute, once) …');
  const npm = process.env.npm_execpath;
  // All of them, whatever NODE_ENV or a .npmrc leaves out: else every start would find some missing and install again.
  const all = ['--include=dev', '--include=optional', '--include=peer'];
  const arguments_ = ['ci', ...all, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = npm
    ? spawnSync(process.execPath, [npm, ...arguments_], { cwd: home, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', arguments_, { cwd: home, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (status === 0) return;
  console.error(
    `The packages could not be installed${error ? ` (${error.message})` : ''}. What npm said stands above; with a network, run the same command again.`,
  );
  process.exit(1);
}

// The pinned Node is an optional package of the platform; elsewhere the machine's own must do.
function runtime() {
  const pinned = Object.keys(readJson(at('package.json')).optionalDependencies)
    .map((name) => at('node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))
    .find(existsSync);
  if (pinned) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  console.error(
    `This is Node ${process.versions.node}; Node 24 is needed and its package for ${process.platform}-${process.arch} is not installed. Run \`npm ci --ignore-scripts\` again with a network, or install Node 24.`,
  );
  process.exit(1);
}

// 'vitest' → the file behind node_modules/.bin/vitest; 'app/main.ts' stays
function script(name) {
  if (/\.[mc]?[jt]s$/.test(name)) return resolve(home, name);
  const shim = at('node_modules', '.bin', name);
  if (existsSync(shim)) return shim;
  console.error(`There is no command ${name}.`);
  process.exit(1);
}

if (!installed()) install();
const given = process.argv.slice(2);
const first = given.findIndex((argument) => !argument.startsWith('-'));
const child = spawn(
  runtime(),
  // A bill of 10,000 rows is much that soon is garbage: with room for it less is carried about.
  // And no more threads beside the one that answers than there are processors for: those that look for garbage would take its own.
  [
    '--disable-proto=throw',
    '--unhandled-rejections=strict',
    '--max-semi-space-size=32',
    '--v8-pool-size=0',
    ...given.slice(0, first),
    script(given[first]),
    ...given.slice(first + 1),
  ],
  // compiled code of an earlier start, for half the time to the first answer
  { stdio: 'inherit', env: { NODE_COMPILE_CACHE: at('node_modules', '.cache', 'node'), ...process.env } },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', ({ message }) => {
  console.error(
    `The Node of this platform could not be run (${message}). Install Node 24 and run the same command with it.`,
  );
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
