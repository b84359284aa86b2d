// Validates the location of a generator: repository URL, ref and path. Valid values cannot be read as options by git
// and do not leave the repository. Host names are checked when they are resolved (network-address.ts).

import { isIP } from 'node:net';
import { isPublicAddress } from '../access/network-address.ts';
import { type FieldError, refuse } from '../errors.ts';

/** A folder of a repository at a ref. An empty path is the root. */
export type CodeLocation = { repoUrl: string; ref: string; path: string };

/**
 * The allowed repositories: on these `hosts` (null: any public host), in private `networks`, and below these `local`
 * folders.
 */
export type GitPolicy = {
  hosts: readonly string[] | null;
  local: readonly string[];
  networks: readonly string[];
  /** The file with trusted certificate authorities. */
  caFile: string | null;
  /** The git credentials file. */
  credentialsFile?: string | null;
};

/** The host and port of an https URL. */
export type RemoteAddress = { host: string; port: number };

/**
 * Returns the location trimmed, with a normalized URL and without a slash at the end of the path. Throws
 * `validation_failed` with all errors: a URL that is not allowed by the policy, not https or has userinfo, query or
 * fragment; an invalid ref or path.
 */
export function validateCodeLocation(
  input: { repoUrl: string; ref: string; path?: string | null },
  policy: GitPolicy,
): CodeLocation {
  const location = {
    repoUrl: input.repoUrl.trim(),
    ref: input.ref.trim(),
    path: (input.path ?? '').trim().replace(/\/$/, ''),
  };
  const errors = [
    ...errorAt('/repoUrl', urlError(location.repoUrl, policy)),
    ...errorAt(
      '/ref',
      isRef(location.ref)
        ? null
        : 'must be a branch, tag or commit: letters, digits and . _ / -, starting with a letter or digit',
    ),
    ...errorAt(
      '/path',
      isPath(location.path) ? null : 'must be a folder of the repository, e.g. generators/rack, or empty for the root',
    ),
  ];
  if (errors.length)
    refuse('validation_failed', `The generator location is not valid: ${errors.map(formatError).join('; ')}.`, {
      errors,
    });
  return { ...location, repoUrl: normalizeRepoUrl(location.repoUrl) };
}

/**
 * Normalizes a valid URL: lower-case host, no port 443, no trailing slash, no unnecessary escapes; only the folder for
 * a local repository. Keeps `.git`, because only the host knows whether it is optional.
 */
export function normalizeRepoUrl(repoUrl: string): string {
  const folder = localFolder(repoUrl);
  if (folder !== null) return folder;
  return new URL(repoUrl).href.replace(/\/$/, '').replace(/%[0-9a-f]{2}/gi, normalizeEscape);
}

// RFC 3986, section 6.2.2
function normalizeEscape(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
}

/** Returns the folder of a local repository, null for a remote URL. */
export function localFolder(repoUrl: string): string | null {
  if (repoUrl.startsWith('/')) return repoUrl;
  return repoUrl.startsWith('file:///') ? repoUrl.slice('file://'.length) : null;
}

/** Returns the host and port of a valid https URL. */
export function remoteAddress(repoUrl: string): RemoteAddress {
  const { hostname, port } = new URL(repoUrl);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || HTTPS_PORT) };
}

/** Returns the host of a valid https URL, with the port unless it is 443. */
export function hostWithPort(repoUrl: string): string {
  const { host, port } = remoteAddress(repoUrl);
  return port === HTTPS_PORT ? host : `${host}:${port}`;
}

/** Returns whether a ref is a full commit hash. */
export function isCommit(ref: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref);
}

const HTTPS_PORT = 443;
const MAX_URL_LENGTH = 2048;
const MAX_PATH_LENGTH = 200;
const REF = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,200}$/;
// Letters and digits of any script, but no invisible characters.
const SEGMENT = /^[\p{L}\p{N}_.][\p{L}\p{M}\p{N}_. +@-]*$/u;
const HTTPS_URL =
  /^https:\/\/(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:\/[A-Za-z0-9._~+%-]+)*\/?$/;

function urlError(repoUrl: string, policy: GitPolicy): string | null {
  if (repoUrl.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  const folder = localFolder(repoUrl);
  if (folder !== null) return folderError(folder, policy);
  if (!HTTPS_URL.test(repoUrl) || !URL.canParse(repoUrl))
    return 'must be an https://host/path URL without user, password, query or fragment';
  if (repoUrl.slice('https://'.length).split('/').slice(1).some(leavesPath))
    return 'must not contain ., .. or escaped slashes in its path';
  const { host, port } = remoteAddress(repoUrl);
  const hostAndPort = hostWithPort(repoUrl);
  if (policy.hosts && !policy.hosts.includes(hostAndPort))
    return `is on ${hostAndPort}, but code can only be fetched from ${policy.hosts.join(', ')}`;
  if (!policy.hosts && port !== HTTPS_PORT)
    return 'must not have a port unless PDM_GIT_ALLOWED_HOSTS contains the host with the port';
  if (isIP(host) && !isPublicAddress(host, policy.networks))
    return `must not contain the private address ${host} unless PDM_GIT_ALLOWED_NETWORKS includes it`;
  return null;
}

function folderError(folder: string, { local }: GitPolicy): string | null {
  if (!local.length)
    return 'must be an https URL: local repositories are not allowed unless PDM_GIT_ALLOWED_FOLDERS is set';
  if (
    !folder
      .slice(1)
      .split('/')
      .every((segment) => SEGMENT.test(segment) && !isDots(segment))
  )
    return 'must be a folder path without special characters';
  // Symbolic links are resolved when the repository is read; this check only gives an early error.
  return local.some((allowed) => folder === allowed || folder.startsWith(`${allowed}/`))
    ? null
    : 'is not in a folder of PDM_GIT_ALLOWED_FOLDERS';
}

function isRef(ref: string): boolean {
  if (!REF.test(ref) || ref.includes('..') || ref.includes('//') || /[./]$/.test(ref)) return false;
  return ref.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

function isPath(path: string): boolean {
  if (path === '') return true;
  return (
    path.length <= MAX_PATH_LENGTH && path.split('/').every((segment) => SEGMENT.test(segment) && !isDots(segment))
  );
}

function isDots(segment: string): boolean {
  return segment === '.' || segment === '..';
}

function leavesPath(segment: string): boolean {
  if (isDots(segment)) return true;
  try {
    // Only UTF-8 bytes of printable characters may be escaped.
    return /%2e/i.test(segment) || /[\p{C}\p{Z}/\\]/u.test(decodeURIComponent(segment).replaceAll(' ', ''));
  } catch (error) {
    if (error instanceof URIError) return true;
    throw error;
  }
}

function errorAt(path: string, message: string | null): FieldError[] {
  return message ? [{ path, message }] : [];
}

function formatError({ path, message }: FieldError): string {
  return `${path.slice(1)} ${message}`;
}
