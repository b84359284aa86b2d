import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { Transform, type TransformCallback } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure, type Problem, Refusal } from './exit.ts';
import { type SignIn, signInOf } from './sign-in.ts';
import { plain, say, type Terminal } from './terminal.ts';

/** A file to send, of `size` bytes; `moved` is told how many have gone. */
export type Sending = { file: string; size: number; name: string; type: string; moved(bytes: number): void };
type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Api = {
  url: string;
  get<T>(path: string, query?: Query): Promise<T>;
  /** Under a key of its own (or the given one), so that it is done once however often it has to be sent. */
  post<T>(path: string, body?: object, key?: string): Promise<T>;
  upload<T>(path: string, query: Query, sending: Sending, key?: string): Promise<T>;
  /** The answer as it comes, for downloads and feeds. */
  open(path: string, query?: Query, headers?: Record<string, string>): Promise<http.IncomingMessage>;
};

const IDLE_MS = 60_000;
const TRIES = 3;
// Between the first and the second try, then between the second and the third.
const PAUSES_MS = [500, 3_000];
const MOST_PROBLEM_CHARACTERS = 1024 * 1024;

/** The service that the terminal is signed in at. */
export function apiFor(terminal: Terminal, signIn: SignIn = signInOf(terminal)): Api {
  const ask = <T>(request: Request, take: (answer: http.IncomingMessage) => Promise<T>) => answered(terminal, signIn, request, take);
  const json = <T>(request: Request): Promise<T> =>
    ask(request, async (answer) => {
      if (answer.statusCode === 204) return null as T;
      const parsed = parsedOr(UNREADABLE, await textOf(answer, signIn.url));
      if (parsed === UNREADABLE) throw strange(signIn.url, answer.statusCode);
      return parsed as T;
    });
  return {
    url: signIn.url,
    get: (path, query) => json({ method: 'GET', path: withQuery(path, query) }),
    post: (path, body = {}, key = randomUUID()) =>
      json({ method: 'POST', path, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key } }),
    upload: (path, query, sending, key = randomUUID()) => {
      // header bytes are UTF-8; Node wants them as one character each
      const headers = { 'Content-Type': sending.type, 'X-File-Name': Buffer.from(sending.name).toString('latin1'), 'Idempotency-Key': key };
      return json({ method: 'POST', path: withQuery(path, query), headers, sending });
    },
    open: (path, query, headers) => ask({ method: 'GET', path: withQuery(path, query), headers }, async (answer) => answer),
  };
}

type Request = { method: string; path: string; headers?: Record<string, string>; body?: string; sending?: Sending };

/** Sends a request until its answer is taken, thrice at most: all of them may be sent again, for writes carry a key. Each new try is told. */
async function answered<T>(terminal: Terminal, signIn: SignIn, request: Request, take: (answer: http.IncomingMessage) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await take(await attempt(terminal, signIn, request));
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

class Broken extends Failure {}
class Busy extends Refusal {
  readonly pause: number;
  constructor(problem: Problem, pause: number) {
    super(problem);
    this.pause = pause;
  }
}

async function attempt(
  { signal }: Terminal,
  { url, token }: SignIn,
  { method, path, headers, body, sending }: Request,
): Promise<http.IncomingMessage> {
  signal.throwIfAborted();
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const address = new URL(`${url}/api/v1${path}`);
    const length = sending ? sending.size : body === undefined ? undefined : Buffer.byteLength(body);
    const given = { Accept: 'application/json, */*', 'User-Agent': 'pdm', ...headers, Authorization: `Bearer ${token}` };
    const request = (address.protocol === 'https:' ? https : http).request(address, {
      method,
      signal,
      timeout: IDLE_MS,
      headers: length === undefined ? given : { ...given, 'Content-Length': length },
    });
    let come = false;
    request.once('response', (response) => {
      come = true;
      resolve(response);
    });
    request.once('timeout', () => request.destroy(new Error(`nothing came for ${IDLE_MS / 1000} seconds`)));
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (!come) reject(signal.aborted ? signal.reason : failureOf(error, url));
    });
    if (sending) send(sending, request);
    else request.end(body);
  });
  const { statusCode = 0 } = answer;
  if (statusCode >= 200 && statusCode < 300) return answer;
  throw await refusalOf(answer, statusCode, url);
}

