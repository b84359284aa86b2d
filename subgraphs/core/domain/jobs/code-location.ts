// Where a generator lives: the grammar of repository address, ref and path. Whatever passes here can neither be read as an option by git nor lead
// out of the repository; where a host name leads is decided when it is resolved (network-address.ts).
import { isIP } from 'node:net';
import { isPublicAddress } from '../access/network-address.ts';
import { refuse } from '../errors.ts';

/** A folder of a repository at a ref; an empty path is the root. */
export type CodeLocation = { repoUrl: string; ref: string; path: string };

/**
 * What the installation allows: `hosts` null is any public host; folders below which local repositories may lie; networks
 * that are allowed though private.
 */
export type GitPolicy = {
  hosts: readonly string[] | null;
  local: readonly string[];
  networks: readonly string[];
  /** Of the authorities that hosts are checked against, and with what the service signs in there. */
  caFile: string | null;
  credentialsFile?: string | null;
};

/** The parts of an https repository address that a connection needs. */
export type RemoteAddress = { host: string; port: number };

/**
 * A location as it is stored: trimmed, the address in its one spelling, the path without a slash at its end. Refuses with `validation_failed`, naming every fault: an address
 * that is not https, or has userinfo, port, query or fragment; a ref or path that is none.
 */
export function checkedLocation(
  given: { repoUrl: string; ref: string; path?: string | null },
  policy: GitPolicy,
): CodeLocation {
  const location = {
    repoUrl: given.repoUrl.trim(),
    ref: given.ref.trim(),
    path: (given.path ?? '').trim().replace(/\/$/, ''),
  };
  const errors = [
    ...faultOf('/repoUrl', addressFault(location.repoUrl, policy)),
    ...faultOf(
      '/ref',
      isRef(location.ref)
        ? null
        : 'must be a branch, a tag or a commit: letters, digits and . _ / -, beginning with a letter or digit',
    ),
    ...faultOf(
      '/path',
      isPath(location.path) ? null : 'must be a folder inside the repository, e.g. generators/rack; empty for its root',
    ),
  ];
  if (errors.length)
    refuse('validation_failed', `The location of the code has faults: ${errors.map(worded).join('; ')}.`, { errors });
  return { ...location, repoUrl: spelledOnce(location.repoUrl) };
}

/**
 * The one spelling of a checked address: its host in lower case, no port 443, no slash at the end, nothing escaped that need not be, and the
 * folder of a local repository alone. Whether `.git` may be left out only the host knows: with it or without are two addresses.
 */
export function spelledOnce(repoUrl: string): string {
  const folder = localFolder(repoUrl);
  if (folder !== null) return folder;
  return new URL(repoUrl).href.replace(/\/$/, '').replace(/%[0-9a-f]{2}/gi, spelledByte);
}

// RFC 3986, 6.2.2
function spelledByte(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
}

/** The folder of a local repository, or null when the address is that of a remote one. */
export function localFolder(repoUrl: string): string | null {
  if (repoUrl.startsWith('/')) return repoUrl;
  return repoUrl.startsWith('file:///') ? repoUrl.slice('file://'.length) : null;
}

/** Host and port of a checked https address. */
export function remoteAddress(repoUrl: string): RemoteAddress {
  const { hostname, port } = new URL(repoUrl);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || HTTPS) };
}

/** The host of a checked https address as settings name it: with its port if that is not 443. */
export function hostWithPort(repoUrl: string): string {
  const { host, port } = remoteAddress(repoUrl);
  return port === HTTPS ? host : `${host}:${port}`;
}

/** Whether a ref is the name of a commit itself. */
export function isCommit(ref: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref);
}

const HTTPS = 443;
const LONGEST_URL = 2048;
const LONGEST_PATH = 200;
const REF = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,200}$/;
// Letters and digits of any script, nothing that a reader does not see.
const SEGMENT = /^[\p{L}\p{N}_.][\p{L}\p{M}\p{N}_. +@-]*$/u;
const HTTPS_ADDRESS =
  /^https:\/\/(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:\/[A-Za-z0-9._~+%-]+)*\/?$/;

function addressFault(repoUrl: string, policy: GitPolicy): string | null {
  if (repoUrl.length > LONGEST_URL) return `must have at most ${LONGEST_URL} characters`;
  const folder = localFolder(repoUrl);
  if (folder !== null) return localFault(folder, policy);
  if (!HTTPS_ADDRESS.test(repoUrl) || !URL.canParse(repoUrl))
    return 'must be https://host/path, without user, password, query or fragment';
  if (repoUrl.slice('https://'.length).split('/').slice(1).some(escapes))
    return 'must not have . or .. or an escaped slash in its path';
  const { host, port } = remoteAddress(repoUrl);
  const named = hostWithPort(repoUrl);
  if (policy.hosts && !policy.hosts.includes(named))
    return `is on ${named}; this service fetches code only from ${policy.hosts.join(', ')}`;
  if (!policy.hosts && port !== HTTPS)
    return 'must not have a port, unless the administrator allows that host (PDM_GIT_ALLOWED_HOSTS)';
  if (isIP(host) && !isPublicAddress(host, policy.networks))
    return `leads to ${host}, which is not an address of the public internet`;
  return null;
}

function localFault(folder: string, { local }: GitPolicy): string | null {
  if (!local.length)
    return 'must be https://…; repositories on the disk of the service are not allowed here (PDM_GIT_ALLOWED_FOLDERS)';
  if (
    !folder
      .slice(1)
      .split('/')
      .every((segment) => SEGMENT.test(segment) && !isDots(segment))
  )
    return 'must be a plain path of a folder';
  // links are resolved when it is read; this is for a clear answer now
  return local.some((allowed) => folder === allowed || folder.startsWith(`${allowed}/`))
    ? null
    : 'is not in a folder from which the service may read code';
}

function isRef(ref: string): boolean {
  if (!REF.test(ref) || ref.includes('..') || ref.includes('//') || /[./]$/.test(ref)) return false;
  return ref.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

function isPath(path: string): boolean {
  if (path === '') return true;
  return path.length <= LONGEST_PATH && path.split('/').every((segment) => SEGMENT.test(segment) && !isDots(segment));
}

function isDots(segment: string): boolean {
  return segment === '.' || segment === '..';
}

function escapes(segment: string): boolean {
  if (isDots(segment)) return true;
  try {
    // letters of other scripts come as the bytes of their UTF-8, nothing else does
    return /%2e/i.test(segment) || /[\p{C}\p{Z}/\\]/u.test(decodeURIComponent(segment).replaceAll(' ', ''));
  } catch (error) {
    if (error instanceof URIError) return true;
    throw error;
  }
}

type Fault = { path: string; message: string };

function faultOf(path: string, message: string | null): Fault[] {
  return message ? [{ path, message }] : [];
}

function worded({ path, message }: Fault): string {
  return `${path.slice(1)} ${message}`;
}
