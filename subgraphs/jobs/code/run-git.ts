// Runs git with untrusted input: no user configuration, credentials, hooks or shell; one protocol; limits on time and
// size.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * What a git command may access: the only protocol (`none` for no network), the address its host is pinned to, a CA
 * file and an authorization header.
 */
export type GitAccess = {
  protocol: 'https' | 'file' | 'none';
  pinned?: string;
  caFile?: string | null;
  authorization?: string | null;
};

/** A failed git command; `message` can be shown to users. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/** The maximum size of a file that git writes, such as a pack, and of the fetched code, in bytes. */
export const MAX_BYTES = 64 * 2 ** 20;

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
 * Runs git without a shell and returns its output. Untrusted arguments must follow `--end-of-options`. Throws a
 * GitError if git fails, prints more than `maxOutput` bytes, or runs until the signal aborts. Killing git also kills its
 * child processes.
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
  const resourceLimits = existsSync(PRLIMIT) ? [PRLIMIT, `--fsize=${MAX_BYTES}`, '--core=0', '--'] : [];
  const [program = 'git', ...rest] = [...resourceLimits, 'git', '--no-pager', ...settings, ...args];

  return new Promise((resolve, reject) => {
    if (signal.aborted) throw new GitError('the fetch timed out');
    // A separate process group, so that killing git also kills its helper processes.
    const env = { ...ENVIRONMENT, GIT_ALLOW_PROTOCOL: access.protocol, ...authorizationEnv(access) };
    const child = spawn(program, rest, { env, detached: true, stdio: 'pipe' });
    let failure: GitError | null = null;
    const kill = (reason: GitError) => {
      failure ??= reason;
      if (child.pid) killGroup(child.pid);
    };
    const onAbort = () => kill(new GitError('the fetch timed out'));
    signal.addEventListener('abort', onAbort, { once: true });

    const output: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      output.push(chunk);
      size += chunk.length;
      if (size > maxOutput) kill(new GitError('the repository is too large'));
    });
    let errorOutput = '';
    child.stderr.setEncoding('latin1').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(0, 4000);
    });
    // git may exit before it has read all input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);

    child.on('error', (error) => {
      failure ??= new GitError(
        'code' in error && error.code === 'ENOENT' ? 'git is not installed where the service runs' : error.message,
      );
    });
    child.on('close', (code) => {
      signal.removeEventListener('abort', onAbort);
      if (failure) reject(failure);
      else if (code !== 0) reject(new GitError(errorMessageOf(errorOutput) || `git exited with ${code}`));
      else resolve(Buffer.concat(output));
    });
  });
}

// Passed in the environment, because every user of the machine can see command lines.
function authorizationEnv({ authorization }: GitAccess): Record<string, string> {
  return authorization
    ? { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'http.extraHeader', GIT_CONFIG_VALUE_0: authorization }
    : {};
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The process group has already exited.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const MAX_MESSAGE_LENGTH = 300;

// Returns the last error of git itself, without lines printed by the remote side.
function errorMessageOf(errorOutput: string): string {
  const own = errorOutput
    .split(/[\r\n]+/)
    .filter((line) => /^(fatal|error): /.test(line))
    .map((line) => line.replace(/^(fatal|error): /, '').replace(/[^\x20-\x7e]/g, ''));
  return (own.find((line) => !line.startsWith('unable to write')) ?? own[0] ?? '').slice(0, MAX_MESSAGE_LENGTH);
}
