// A client of the REST API that retries requests after connection errors.
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Credentials, resolveCredentials } from './credentials.ts';
import { sanitize, type Terminal, writeLine } from './terminal.ts';
import { ConnectionError, type FileUpload, type Request, RetryLaterError, readJson, sendRequest } from './transport.ts';

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Api = {
  url: string;
  get<T>(path: string, query?: Query): Promise<T>;
  /** Sends the request with an idempotency key (a random one by default), so that retries take effect once. */
  post<T>(path: string, body?: object, key?: string): Promise<T>;
  upload<T>(path: string, query: Query, upload: FileUpload, key?: string): Promise<T>;
  /** Returns the response with its body unread, for downloads and event streams. */
  open(path: string, query?: Query, headers?: Record<string, string>): Promise<IncomingMessage>;
};

const MAX_ATTEMPTS = 3;
// Delays before the second and the third attempt.
const RETRY_DELAYS_MS = [500, 3_000];

/** Creates a client for the service the user is signed in to. */
export function createApi(terminal: Terminal, credentials: Credentials = resolveCredentials(terminal)): Api {
  const request = <T>(request: Request, read: (response: IncomingMessage) => Promise<T>) =>
    sendWithRetry(terminal, credentials, request, read);
  const json = <T>(options: Request) =>
    request(options, async (response) => (await readJson(response, credentials.url)) as T);
  return {
    url: credentials.url,
    get: (path, query) => json({ method: 'GET', path: withQuery(path, query) }),
    post: (path, body = {}, key = crypto.randomUUID()) =>
      json({
        method: 'POST',
        path,
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      }),
    upload: (path, query, upload, key = crypto.randomUUID()) => {
      const headers = {
        'Content-Type': upload.type,
        // The service expects UTF-8 bytes; Node takes one character per byte.
        'X-File-Name': Buffer.from(upload.name).toString('latin1'),
        'Idempotency-Key': key,
      };
      return json({ method: 'POST', path: withQuery(path, query), headers, upload });
    },
    open: (path, query, headers) =>
      request({ method: 'GET', path: withQuery(path, query), headers }, async (response) => response),
  };
}

/** Sends a request and reads its response, with retries. Every request is safe to repeat: writes carry a key. */
async function sendWithRetry<T>(
  terminal: Terminal,
  credentials: Credentials,
  request: Request,
  read: (response: IncomingMessage) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read(await sendRequest(terminal, credentials, request));
    } catch (error) {
      terminal.signal.throwIfAborted();
      const delay = attempt < MAX_ATTEMPTS ? retryDelay(error, attempt) : null;
      if (delay === null) throw error;
      const reason = sanitize((error as Error).message);
      writeLine(terminal.err, `${reason} Retrying (attempt ${attempt + 1} of ${MAX_ATTEMPTS}) …`);
      await sleep(delay, undefined, { signal: terminal.signal });
    }
  }
}

/** Returns the delay before the next attempt in milliseconds; null if the error is permanent. */
function retryDelay(error: unknown, attempt: number): number | null {
  if (error instanceof RetryLaterError) return error.retryAfterMs;
  return error instanceof ConnectionError ? (RETRY_DELAYS_MS[attempt - 1] ?? null) : null;
}

function withQuery(path: string, query: Query = {}): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (!present.length) return path;
  return `${path}?${new URLSearchParams(present.map(([name, value]) => [name, String(value)]))}`;
}

/** Encodes a path segment. */
export function pathSegment(text: string): string {
  return encodeURIComponent(text);
}

/** Reads all pages of a list, up to `max` items. */
export async function listAll<T>(
  api: Api,
  path: string,
  query: Query = {},
  max = Number.POSITIVE_INFINITY,
): Promise<{ items: T[]; nextCursor: string | null }> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: T[]; nextCursor: string | null } = await api.get(path, {
      limit: Math.min(200, max - items.length),
      ...query,
      cursor,
    });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor && items.length < max);
  return { items, nextCursor: cursor };
}
