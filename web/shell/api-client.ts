// HTTP client of the service: GraphQL operations, REST requests and file URLs. The session cookie authenticates.
import type { TypedDocumentString } from '../generated/operations.ts';

/** An error returned by the API: `code` is listed in docs/errors.md, `data` holds the other error fields. */
export class ApiError extends Error {
  readonly code: string;
  readonly data: Record<string, unknown>;
  constructor(message: string, code: string, data: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The service cannot be reached or does not return JSON, e.g. while it restarts. */
export class UnreachableError extends Error {}

type GraphqlResponse = {
  data?: unknown;
  errors?: { message: string; extensions?: { code?: string } & Record<string, unknown> }[];
};

/** Required by the service on requests that are authenticated by cookie (CSRF protection). */
export const CSRF_HEADER = { 'x-pdm-csrf': '1' };
let sessionEndHandler: () => void = () => {};

/** Sets the handler that runs when a response says that the session has ended. */
export function onSessionEnd(handler: () => void): void {
  sessionEndHandler = handler;
}

/**
 * Executes a GraphQL operation; throws ApiError or UnreachableError. Repeats a write whose outcome is unknown under the
 * same idempotency key, so that it takes effect once, and every request that an overloaded service rejects.
 */
export async function execute<Data, Variables>(
  operation: TypedDocumentString<Data, Variables>,
  variables: Variables,
  { signal, ifMatch, idempotencyKey }: { signal?: AbortSignal; ifMatch?: string; idempotencyKey?: string } = {},
): Promise<Data> {
  const query = operation.toString();
  const isWrite = /^\s*mutation\b/.test(query);
  const init = {
    method: 'POST',
    headers: {
      ...CSRF_HEADER,
      'content-type': 'application/json',
      ...(ifMatch ? { 'if-match': ifMatch } : {}),
      ...(isWrite ? { 'idempotency-key': idempotencyKey ?? createIdempotencyKey() } : {}),
    },
    body: JSON.stringify({ query, variables }),
    signal,
  };
  return (await repeat(isWrite, () => send(init, isWrite))) as Data; // the operation was checked against the schema at build time
}

/** Creates a key under which a write takes effect once. */
export function createIdempotencyKey(): string {
  // crypto.randomUUID does not exist over plain HTTP.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const MAX_ATTEMPTS = 3;

async function send(init: RequestInit, isWrite: boolean): Promise<unknown> {
  const { data, errors } = await readGraphqlResponse(await fetchService('/graphql', init, isWrite));
  // a record that does not exist is null
  const isComplete = data !== undefined && data !== null;
  const error = errors?.find(({ extensions }) => !isComplete || extensions?.code !== 'not_found');
  if (!error) return data;
  const { code = 'internal', ...details } = error.extensions ?? {};
  throw apiError(error.message, code, details);
}

async function repeat<Result>(isWrite: boolean, attemptOnce: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptOnce();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRepeatable(error, isWrite)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelay(error, attempt)));
    }
  }
}

function isRepeatable(error: unknown, isWrite: boolean): boolean {
  if (error instanceof UnreachableError) return isWrite;
  const code = error instanceof ApiError ? error.code : '';
  return code === 'overloaded' || (isWrite && (code === 'timeout' || code === 'unavailable'));
}

function retryDelay(error: unknown, attempt: number): number {
  const seconds = error instanceof ApiError ? Number(error.data.retryAfter ?? 1) : 0.5;
  return 1000 * (seconds * attempt + Math.random() / 2);
}

/** Sends a request to /api/v1; throws ApiError or UnreachableError. Repeats it like `execute`. */
export async function restRequest(
  path: string,
  {
    method = 'GET',
    body,
    signal,
    headers = {},
  }: { method?: string; body?: unknown; signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Response> {
  const isWrite = method !== 'GET';
  const init = {
    method,
    headers: {
      ...CSRF_HEADER,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(isWrite ? { 'idempotency-key': createIdempotencyKey() } : {}),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  };
  return repeat(isWrite, async () => {
    const response = await fetchService(`/api/v1${path}`, init);
    if (response.ok) return response;
    throw await readError(response);
  });
}

/** Reads JSON from a path of the service outside /api/v1; throws ApiError or UnreachableError. */
export async function readJson<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  const response = await fetchService(path, { signal });
  if (!response.ok) throw await readError(response);
  return response.json();
}

/** Converts an error response to an ApiError. */
export async function readError(response: Response): Promise<Error> {
  const problem: unknown = await response.json().catch(() => null); // a proxy may respond with an HTML page
  if (typeof problem !== 'object' || problem === null) return invalidResponse(response);
  const {
    code = 'internal',
    detail,
    title,
    ...details
  } = problem as {
    code?: string;
    detail?: string;
    title?: string;
  };
  return apiError(detail ?? title ?? response.statusText, code, details);
}

/** Returns the URL of a REST path, for links and images. */
export const apiUrl = (path: string): string => (path.startsWith('/api/') ? path : `/api/v1${path}`);

/** Fetches with the session cookie; throws UnreachableError, whose message for writes says that they may be lost. */
export async function fetchService(
  url: string,
  init: RequestInit,
  isWrite = (init.method ?? 'GET') !== 'GET',
): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'same-origin' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new UnreachableError(
      `Cannot reach the service.${isWrite ? ' Your change may not be saved. Check it before you try again.' : ''}`,
    );
  }
}

async function readGraphqlResponse(response: Response): Promise<GraphqlResponse> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null) throw invalidResponse(response);
  return body;
}

const invalidResponse = ({ status, statusText }: Response) =>
  new UnreachableError(`The service returned ${status} ${statusText}.`);

function apiError(message: string, code: string, data: Record<string, unknown>): ApiError {
  if (code === 'unauthenticated') sessionEndHandler();
  return new ApiError(message, code, data);
}
