// Fetches the folder of a generator from a Git repository into a temporary bare repository and reads it object by
// object. Nothing is checked out, so no path, link, attribute, hook or filter of the repository takes effect.
import { realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fitsArchive, isSafePath, type TreeFile } from '../../core/domain/jobs/code-archive.ts';
import {
  type CodeLocation,
  type GitPolicy,
  hostWithPort,
  isCommit,
  localFolder,
  remoteAddress,
} from '../../core/domain/jobs/code-location.ts';
import { gitAuthorization } from './git-credentials.ts';
import { type Resolve, resolveGitHost } from './resolve-git-host.ts';
import { type GitAccess, GitError, MAX_BYTES, runGit } from './run-git.ts';

/** The commit that the ref resolved to, and the files below the path. */
export type FetchedCode = { commit: string; files: TreeFile[] };

const TIMEOUT_MS = 30_000;
const MAX_FILES = 5_000;
const MAX_FILE_BYTES = 5 * 2 ** 20;
const LOCAL_REF = 'refs/pdm/x';

/**
 * Fetches the code at a validated location. Throws a GitError if the host, repository, ref or folder is missing or not
 * allowed, on redirects, links and submodules, and above the limits: 5,000 files, 5 MiB per file, 64 MiB in all, 30 s.
 */
export async function fetchCode(
  location: CodeLocation,
  { policy, signal, resolve }: { policy: GitPolicy; signal: AbortSignal; resolve?: Resolve },
): Promise<FetchedCode> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const { url, access } = await resolveAccess(location.repoUrl, policy, resolve);
  const folder = await mkdtemp(join(tmpdir(), 'pdm-git-'));
  const git = (args: string[], options: { access?: GitAccess; input?: string; maxOutput?: number } = {}) =>
    runGit(args, { access: OFFLINE_ACCESS, signal: deadline, ...options });
  const inFolder = (...args: string[]) => ['-C', folder, ...args];
  try {
    await git(['init', '-q', '--bare', '--template=', folder]);
    const source = isCommit(location.ref)
      ? location.ref
      : await resolveRef(url, location.ref, (args) => git(args, { access }));
    const fetch = [
      'fetch',
      '-q',
      '--depth',
      '1',
      '--no-tags',
      '--no-recurse-submodules',
      '--no-write-fetch-head',
      '--filter=blob:limit=5m',
    ];
    await git(inFolder(...fetch, '--end-of-options', url, `+${source}:${LOCAL_REF}`), { access });
    const commit = (await git(inFolder('rev-parse', '--verify', '--end-of-options', `${LOCAL_REF}^{commit}`)))
      .toString()
      .trim();
    const entries = parseEntries(await listTree(location, (args) => git(inFolder(...args))), location);
    const objects = await git(inFolder('rev-list', '--objects', '--missing=print', '--no-object-names', LOCAL_REF));
    const lines = objects.toString('latin1').split('\n');
    const missing = new Set(lines.filter((line) => line.startsWith('?')).map((line) => line.slice(1)));
    // The filter of the fetch leaves out large files.
    const tooLarge = entries.find(({ id }) => missing.has(id));
    if (tooLarge) throw new GitError(fileTooLarge(tooLarge.path));
    const output = await git(inFolder('cat-file', '--batch'), {
      input: entries.map(({ id }) => `${id}\n`).join(''),
      maxOutput: MAX_BYTES,
    });
    return { commit, files: parseBlobs(entries, output) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const OFFLINE_ACCESS: GitAccess = { protocol: 'none' };

async function resolveAccess(
  repoUrl: string,
  policy: GitPolicy,
  resolve?: Resolve,
): Promise<{ url: string; access: GitAccess }> {
  const folder = localFolder(repoUrl);
  if (folder !== null) return { url: allowedFolder(folder, policy), access: { protocol: 'file' } };
  const { host, port } = remoteAddress(repoUrl);
  const address = await resolveGitHost(host, policy.networks, resolve);
  const pinned = `${host}:${port}:${isIP(address) === 6 ? `[${address}]` : address}`;
  const authorization = await gitAuthorization(policy.credentialsFile, hostWithPort(repoUrl));
  return {
    url: repoUrl,
    access: { protocol: 'https', caFile: policy.caFile, authorization, ...(isIP(host) ? {} : { pinned }) },
  };
}

// Compares real paths, so that no link leads out of the allowed folders.
function allowedFolder(folder: string, { local }: GitPolicy): string {
  const real = tryRealpath(folder);
  const allowed = local.map(tryRealpath).filter((root) => root !== null);
  if (real === null || !allowed.some((root) => real === root || real.startsWith(`${root}/`)))
    throw new GitError(`${folder} is not an allowed folder (PDM_GIT_ALLOWED_FOLDERS)`);
  return real;
}

function tryRealpath(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EACCES')
    )
      return null;
    throw error;
  }
}

