// git as a stranger's tool: no configuration but ours, no credentials, no hooks, no shell, one protocol, limits on time, output and files written.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * What a step of git may do: the one protocol it may speak (`none`: stay off the network), the address its host is pinned to, its own CA file, the header
 * by which it signs in.
 */
export type GitAccess = {
  protocol: 'https' | 'file' | 'none';
  pinned?: string;
  caFile?: string | null;
  authorization?: string | null;
};

/** A step of git did not end well; `message` is fit to be shown. */
export class GitFault extends Error {
  override readonly name = 'GitFault';
}

/** The largest file that git may write: a pack is one. */
export const MOST_BYTES = 64 * 2 ** 20;

const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '/bin/false',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_LFS_SKIP_SMUDGE: '1',
  GIT_OPTIONAL_LOCKS: '0',
};

const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.symlinks=false',
  'core.fsmonitor=false',
  'core.askPass=/bin/false',
  'credential.helper=',
  'http.followRedirects=false',
  'http.sslVerify=true',
  'http.proxy=',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=10',
  'protocol.version=2',
  'transfer.fsckObjects=true',
  'fetch.recurseSubmodules=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

const PRLIMIT = '/usr/bin/prlimit';

/**
 * Runs git without a shell and answers with what it printed. Every argument that comes from outside must follow `--end-of-options`. Throws a
 * GitFault when it fails, prints more than `maxOutput` bytes, or does not end before the signal aborts; nothing it started outlives it.
 */
export function runGit(
  args: readonly string[],
  {
    access,
    signal,
    input,
    maxOutput = 8 * 2 ** 20,
  }: { access: GitAccess; signal: AbortSignal; input?: string; maxOutput?: number },
): Promise<Buffer> {
  const settings = [
    ...SETTINGS,
    ...(access.pinned ? [`http.curloptResolve=${access.pinned}`] : []),
    ...(access.caFile ? [`http.sslCAInfo=${access.caFile}`] : []),
  ].flatMap((setting) => ['-c', setting]);
  const limited = existsSync(PRLIMIT) ? [PRLIMIT, `--fsize=${MOST_BYTES}`, '--core=0', '--'] : [];
  const [program = 'git', ...rest] = [...limited, 'git', '--no-pager', ...settings, ...args];

  return new Promise((resolve, reject) => {
    if (signal.aborted) throw new GitFault('it took too long');
    // a group of its own: git's helpers end with it
    const env = { ...ENVIRONMENT, GIT_ALLOW_PROTOCOL: access.protocol, ...signedIn(access) };
    const child = spawn(program, rest, { env, detached: true, stdio: 'pipe' });
    let fault: GitFault | null = null;
    const kill = (why: GitFault) => {
      fault ??= why;
      if (child.pid) killGroup(child.pid);
    };
    const late = () => kill(new GitFault('it took too long'));
    signal.addEventListener('abort', late, { once: true });

    const printed: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      printed.push(chunk);
      size += chunk.length;
      if (size > maxOutput) kill(new GitFault('the repository is too large'));
    });
    let complaint = '';
    child.stderr.setEncoding('latin1').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, 4000);
    });
    // git may end before it has read all
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);

    child.on('error', (error) => {
      fault ??= new GitFault(
        'code' in error && error.code === 'ENOENT' ? 'git is not installed where the service runs' : error.message,
      );
    });
    child.on('close', (code) => {
      signal.removeEventListener('abort', late);
      if (fault) reject(fault);
      else if (code !== 0) reject(new GitFault(inWords(complaint) || `git ended with ${code}`));
      else resolve(Buffer.concat(printed));
    });
  });
}

// In the environment: arguments are shown to every user of the machine.
function signedIn({ authorization }: GitAccess): Record<string, string> {
  return authorization
    ? { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'http.extraHeader', GIT_CONFIG_VALUE_0: authorization }
    : {};
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // gone already
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const LONGEST = 300;

// The last thing git itself said; lines that the other side had printed are a stranger's.
function inWords(complaint: string): string {
  const own = complaint
    .split(/[\r\n]+/)
    .filter((line) => /^(fatal|error): /.test(line))
    .map((line) => line.replace(/^(fatal|error): /, '').replace(/[^\x20-\x7e]/g, ''));
  return (own.find((line) => !line.startsWith('unable to write')) ?? own[0] ?? '').slice(0, LONGEST);
}
