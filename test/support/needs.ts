// What some tests need beyond `npm ci`. A test that lacks it is skipped, and the report at the end says why.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Programs with the Debian package that contains them. */
export const PACKAGES = {
  chromium: 'chromium',
  bubblewrap: 'bubblewrap',
  'nats-server': 'nats-server',
  prometheus: 'prometheus',
  openssl: 'openssl',
  python3: 'python3',
  curl: 'curl',
  cc: 'gcc libc6-dev',
} as const;
/** Other requirements, with the way to fulfil them. */
export const CONDITIONS = {
  root: 'run as root, to mount a small disk',
  'control groups': 'run as root on a machine with writable control groups',
  Linux: 'run on Linux',
  'embedded store': 'unset MONGODB_URL',
  'MongoDB server': 'set MONGODB_URL',
  'client bulk writes': 'set MONGODB_URL to MongoDB 8',
  'MongoDB specifications': 'set MONGODB_SPECS_DIR',
  'STEP files': 'set PDM_STEP_DIR',
  'CAD files': 'set PDM_CAD_DIR',
  'reference fonts': 'install fonts-dejavu and fonts-liberation',
  'former commit': 'clone the repository with its history',
  'single process': 'unset PDM_TEST_SPLIT',
  'long tests': 'npm run test:faults',
  'API client tools': 'npm run test:clients',
} as const;

export type Need = keyof typeof PACKAGES | keyof typeof CONDITIONS;

/** Whether something that a test needs is missing; `title` adds it to the title of a test that is skipped for it. */
export type Availability = { isMissing: boolean; title(name: string): string };

/**
 * Checks what a test needs. `isAvailable` overrides the detection. Use: `describe.skipIf(browser.isMissing)` with
 * `browser.title('…')`.
 */
export function needs(need: Need, isAvailable: boolean = detect(need)): Availability {
  return { isMissing: !isAvailable, title: (name) => (isAvailable ? name : `${name} (${notRun(need)})`) };
}

/** Combines what a test needs: the first that is missing, if any. */
export function allOf(first: Availability, ...others: readonly Availability[]): Availability {
  return [first, ...others].find(({ isMissing }) => isMissing) ?? first;
}

/** Returns the note of a skipped test, for `skip(notRun('root'))`. The report at the end of the run reads it. */
export function notRun(need: Need): string {
  return `not run: ${need}`;
}

/** Returns the path of an installed Chromium, or null. */
export function findChromium(): string | null {
  const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return paths.find((path) => existsSync(path)) ?? null;
}

function detect(need: Need): boolean {
  switch (need) {
    case 'chromium':
      return findChromium() !== null;
    case 'nats-server':
      return (process.env.PDM_NATS_SERVER_BIN ?? 'off') !== 'off';
    case 'python3':
      return runs('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))');
    case 'openssl':
      return runs('openssl', 'version');
    case 'bubblewrap':
      return runs('bwrap', '--version');
    case 'cc':
      return process.platform === 'linux' && runs('cc', '--version');
    case 'prometheus':
    case 'curl':
      return runs(need, '--version');
    case 'Linux':
      return process.platform === 'linux';
    case 'embedded store':
      return !process.env.MONGODB_URL;
    case 'MongoDB server':
      return Boolean(process.env.MONGODB_URL);
    case 'single process':
      return !process.env.PDM_TEST_SPLIT;
    default:
      throw new Error(`State whether ${need} is available`);
  }
}

function runs(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
