// Asking the service: GraphQL for what is shown, REST for files and their pictures. The session goes along by itself, as a cookie.
import type { TypedDocumentString } from '../generated/operations.ts';

/** What the service refused: `code` is one of docs/errors.md, `data` what it says beside it. */
export class ApiError extends Error {
  readonly code: string;
  readonly data: Record<string, unknown>;
  constructor(message: string, code: string, data: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Not to be reached, or answering nonsense: the network, a service that starts again. */
export class UnreachableError extends Error {}

type Answer = {
  data?: unknown;
  errors?: { message: string; extensions?: { code?: string } & Record<string, unknown> }[];
};

/** What a request that changes something says, so that it is known to come from this page. */
export const CSRF_HEADER = { 'x-pdm-csrf': '1' };
let onSignedOut: () => void = () => {};

/** Is told when an answer says that the session has ended. */
export function onSessionEnd(told: () => void): void {
  onSignedOut = told;
}

/** Runs an operation; throws a Refusal with the service's words, or Unreachable. */
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
  const { data, errors } = await readAnswer(response);
  const [error] = errors ?? [];
  if (error) {
    const { code = 'internal', ...details } = error.extensions ?? {};
    throw refused(error.message, code, details);
  }
  return data as Data; // the answer of an operation checked against the schema when the page was made
}

/** Sends a request to /api/v1; throws as `ask` does. */
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

/** Reads JSON from an address of the service outside /api/v1; throws as `ask` does. */
export async function readJson<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  const response = await fetchService(path, { signal });
  if (!response.ok) throw await readError(response);
  return response.json();
}

/** What a response that is not ok says, as a Refusal. */
export async function readError(response: Response): Promise<Error> {
  const problem: unknown = await response.json().catch(() => null); // a proxy between may answer with a page of its own
  if (typeof problem !== 'object' || problem === null)
    return new UnreachableError(`The service answered ${response.status} ${response.statusText}.`);
  const { code = 'internal', detail, title, ...details } = problem as { code?: string; detail?: string; title?: string };
  return refused(detail ?? title ?? response.statusText, code, details);
}

/** The address of a file of /api/v1 as links and pictures use it. */
export const apiUrl = (path: string): string => (path.startsWith('/api/') ? path : `/api/v1${path}`);

/** Sends a request to the service, with the session; throws Unreachable when nothing answers, with a word about what it was to save. */
export async function fetchService(
  url: string,
  init: RequestInit,
  saves = (init.method ?? 'GET') !== 'GET',
): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'same-origin' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new UnreachableError(
      `The service cannot be reached.${saves ? ' What you did was not saved; try again in a moment.' : ''}`,
    );
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const answer: unknown = await response.json().catch(() => null);
  if (typeof answer !== 'object' || answer === null)
    throw new UnreachableError(`The service answered ${response.status} ${response.statusText}.`);
  return answer;
}

function refused(message: string, code: string, data: Record<string, unknown>): ApiError {
  if (code === 'unauthenticated') onSignedOut();
  return new ApiError(message, code, data);
}