/** Returns the full name of a branch, or else of a tag. */
async function resolveRef(url: string, ref: string, git: (args: string[]) => Promise<Buffer>): Promise<string> {
  const candidates = [`refs/heads/${ref}`, `refs/tags/${ref}`];
  const advertised = (await git(['ls-remote', '--end-of-options', url, ...candidates])).toString().split('\n');
  const names = advertised.map((line) => line.split('\t')[1]);
  const found = candidates.find((candidate) => names.includes(candidate));
  if (!found) throw new GitError(`the repository has no branch or tag "${ref}"`);
  return found;
}

async function listTree({ path }: CodeLocation, git: (args: string[]) => Promise<Buffer>): Promise<string[]> {
  const tree = path ? `${LOCAL_REF}:${path}` : LOCAL_REF;
  try {
    return (await git(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', tree]))
      .toString()
      .split('\0')
      .filter(Boolean);
  } catch (error) {
    if (
      error instanceof GitError &&
      path &&
      /not a tree|not a valid|does not exist|exists on disk/i.test(error.message)
    )
      throw new GitError(`there is no folder "${path}" at that ref`);
    throw error;
  }
}

type Entry = { id: string; path: string };

function parseEntries(lines: readonly string[], { path }: CodeLocation): Entry[] {
  if (!lines.length) throw new GitError(`the folder "${path || '/'}" is empty at that ref`);
  if (lines.length > MAX_FILES)
    throw new GitError(`the folder "${path || '/'}" has ${lines.length} files; the limit is ${MAX_FILES}`);
  return lines.map((line) => {
    const [, mode, id = '', name = ''] = /^(\d{6}) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    if (mode === '120000') throw new GitError(`${name} is a symbolic link, which is not allowed`);
    if (mode === '160000') throw new GitError(`${name} is a submodule, which is not allowed`);
    if ((mode !== '100644' && mode !== '100755') || !isSafePath(name) || !fitsArchive(name))
      throw new GitError(`a file name is not allowed: ${name.slice(0, 100)}`);
    return { id, path: name };
  });
}

// `git cat-file --batch` prints `<id> blob <size>\n<bytes>\n` for each requested id, in order.
function parseBlobs(entries: readonly Entry[], output: Buffer): TreeFile[] {
  let offset = 0;
  return entries.map(({ id, path }) => {
    const lineEnd = output.indexOf('\n', offset);
    const [found, type, length] = output.toString('latin1', offset, lineEnd).split(' ');
    const size = Number(length);
    if (found !== id || type !== 'blob' || !Number.isInteger(size)) throw new GitError(`${path} could not be read`);
    if (size > MAX_FILE_BYTES) throw new GitError(fileTooLarge(path));
    offset = lineEnd + 1 + size + 1;
    return { path, bytes: output.subarray(lineEnd + 1, lineEnd + 1 + size) };
  });
}

function fileTooLarge(path: string): string {
  return `${path} is larger than ${MAX_FILE_BYTES / 2 ** 20} MiB`;
}
