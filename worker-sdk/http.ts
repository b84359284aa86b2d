import { ApiError, ConnectionError, isTransient } from './errors.ts';
import { sleep } from './sleep.ts';

export type Request = {
  method: 'GET' | 'POST';
  /** A path below the base URL, or a path from the service that includes the path of the base URL. */
  path: string;
  body?: Blob | Uint8Array<ArrayBuffer> | object;
  headers?: Record<string, string>;
  signal: AbortSignal;
};
export type HttpClient = (request: Request) => Promise<Response>;
export type HttpClientOptions = { baseUrl: string; token: string; fetch?: typeof globalThis.fetch };

/**
 * Returns a client of the service at `baseUrl` (with or without /api/v1). It throws an ApiError for an error response,
 * a ConnectionError if no response arrives or the signal times out, and the abort reason if the signal aborts
 * otherwise.
 */
export function createHttpClient({ baseUrl, token, fetch = globalThis.fetch }: HttpClientOptions): HttpClient {
  const base = apiBaseUrl(baseUrl);
  const { origin, pathname } = new URL(base);
  return async ({ method, path, body, headers = {}, signal }) => {
    const isBinary = body instanceof Blob || body instanceof Uint8Array;
    const url = path.startsWith(pathname) ? origin + path : base + path;
    const response = await withConnectionErrors(
      () =>
        fetch(url, {
          method,
          signal,
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/json',
            ...(body && !isBinary ? JSON_TYPE : {}),
            ...headers,
          },
          body: isBinary ? body : body && JSON.stringify(body),
        }),
      signal,
    );
    if (response.ok) return response;
    throw parseApiError(response, await withConnectionErrors(() => response.text(), signal));
  };
}

/** Returns the parsed JSON body of a response, or null for status 204. */
export async function readJson<T>(response: Response, signal: AbortSignal): Promise<T | null> {
  if (response.status === 204) return null;
  return (await withConnectionErrors(() => response.json(), signal)) as T;
}

/** Repeats a request while it fails with a transient error, with a backoff of 0.2, 0.4 … 5 s, for at most `seconds`. */
export async function withRetry<T>(
  request: () => Promise<T>,
  { signal, seconds }: { signal?: AbortSignal; seconds: number },
): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (let pause = 200; ; pause = Math.min(pause * 2, 5_000)) {
    try {
      return await request();
    } catch (error) {
      const retryAfter = error instanceof ApiError ? error.retryAfterSeconds * 1000 : 0;
      const delay = Math.max(pause, retryAfter);
      if (!isTransient(error) || signal?.aborted || performance.now() + delay > deadline) throw error;
      await sleep(delay, signal);
    }
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };

function apiBaseUrl(baseUrl: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  return base.endsWith('/api/v1') ? base : `${base}/api/v1`;
}

// fetch and the body readers have no error class of their own for failed connections.
async function withConnectionErrors<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    if (signal.aborted && !timedOut) throw error;
    throw new ConnectionError(timedOut ? 'the request timed out' : messageOf(error), { cause: error });
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}

function parseApiError({ status, headers }: Response, text: string): ApiError {
  const problem = parseProblem(text);
  return new ApiError(
    status,
    problem.code ?? `http_${status}`,
    problem.detail ?? problem.title ?? text.slice(0, 200),
    Number(headers.get('retry-after')) || 0,
    problem,
  );
}

function parseProblem(text: string): { code?: string; title?: string; detail?: string; [field: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
