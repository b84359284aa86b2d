import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type SignIn, signInOf } from './sign-in.ts';
import { plain, say, type Terminal } from './terminal.ts';
import { Broken, Busy, jsonOf, type Request, type Sending, sendOnce } from './transport.ts';

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Api = {
  url: string;
  get<T>(path: string, query?: Query): Promise<T>;
  /** Under a key of its own (or the given one), so that it is done once however often it has to be sent. */
  post<T>(path: string, body?: object, key?: string): Promise<T>;
  upload<T>(path: string, query: Query, sending: Sending, key?: string): Promise<T>;
  /** The answer as it comes, for downloads and feeds. */
  open(path: string, query?: Query, headers?: Record<string, string>): Promise<IncomingMessage>;
};

const TRIES = 3;
// Between the first and the second try, then between the second and the third.
const PAUSES_MS = [500, 3_000];

/** The service that the terminal is signed in at. */
export function apiFor(terminal: Terminal, signIn: SignIn = signInOf(terminal)): Api {
  const ask = <T>(request: Request, take: (answer: IncomingMessage) => Promise<T>) =>
    answered(terminal, signIn, request, take);
  const json = <T>(request: Request) => ask(request, async (answer) => (await jsonOf(answer, signIn.url)) as T);
  return {
    url: signIn.url,
    get: (path, query) => json({ method: 'GET', path: withQuery(path, query) }),
    post: (path, body = {}, key = crypto.randomUUID()) =>
      json({
        method: 'POST',
        path,
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      }),
    upload: (path, query, sending, key = crypto.randomUUID()) => {
      // header bytes are UTF-8; Node wants them as one character each
      const headers = {
        'Content-Type': sending.type,
        'X-File-Name': Buffer.from(sending.name).toString('latin1'),
        'Idempotency-Key': key,
      };
      return json({ method: 'POST', path: withQuery(path, query), headers, sending });
    },
    open: (path, query, headers) =>
      ask({ method: 'GET', path: withQuery(path, query), headers }, async (answer) => answer),
  };
}

/** Sends a request until its answer is taken, thrice at most: all of them may be sent again, for writes carry a key. Each new try is told. */
async function answered<T>(
  terminal: Terminal,
  signIn: SignIn,
  request: Request,
  take: (answer: IncomingMessage) => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await take(await sendOnce(terminal, signIn, request));
    } catch (error) {
      terminal.signal.throwIfAborted();
      const pause = tried < TRIES ? pauseAfter(error, tried) : null;
      if (pause === null) throw error;
      say(terminal.err, `${plain((error as Error).message)} Sending again (${tried + 1} of ${TRIES}) …`);
      await wait(pause, undefined, { signal: terminal.signal });
    }
  }
}

/** A connection that broke off, or a service that asks to come again soon; null for what sending again does not help. */
function pauseAfter(failed: unknown, tried: number): number | null {
  if (failed instanceof Busy) return failed.pause;
  return failed instanceof Broken ? (PAUSES_MS[tried - 1] ?? null) : null;
}

function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return given.length ? `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}` : path;
}

/** A part of a path. */
export function part(text: string): string {
  return encodeURIComponent(text);
}

/** All items of a list, page after page, at most so many. */
export async function allOf<T>(
  api: Api,
  path: string,
  query: Query = {},
  most = Number.POSITIVE_INFINITY,
): Promise<{ items: T[]; nextCursor: string | null }> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: T[]; nextCursor: string | null } = await api.get(path, {
      limit: Math.min(200, most - items.length),
      ...query,
      cursor,
    });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor && items.length < most);
  return { items, nextCursor: cursor };
}
