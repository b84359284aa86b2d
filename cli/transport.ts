// One request to the service, on Node's own HTTP: an upload needs its length told and its progress seen, which fetch does not give.
import { createReadStream } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { Failure, type Problem, Refusal } from './exit.ts';
import type { SignIn } from './sign-in.ts';
import type { Terminal } from './terminal.ts';

/** A file to send, of `size` bytes; `moved` is told how many have gone. */
export type Sending = { file: string; size: number; name: string; type: string; moved(bytes: number): void };
export type Request = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  sending?: Sending;
};

const IDLE_MS = 60_000;
const MOST_PROBLEM_CHARACTERS = 1024 * 1024;

/** The connection broke off; sending again may help. */
export class Broken extends Failure {}

/** The service asks to come again after `pause` milliseconds. */
export class Busy extends Refusal {
  readonly pause: number;
  constructor(problem: Problem, pause: number) {
    super(problem);
    this.pause = pause;
  }
}

/** Sends a request once and answers with a success, before its body has come; anything else is thrown, in words. */
export async function sendOnce(
  { signal }: Terminal,
  { url, token }: SignIn,
  { method, path, headers, body, sending }: Request,
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const address = new URL(`${url}/api/v1${path}`);
  // TLS is half of the time that a command needs to start
  const http = await (address.protocol === 'https:' ? import('node:https') : import('node:http'));
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = sending ? sending.size : body === undefined ? undefined : Buffer.byteLength(body);
    const given = {
      Accept: 'application/json, */*',
      'User-Agent': 'pdm',
      ...headers,
      Authorization: `Bearer ${token}`,
    };
    const request = http.request(address, {
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

/** The JSON of a success; null for none. */
export async function jsonOf(answer: IncomingMessage, url: string): Promise<unknown> {
  if (answer.statusCode === 204) return null;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw new Broken(`The answer of ${url} broke off: ${error instanceof Error ? error.message : error}.`);
  }
  const parsed = parsedOr(UNREADABLE, Buffer.concat(chunks).toString('utf8'));
  if (parsed === UNREADABLE) throw strange(url, answer.statusCode);
  return parsed;
}

const UNREADABLE = Symbol('no JSON');

function send({ file, size, moved }: Sending, request: ClientRequest): void {
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
  const end = (error: Error) =>
    request.destroy(error instanceof ChangedFile ? error : new Failure(`${file} cannot be read: ${error.message}`));
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
  if (NOBODY_THERE.includes(code))
    return new Failure(`Nothing answers at ${url} (${reason}). Is the service running there?`);
  if (/CERT|SSL|TLS/.test(code))
    return new Failure(
      `${url} cannot be trusted (${reason}). A certificate of your own goes into NODE_EXTRA_CA_CERTS.`,
    );
  return new Broken(`The connection to ${url} broke off: ${reason}.`);
}

async function refusalOf(answer: IncomingMessage, status: number, url: string): Promise<Failure> {
  const problem = await problemFrom(answer);
  if (!problem) return strange(url, status);
  const seconds = Number(answer.headers['retry-after'] ?? (status === 503 ? 2 : Number.NaN));
  return (status === 429 || status === 503) && seconds <= 30 ? new Busy(problem, seconds * 1000) : new Refusal(problem);
}

/** Read until it is whole and no further: whoever refuses an upload may go on taking it in behind the answer, or break off. */
async function problemFrom(answer: IncomingMessage): Promise<Problem | null> {
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
  return typeof problem?.code === 'string' && typeof problem.detail === 'string' && typeof problem.status === 'number'
    ? (problem as Problem)
    : null;
}

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
