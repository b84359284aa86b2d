import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, Failure } from './exit.ts';
import type { Terminal } from './terminal.ts';

/** The service that is talked to, and the token that opens it. */
export type SignIn = { url: string; token: string };

const USUAL = 'http://127.0.0.1:8080';

/** Whom to talk to: PDM_URL and PDM_TOKEN, else what `pdm login` kept. A kept token is never sent to another address than its own. */
export function signInOf(terminal: Terminal): SignIn {
  const { PDM_URL, PDM_TOKEN } = terminal.environment;
  const kept = keptSignIn(terminal);
  const url = PDM_URL ? addressOf(PDM_URL).url : (kept?.url ?? USUAL);
  if (PDM_TOKEN) return { url, token: PDM_TOKEN };
  if (kept && kept.url === url) return kept;
  throw new Failure(
    kept
      ? `There is no token for ${url}; you are signed in at ${kept.url}. Run pdm login ${url}, or set PDM_TOKEN.`
      : 'You are not signed in. Run pdm login, or set PDM_URL and PDM_TOKEN.',
  );
}

/** What `pdm login` kept; null when it kept nothing. */
function keptSignIn(terminal: Terminal): SignIn | null {
  const file = fileOf(terminal);
  const text = contentOf(file);
  if (text === null) return null;
  if (process.platform !== 'win32' && statSync(file).mode & 0o077)
    throw new Failure(`${file} holds a token and can be read by others. Run chmod 600 on it, or pdm login again.`);
  const { url, token } = JSON.parse(text) as Partial<SignIn>;
  if (!url || !token) throw new Failure(`${file} is damaged. Run pdm login again.`);
  return { url, token };
}

/** Keeps address and token in a file that only its owner can read; answers with its name. */
export function keep(terminal: Terminal, signIn: SignIn): string {
  const file = fileOf(terminal);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(signIn, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, file);
  return file;
}

/** Forgets what was kept. */
export function forget(terminal: Terminal): void {
  rmSync(fileOf(terminal), { force: true });
}

/** The address of a service as people give it, also with /api/v1 behind it or as the sign-in link of the first start. */
export function addressOf(given: string | undefined): { url: string; token: string | null } {
  const address = given ?? USUAL;
  const url = URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `http://${address}`);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Failure(`"${address}" is no address of a service, like ${USUAL}.`, EXIT.usage);
  const path = url.pathname.replace(/\/api\/v1\/?$/, '').replace(/\/$/, '');
  return { url: url.origin + path, token: new URLSearchParams(url.hash.slice(1)).get('token') };
}

function fileOf({ environment: { XDG_CONFIG_HOME, APPDATA }, home }: Terminal): string {
  const folder = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(home, '.config');
  return join(folder, 'pdm', 'sign-in.json');
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Failure(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
