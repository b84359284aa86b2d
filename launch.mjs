// Installs missing packages, then runs a script or package binary on the pinned Node: `node launch.mjs app/main.ts`,
// `node launch.mjs vitest run`. Plain JavaScript, because the installed Node may be older.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const at = (...parts) => join(root, ...parts);
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

// Compares the lock file with npm's list of installed packages.
function isInstalled() {
  const list = at('node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const required = readJson(at('package-lock.json')).packages;
  const installed = packagesIn(list);
  return Object.entries(required).every(
    ([path, { version, optional }]) => !path || (installed[path] ? installed[path].version === version : optional),
  );
}

// An interrupted installation may leave a truncated list.
function packagesIn(list) {
  try {
    return readJson(list).packages ?? {};
  } catch {
    return {};
  }
}

const isSetting = (name) => /^(PDM|OIDC|MONGODB_URL|NATS_URL)(_|$)/.test(name);

// Inside `npm run`, npm_execpath is the running npm; otherwise npm is found through PATH.
function install() {
  console.error('Installing the packages of package-lock.json (first start, about a minute) …');
  const npm = process.env.npm_execpath;
  // Override NODE_ENV and .npmrc: omitted packages would be installed again on every start.
  const include = ['--include=dev', '--include=optional', '--include=peer'];
  const args = ['ci', ...include, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm needs no settings of the service, which contain credentials.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSetting(name)));
  const options = { cwd: root, stdio: ['ignore', 2, 2], env };
  const { status, error } = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (status === 0) return;
  console.error(
    `Installing the packages failed${error ? ` (${error.message})` : ''}; see the npm output above. Check the network and run the command again.`,
  );
  process.exit(1);
}

// The pinned Node is an optional package; on platforms without it, the running Node must be recent enough.
function runtime() {
  const pinned = Object.keys(readJson(at('package.json')).optionalDependencies)
    .map((name) => at('node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))
    .find(existsSync);
  if (pinned) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  console.error(
    `Node 24 is required, this is Node ${process.versions.node}, and the Node package for ${process.platform}-${process.arch} is not installed. Run \`npm ci --ignore-scripts\` with a network connection, or install Node 24.`,
  );
  process.exit(1);
}

// Resolves `vitest` to node_modules/.bin/vitest; paths such as app/main.ts are relative to the repository.
function script(name) {
  if (/\.[mc]?[jt]s$/.test(name)) return resolve(root, name);
  const shim = at('node_modules', '.bin', name);
  if (existsSync(shim)) return shim;
  console.error(`Unknown command: ${name}`);
  process.exit(1);
}

if (!isInstalled()) install();
const argv = process.argv.slice(2);
const first = argv.findIndex((argument) => !argument.startsWith('-'));
const child = spawn(
  runtime(),
  // Large BOMs allocate many short-lived objects: a bigger young generation avoids promoting them.
  // No V8 worker threads: garbage collection threads would compete with the main thread for CPUs.
  [
    '--disable-proto=throw',
    '--unhandled-rejections=strict',
    '--max-semi-space-size=32',
    '--v8-pool-size=0',
    ...argv.slice(0, first),
    script(argv[first]),
    ...argv.slice(first + 1),
  ],
  // The compile cache halves the time to the first response.
  { stdio: 'inherit', env: { NODE_COMPILE_CACHE: at('node_modules', '.cache', 'node'), ...process.env } },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', ({ message }) => {
  console.error(`Starting the pinned Node failed (${message}). Install Node 24 and run the command with it.`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
