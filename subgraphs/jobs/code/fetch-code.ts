// The folder of a generator out of a repository: resolved, fetched into a throw-away bare repository, and read object by object. Nothing is ever
// checked out, so that no path, link, attribute, hook or filter of a repository has any effect.
import { realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fitsArchive, isSafe, type TreeFile } from '../../core/domain/jobs/code-archive.ts';
import {
  type CodeLocation,
  type GitPolicy,
  hostWithPort,
  isCommit,
  localFolder,
  remoteAddress,
} from '../../core/domain/jobs/code-location.ts';
import { pinnedAddress, type Resolve } from '../pinned-address.ts';
import { gitAuthorization } from './git-credentials.ts';
import { type GitAccess, GitFault, MOST_BYTES, runGit } from './run-git.ts';

/** The code at a location: the commit its ref led to, and the files below its path. */
export type FetchedCode = { commit: string; files: TreeFile[] };

const LONGEST = 30_000;
const MOST_FILES = 5_000;
const LARGEST_FILE = 5 * 2 ** 20;
const LOCAL = 'refs/pdm/x';

/**
 * Fetches the code at a location that `checkedLocation` has passed. Throws a GitFault: host, repository, ref or folder not there or not allowed,
 * a redirect, a link or submodule among the files, more than 5,000 files, 5 MiB in one or 64 MiB in all, more than 30 s.
 */
export async function fetchCode(
  location: CodeLocation,
  { policy, signal, resolve }: { policy: GitPolicy; signal: AbortSignal; resolve?: Resolve },
): Promise<FetchedCode> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]);
  const { url, access } = await reach(location.repoUrl, policy, resolve);
  const folder = await mkdtemp(join(tmpdir(), 'pdm-git-'));
  const git = (args: string[], more: { access?: GitAccess; input?: string; maxOutput?: number } = {}) =>
    runGit(args, { access: OFFLINE, signal: limit, ...more });
  const inFolder = (...args: string[]) => ['-C', folder, ...args];
  try {
    await git(['init', '-q', '--bare', '--template=', folder]);
    const source = isCommit(location.ref)
      ? location.ref
      : await fullRef(url, location.ref, (args) => git(args, { access }));
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
    await git(inFolder(...fetch, '--end-of-options', url, `+${source}:${LOCAL}`), { access });
    const commit = (await git(inFolder('rev-parse', '--verify', '--end-of-options', `${LOCAL}^{commit}`)))
      .toString()
      .trim();
    const entries = entriesOf(await listed(location, (args) => git(inFolder(...args))), location);
    const left = await git(inFolder('rev-list', '--objects', '--missing=print', '--no-object-names', LOCAL));
    const missing = new Set(
      left
        .toString('latin1')
        .split('\n')
        .filter((line) => line.startsWith('?'))
        .map((line) => line.slice(1)),
    );
    const tooLarge = entries.find(({ id }) => missing.has(id));
    if (tooLarge) throw new GitFault(largeFile(tooLarge.path));
    const contents = await git(inFolder('cat-file', '--batch'), {
      input: entries.map(({ id }) => `${id}\n`).join(''),
      maxOutput: MOST_BYTES,
    });
    return { commit, files: withContents(entries, contents) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const OFFLINE: GitAccess = { protocol: 'none' };

async function reach(
  repoUrl: string,
  policy: GitPolicy,
  resolve?: Resolve,
): Promise<{ url: string; access: GitAccess }> {
  const folder = localFolder(repoUrl);
  if (folder !== null) return { url: realFolder(folder, policy), access: { protocol: 'file' } };
  const { host, port } = remoteAddress(repoUrl);
  const address = await pinnedAddress(host, policy.networks, resolve);
  const pinned = `${host}:${port}:${isIP(address) === 6 ? `[${address}]` : address}`;
  const authorization = await gitAuthorization(policy.credentialsFile, hostWithPort(repoUrl));
  return {
    url: repoUrl,
    access: { protocol: 'https', caFile: policy.caFile, authorization, ...(isIP(host) ? {} : { pinned }) },
  };
}

// Links are followed before it is compared, so that none leads out of the allowed folders.
function realFolder(folder: string, { local }: GitPolicy): string {
  const real = realpathOf(folder);
  const allowed = local.map(realpathOf).filter((root) => root !== null);
  if (real === null || !allowed.some((root) => real === root || real.startsWith(`${root}/`)))
    throw new GitFault(`${folder} is not a folder from which the service may read code (PDM_GIT_ALLOWED_FOLDERS)`);
  return real;
}

function realpathOf(folder: string): string | null {
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

/** A branch goes before a tag of the same name. */
async function fullRef(url: string, ref: string, git: (args: string[]) => Promise<Buffer>): Promise<string> {
  const candidates = [`refs/heads/${ref}`, `refs/tags/${ref}`];
  const advertised = (await git(['ls-remote', '--end-of-options', url, ...candidates])).toString().split('\n');
  const names = advertised.map((line) => line.split('\t')[1]);
  const found = candidates.find((candidate) => names.includes(candidate));
  if (!found) throw new GitFault(`the repository has no branch or tag "${ref}"`);
  return found;
}

async function listed({ path }: CodeLocation, git: (args: string[]) => Promise<Buffer>): Promise<string[]> {
  const tree = path ? `${LOCAL}:${path}` : LOCAL;
  try {
    return (await git(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', tree]))
      .toString()
      .split('\0')
      .filter(Boolean);
  } catch (error) {
    if (
      error instanceof GitFault &&
      path &&
      /not a tree|not a valid|does not exist|exists on disk/i.test(error.message)
    )
      throw new GitFault(`there is no folder "${path}" at that ref`);
    throw error;
  }
}

type Entry = { id: string; path: string };

function entriesOf(lines: readonly string[], { path }: CodeLocation): Entry[] {
  if (!lines.length) throw new GitFault(`the folder "${path || '/'}" is empty at that ref`);
  if (lines.length > MOST_FILES)
    throw new GitFault(`the folder "${path || '/'}" holds ${lines.length} files; a generator may have ${MOST_FILES}`);
  return lines.map((line) => {
    const [, mode, id = '', name = ''] = /^(\d{6}) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    if (mode === '120000') throw new GitFault(`${name} is a symbolic link; the code of a generator has none`);
    if (mode === '160000') throw new GitFault(`${name} is a submodule; the code of a generator has none`);
    if ((mode !== '100644' && mode !== '100755') || !isSafe(name) || !fitsArchive(name))
      throw new GitFault(`a file has a name that cannot be kept: ${name.slice(0, 100)}`);
    return { id, path: name };
  });
}

// `<id> blob <size>\n<bytes>\n` for each id that was asked for, in that order.
function withContents(entries: readonly Entry[], contents: Buffer): TreeFile[] {
  let at = 0;
  return entries.map(({ id, path }) => {
    const lineEnd = contents.indexOf(10, at);
    const [found, type, length] = contents.toString('latin1', at, lineEnd).split(' ');
    const size = Number(length);
    if (found !== id || type !== 'blob' || !Number.isInteger(size)) throw new GitFault(`${path} could not be read`);
    if (size > LARGEST_FILE) throw new GitFault(largeFile(path));
    at = lineEnd + 1 + size + 1;
    return { path, bytes: contents.subarray(lineEnd + 1, lineEnd + 1 + size) };
  });
}

function largeFile(path: string): string {
  return `${path} is larger than ${LARGEST_FILE / 2 ** 20} MiB`;
}
