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

/** Executes a GraphQL operation; throws ApiError or UnreachableError. */
export async function execute<Data, Variables>(
  operation: TypedDocumentString<Data, Variables>,
  variables: Variables,
  { signal, ifMatch }: { signal?: AbortSignal; ifMatch?: string } = {},
): Promise<Data> {
  const query = operation.toString();
  const init = {
    method: 'POST',
    headers: { ...CSRF_HEADER, 'content-type': 'application/json', ...(ifMatch ? { 'if-match': ifMatch } : {}) },
    body: JSON.stringify({ query, variables }),
    signal,
  };
  const response = await fetchService('/graphql', init, /^\s*mutation\b/.test(query));
  const { data, errors } = await readGraphqlResponse(response);
  const [error] = errors ?? [];
  if (error) {
    const { code = 'internal', ...details } = error.extensions ?? {};
    throw apiError(error.message, code, details);
  }
  return data as Data; // the operation was checked against the schema at build time
}

/** Sends a request to /api/v1; throws ApiError or UnreachableError. */
export async function restRequest(
  path: string,
  {
    method = 'GET',
    body,
    signal,
    headers = {},
  }: { method?: string; body?: unknown; signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Response> {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetchService(`/api/v1${path}`, {
    method,
    headers: { ...CSRF_HEADER, ...json, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  });
  if (response.ok) return response;
  throw await readError(response);
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

/** Fetches with the session cookie; throws UnreachableError, whose message for writes says that nothing was saved. */
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
      `Cannot reach the service.${isWrite ? ' Your change was not saved; try again in a moment.' : ''}`,
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
