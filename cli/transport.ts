// Sends one request with node:http: unlike fetch, it sets the length of an upload and reports its progress.
import { createReadStream } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import type { Credentials } from './credentials.ts';
import { ApiError, CliError, type Problem } from './exit.ts';
import type { Terminal } from './terminal.ts';

/** A file to upload. `onProgress` receives the number of bytes sent so far. */
export type FileUpload = { file: string; size: number; name: string; type: string; onProgress(bytes: number): void };
export type Request = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  upload?: FileUpload;
};

const IDLE_MS = 60_000;
const MAX_RETRY_AFTER_SECONDS = 30;
const MAX_PROBLEM_CHARACTERS = 1024 * 1024;

/** The connection was lost; the request can be retried. */
export class ConnectionError extends CliError {}

/** The service asked to retry the request later. */
export class RetryLaterError extends ApiError {
  readonly retryAfterMs: number;
  constructor(problem: Problem, retryAfterMs: number) {
    super(problem);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Sends a request once and returns a successful response with its body unread. Throws a CliError otherwise. */
export async function sendRequest(
  { signal }: Terminal,
  { url, token }: Credentials,
  { method, path, headers, body, upload }: Request,
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const address = new URL(`${url}/api/v1${path}`);
  // Loading TLS takes half of the start-up time of a command.
  const http = await (address.protocol === 'https:' ? import('node:https') : import('node:http'));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = upload?.size ?? (body === undefined ? undefined : Buffer.byteLength(body));
    const allHeaders: Record<string, string | number> = {
      Accept: 'application/json, */*',
      'User-Agent': 'pdm',
      ...headers,
      Authorization: `Bearer ${token}`,
    };
    if (length !== undefined) allHeaders['Content-Length'] = length;
    const request = http.request(address, { method, signal, timeout: IDLE_MS, headers: allHeaders });
    let responded = false;
    request.once('response', (response) => {
      responded = true;
      resolve(response);
    });
    request.once('timeout', () => request.destroy(new Error(`no data received for ${IDLE_MS / 1000} seconds`)));
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (!responded) reject(signal.aborted ? signal.reason : requestError(error, url));
    });
    if (upload) sendFile(upload, request);
    else request.end(body);
  });
  const { statusCode = 0 } = response;
  if (statusCode >= 200 && statusCode < 300) return response;
  throw await responseError(response, statusCode, url);
}

/** Reads the JSON body of a successful response; null for 204. */
export async function readJson(response: IncomingMessage, url: string): Promise<unknown> {
  if (response.statusCode === 204) return null;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw new ConnectionError(
      `The response from ${url} was interrupted: ${error instanceof Error ? error.message : error}.`,
    );
  }
  const parsed = parseJson(Buffer.concat(chunks).toString('utf8'), INVALID);
  if (parsed === INVALID) throw unexpectedResponse(url, response.statusCode);
  return parsed;
}

const INVALID = Symbol('invalid JSON');

function sendFile({ file, size, onProgress }: FileUpload, request: ClientRequest): void {
  let sent = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      sent += chunk.length;
      // Bytes after the Content-Length would be read as the next request.
      if (sent > size) return done(new FileChangedError(file));
      onProgress(sent);
      done(null, chunk);
    },
    flush: (done) => done(sent === size ? null : new FileChangedError(file)),
  });
  const content = createReadStream(file, { highWaterMark: 256 * 1024 });
  const abort = (error: Error) =>
    request.destroy(error instanceof FileChangedError ? error : new CliError(`Cannot read ${file}: ${error.message}`));
  content.once('error', abort);
  counter.once('error', abort);
  // Stop sending once the service has rejected the upload.
  request.once('response', ({ statusCode = 0 }) => {
    if (statusCode >= 400) content.unpipe(counter);
  });
  request.once('close', () => content.destroy());
  content.pipe(counter).pipe(request);
}

class FileChangedError extends CliError {
  constructor(file: string) {
    super(`${file} changed during the upload; nothing was stored.`);
  }
}

const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'];

function requestError(error: NodeJS.ErrnoException, url: string): CliError {
  if (error instanceof CliError) return error;
  const { code = '', message } = error;
  const reason = message || (error instanceof AggregateError && String(error.errors[0]?.message)) || code;
  if (UNREACHABLE.includes(code)) return new CliError(`Cannot connect to ${url} (${reason}). Is the service running?`);
  if (/CERT|SSL|TLS/.test(code))
    return new CliError(
      `The TLS certificate of ${url} is not trusted (${reason}). Set NODE_EXTRA_CA_CERTS to trust your own CA.`,
    );
  return new ConnectionError(`The connection to ${url} was lost: ${reason}.`);
}

async function responseError(response: IncomingMessage, status: number, url: string): Promise<CliError> {
  const problem = await readProblem(response);
  if (!problem) return unexpectedResponse(url, status);
  if (![429, 503, 504].includes(status)) return new ApiError(problem);
  // Without Retry-After, 503 and 504 are retried after 2 seconds, and 429 is not retried.
  const retryAfter = response.headers['retry-after'] ?? (status === 429 ? null : 2);
  const seconds = retryAfter === null ? null : Number(retryAfter);
  return seconds !== null && seconds <= MAX_RETRY_AFTER_SECONDS
    ? new RetryLaterError(problem, seconds * 1000)
    : new ApiError(problem);
}

/**
 * Reads until the problem is complete. After rejecting an upload, the service may leave the response open or reset the
 * connection.
 */
async function readProblem(response: IncomingMessage): Promise<Problem | null> {
  let text = '';
  response.setEncoding('utf8');
  try {
    for await (const chunk of response as AsyncIterable<string>) {
      text += chunk;
      const problem = parseProblem(text);
      if (problem || text.length > MAX_PROBLEM_CHARACTERS) return problem;
    }
    return parseProblem(text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') return parseProblem(text);
    throw error;
  }
}

function parseProblem(text: string): Problem | null {
  const problem = parseJson(text, null) as Partial<Problem> | null;
  return typeof problem?.code === 'string' && typeof problem.detail === 'string' && typeof problem.status === 'number'
    ? (problem as Problem)
    : null;
}

function parseJson(text: string, fallback: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return fallback;
    throw error;
  }
}

function unexpectedResponse(url: string, status: number | undefined): CliError {
  return new CliError(`Unexpected response from ${url} (status ${status}). Is this the address of a PDM service?`);
}