function send({ file, size, moved }: Sending, request: http.ClientRequest): void {
  let gone = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      gone += chunk.length;
      // one byte more than was announced would be taken for the next request
      if (gone > size) return done(new ChangedFile(file));
      moved(gone);
      done(null, chunk);
    },
    flush: (done) => done(gone === size ? null : new ChangedFile(file)),
  });
  const content = createReadStream(file, { highWaterMark: 256 * 1024 });
  const end = (error: Error) => request.destroy(error instanceof ChangedFile ? error : new Failure(`${file} cannot be read: ${error.message}`));
  content.once('error', end);
  counted.once('error', end);
  // what is refused before all of it has gone need not be sent to its end
  request.once('response', ({ statusCode = 0 }) => {
    if (statusCode >= 400) content.unpipe(counted);
  });
  request.once('close', () => content.destroy());
  content.pipe(counted).pipe(request);
}

class ChangedFile extends Failure {
  constructor(file: string) {
    super(`${file} changed while it was sent; nothing was stored.`);
  }
}

const NOBODY_THERE = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'];

function failureOf(error: NodeJS.ErrnoException, url: string): Failure {
  if (error instanceof Failure) return error;
  const { code = '', message } = error;
  const reason = message || (error instanceof AggregateError && String(error.errors[0]?.message)) || code;
  if (NOBODY_THERE.includes(code)) return new Failure(`Nothing answers at ${url} (${reason}). Is the service running there?`);
  if (/CERT|SSL|TLS/.test(code)) return new Failure(`${url} cannot be trusted (${reason}). A certificate of your own goes into NODE_EXTRA_CA_CERTS.`);
  return new Broken(`The connection to ${url} broke off: ${reason}.`);
}

async function refusalOf(answer: http.IncomingMessage, status: number, url: string): Promise<Failure> {
  const problem = await problemFrom(answer);
  if (!problem) return strange(url, status);
  const seconds = Number(answer.headers['retry-after'] ?? (status === 503 ? 2 : Number.NaN));
  return (status === 429 || status === 503) && seconds <= 30 ? new Busy(problem, seconds * 1000) : new Refusal(problem);
}

/** Read until it is whole and no further: whoever refuses an upload may go on taking it in behind the answer, or break off. */
async function problemFrom(answer: http.IncomingMessage): Promise<Problem | null> {
  let text = '';
  answer.setEncoding('utf8');
  try {
    for await (const chunk of answer as AsyncIterable<string>) {
      text += chunk;
      const problem = problemIn(text);
      if (problem || text.length > MOST_PROBLEM_CHARACTERS) return problem;
    }
    return problemIn(text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return problemIn(text);
    throw error;
  }
}

function problemIn(text: string): Problem | null {
  const problem = parsedOr(null, text) as Partial<Problem> | null;
  return typeof problem?.code === 'string' && typeof problem.detail === 'string' && typeof problem.status === 'number' ? (problem as Problem) : null;
}

const UNREADABLE = Symbol('no JSON');

function parsedOr(otherwise: unknown, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return otherwise;
    throw error;
  }
}

function strange(url: string, status: number | undefined): Failure {
  return new Failure(`${url} answered ${status} and not as the service does. Is that its address?`);
}

async function textOf(answer: http.IncomingMessage, url: string): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw new Broken(`The answer of ${url} broke off: ${error instanceof Error ? error.message : error}.`);
  }
  return Buffer.concat(chunks).toString('utf8');
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
    const page: { items: T[]; nextCursor: string | null } = await api.get(path, { limit: Math.min(200, most - items.length), ...query, cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor && items.length < most);
  return { items, nextCursor: cursor };
}
