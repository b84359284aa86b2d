import { mayPass, NoAnswer, ServiceRefusal } from './faults.ts';
import { waited } from './waited.ts';

export type Request = {
  method: 'GET' | 'POST';
  /** Below the base address, or an address that the service gave (it begins with the path of the base address). */
  path: string;
  body?: Blob | Uint8Array<ArrayBuffer> | object;
  headers?: Record<string, string>;
  signal: AbortSignal;
};
export type Http = (request: Request) => Promise<Response>;

/**
 * Requests to the service at `baseUrl` (with or without /api/v1). A refusal is thrown as ServiceRefusal, no answer as NoAnswer, an abort as it is.
 */
export function http({ baseUrl, token }: { baseUrl: string; token: string }): Http {
  const base = apiAddress(baseUrl);
  const origin = new URL(base).origin;
  return async ({ method, path, body, headers = {}, signal }) => {
    const raw = body instanceof Blob || body instanceof Uint8Array;
    const url = path.startsWith(new URL(base).pathname) ? origin + path : base + path;
    const answer = await heard(
      () =>
        fetch(url, {
          method,
          signal,
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/json',
            ...(body && !raw ? JSON_TYPE : {}),
            ...headers,
          },
          body: raw ? body : body && JSON.stringify(body),
        }),
      signal,
    );
    if (answer.ok) return answer;
    throw refusalIn(answer, await heard(() => answer.text(), signal));
  };
}

/** The JSON of an answer; null when it has no body. */
export async function jsonOf<T>(answer: Response, signal: AbortSignal): Promise<T | null> {
  if (answer.status === 204) return null;
  return (await heard(() => answer.json(), signal)) as T;
}

/** Runs a request until somebody answers: again after 0.2, 0.4 … 5 s while nobody does or the service is unable, for at most `seconds`. */
export async function untilAnswered<T>(
  deed: () => Promise<T>,
  { signal, seconds }: { signal?: AbortSignal; seconds: number },
): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (let pause = 200; ; pause = Math.min(pause * 2, 5_000)) {
    try {
      return await deed();
    } catch (error) {
      const asked = error instanceof ServiceRefusal ? error.retryAfterSeconds * 1000 : 0;
      const next = Math.max(pause, asked);
      if (!mayPass(error) || signal?.aborted || performance.now() + next > end) throw error;
      await waited(next, signal);
    }
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };

function apiAddress(baseUrl: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  return base.endsWith('/api/v1') ? base : `${base}/api/v1`;
}

// What fetch and the reading of a body throw when the connection fails has no class of its own.
async function heard<T>(deed: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await deed();
  } catch (error) {
    const tooLong = error instanceof Error && error.name === 'TimeoutError';
    if (signal.aborted && !tooLong) throw error;
    throw new NoAnswer(tooLong ? 'no answer in time' : reasonIn(error), { cause: error });
  }
}

function reasonIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}

function refusalIn({ status, headers }: Response, text: string): ServiceRefusal {
  const { code, detail, title } = problemIn(text);
  return new ServiceRefusal(
    status,
    code ?? `http_${status}`,
    detail ?? title ?? text.slice(0, 200),
    Number(headers.get('retry-after')) || 0,
  );
}

function problemIn(text: string): { code?: string; title?: string; detail?: string } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
