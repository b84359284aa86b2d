// The address of the service and the token: from the environment, or from the file written by `pdm login`.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError, EXIT } from './exit.ts';
import type { Terminal } from './terminal.ts';

export type Credentials = { url: string; token: string };

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Returns PDM_URL and PDM_TOKEN, or else the stored credentials. A stored token is only sent to its own address. */
export function resolveCredentials(terminal: Terminal): Credentials {
  const { PDM_URL, PDM_TOKEN } = terminal.environment;
  const stored = readStoredCredentials(terminal);
  const url = PDM_URL ? parseServiceUrl(PDM_URL).url : (stored?.url ?? DEFAULT_URL);
  if (PDM_TOKEN) return { url, token: PDM_TOKEN };
  if (stored && stored.url === url) return stored;
  throw new CliError(
    stored
      ? `No token for ${url}; you are signed in to ${stored.url}. Run "pdm login ${url}" or set PDM_TOKEN.`
      : 'You are not signed in. Run "pdm login", or set PDM_URL and PDM_TOKEN.',
  );
}

function readStoredCredentials(terminal: Terminal): Credentials | null {
  const file = credentialsFile(terminal);
  const text = readIfExists(file);
  if (text === null) return null;
  if (process.platform !== 'win32' && statSync(file).mode & 0o077)
    throw new CliError(
      `${file} contains a token but is readable by other users. Run "chmod 600 ${file}" or "pdm login".`,
    );
  const { url, token } = JSON.parse(text) as Partial<Credentials>;
  if (!url || !token) throw new CliError(`${file} is damaged. Run "pdm login" again.`);
  return { url, token };
}

/** Stores the credentials in a file readable only by its owner, and returns the path of the file. */
export function storeCredentials(terminal: Terminal, credentials: Credentials): string {
  const file = credentialsFile(terminal);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, file);
  return file;
}

export function deleteCredentials(terminal: Terminal): void {
  rmSync(credentialsFile(terminal), { force: true });
}

/** Parses a service URL. Accepts a missing scheme, a trailing /api/v1, and the sign-in link of the first start. */
export function parseServiceUrl(text = DEFAULT_URL): { url: string; token: string | null } {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CliError(`"${text}" is not a service URL. Example: ${DEFAULT_URL}.`, EXIT.usage);
  const path = url.pathname.replace(/\/api\/v1\/?$/, '').replace(/\/$/, '');
  return { url: url.origin + path, token: new URLSearchParams(url.hash.slice(1)).get('token') };
}

function credentialsFile({ environment: { XDG_CONFIG_HOME, APPDATA }, home }: Terminal): string {
  const folder = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(home, '.config');
  return join(folder, 'pdm', 'sign-in.json');
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CliError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}
