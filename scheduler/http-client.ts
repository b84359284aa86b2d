import type { Readable } from 'node:stream';
import { type Agent, type Dispatcher, request } from 'undici';
import type { Reach } from '../subgraphs/core/platform/dispatch.ts';
import { sleep } from '../worker-sdk/sleep.ts';

/** The service answered, and it was a refusal: its code of the catalogue. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  readonly code: string;
  /** The case's own data. */
  readonly details: Readonly<Record<string, unknown>>;
  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

type Method = 'GET' | 'POST';
type Json = { body?: object; signal: AbortSignal };
type Raw = { headers: Record<string, string>; body: () => Readable; signal: AbortSignal };

export type HttpClient = ReturnType<typeof httpClient>;

/** Calls below `apiUrl` with a token. A refusal is thrown as ApiRefusal; anything else thrown means that nobody answered. */
export function httpClient({ apiUrl, token, agent }: { apiUrl: string; token: string; agent: Agent }) {
  const base = apiUrl.replace(/\/+$/, '');
  const origin = new URL(base).origin;
  let reach: Reach = { reachable: false, since: new Date(), lastError: null };

  async function call(
    method: Method,
    url: string,
    options: Partial<Dispatcher.RequestOptions> & { signal: AbortSignal },
  ): Promise<Dispatcher.ResponseData> {
    try {
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(options.headers as Record<string, string>),
      };
      const answer = await request(url, {
        ...options,
        method,
        headers,
        dispatcher: agent,
        headersTimeout: 300_000,
        bodyTimeout: 60_000,
      });
      if (!reach.reachable) reach = { reachable: true, since: new Date(), lastError: null };
      if (answer.statusCode < 400) {
        if (reach.lastError) reach = { ...reach, lastError: null };
        return answer;
      }
      throw await refusalOf(answer);
    } catch (error) {
      const lastError = error instanceof Error ? error.message || String(error.cause ?? error.name) : String(error);
      if (error instanceof ApiRefusal) {
        if (error.status === 401 || error.status >= 500) reach = { ...reach, lastError };
      } else if (!isOurAbort(options.signal)) {
        reach = reach.reachable ? { reachable: false, since: new Date(), lastError } : { ...reach, lastError };
      }
      throw error;
    }
  }

  return {
    reach: () => reach,
    close: () => agent.destroy(),
    /** Sends and answers JSON; null for an answer without a body. */
    json: async (method: Method, path: string, { body, signal }: Json): Promise<unknown> => {
      const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
      const answer = await call(method, base + path, { headers, body: body && JSON.stringify(body), signal });
      if (answer.statusCode !== 204) return answer.body.json();
      await answer.body.dump();
      return null;
    },
    /** Sends a stream. */
    send: async (method: Method, path: string, { headers, body, signal }: Raw): Promise<void> => {
      const stream = body();
      try {
        const answer = await call(method, base + path, { headers, body: stream, signal });
        await answer.body.dump();
      } finally {
        stream.destroy();
      }
    },
    /** The body at an address that the service gave, below its origin. */
    stream: async (path: string, signal: AbortSignal): Promise<Readable> =>
      (await call('GET', new URL(path, origin).href, { signal })).body,
  };
}

/** Runs a call until somebody answers: again after 0.2, 0.4 … 5 s while nobody does or the service is unable, for at most `seconds`. */
export async function untilAnswered<T>(
  deed: () => Promise<T>,
  { signal, seconds }: { signal?: AbortSignal; seconds: number },
): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (let pause = 200; ; pause = Math.min(pause * 2, 5_000)) {
    try {
      return await deed();
    } catch (error) {
      if (!mayPass(error) || signal?.aborted || performance.now() + pause > end) throw error;
      await sleep(pause, signal);
    }
  }
}

/** Whether a failure may pass by itself: no answer at all, too many requests, or a service that is unable for the moment. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ApiRefusal) return error.status === 429 || error.status >= 500;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return error.name === 'TimeoutError' || error.name === 'AbortError' || NETWORK_FAULT.test(code);
}

const NETWORK_FAULT =
  /^(UND_ERR_(SOCKET|CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT|CLOSED)|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

async function refusalOf(answer: Dispatcher.ResponseData): Promise<ApiRefusal> {
  const text = await answer.body.text();
  const problem = problemIn(text);
  return new ApiRefusal(
    answer.statusCode,
    problem.code ?? `http_${answer.statusCode}`,
    problem.detail ?? problem.title ?? text.slice(0, 200),
    problem,
  );
}

function problemIn(text: string): { code?: string; title?: string; detail?: string; [own: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function isOurAbort(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason?.name !== 'TimeoutError';
}
