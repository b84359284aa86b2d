// Asking the service: GraphQL for what is shown, REST for files and their pictures. The session goes along by itself, as a cookie.
import type { TypedDocumentString } from '../generated/operations.ts';

/** What the service refused: `code` is one of docs/errors.md, `data` what it says beside it. */
export class Refusal extends Error {
  readonly code: string;
  readonly data: Record<string, unknown>;
  constructor(message: string, code: string, data: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Not to be reached, or answering nonsense: the network, a service that starts again. */
export class Unreachable extends Error {}

type Answer = {
  data?: unknown;
  errors?: { message: string; extensions?: { code?: string } & Record<string, unknown> }[];
};

/** What a request that changes something says, so that it is known to come from this page. */
export const OURS = { 'x-pdm-csrf': '1' };
let onSignedOut: () => void = () => {};

/** Is told when an answer says that the session has ended. */
export function whenSignedOut(told: () => void): void {
  onSignedOut = told;
}

/** Runs an operation; throws a Refusal with the service's words, or Unreachable. */
export async function ask<Data, Variables>(
  operation: TypedDocumentString<Data, Variables>,
  variables: Variables,
  { signal, ifMatch }: { signal?: AbortSignal; ifMatch?: string } = {},
): Promise<Data> {
  const query = operation.toString();
  const init = {
    method: 'POST',
    headers: { ...OURS, 'content-type': 'application/json', ...(ifMatch ? { 'if-match': ifMatch } : {}) },
    body: JSON.stringify({ query, variables }),
    signal,
  };
  const response = await reach('/graphql', init, /^\s*mutation\b/.test(query));
  const { data, errors } = await readAnswer(response);
  const [error] = errors ?? [];
  if (error) {
    const { code = 'internal', ...rest } = error.extensions ?? {};
    throw refused(error.message, code, rest);
  }
  return data as Data; // the answer of an operation checked against the schema when the page was made
}

/** Sends a request to /api/v1; throws as `ask` does. */
export async function rest(
  path: string,
  {
    method = 'GET',
    body,
    signal,
    headers = {},
  }: { method?: string; body?: unknown; signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Response> {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await reach(`/api/v1${path}`, {
    method,
    headers: { ...OURS, ...json, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  });
  if (response.ok) return response;
  throw await problemOf(response);
}

/** Reads JSON from an address of the service outside /api/v1; throws as `ask` does. */
export async function readJson<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  const response = await reach(path, { signal });
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

/** What a response that is not ok says, as a Refusal. */
export async function problemOf(response: Response): Promise<Error> {
  const problem: unknown = await response.json().catch(() => null); // a proxy between may answer with a page of its own
  if (typeof problem !== 'object' || problem === null)
    return new Unreachable(`The service answered ${response.status} ${response.statusText}.`);
  const { code = 'internal', detail, title, ...rest } = problem as { code?: string; detail?: string; title?: string };
  return refused(detail ?? title ?? response.statusText, code, rest);
}

/** The address of a file of /api/v1 as links and pictures use it. */
export const fileAddress = (path: string): string => (path.startsWith('/api/') ? path : `/api/v1${path}`);

/** Sends a request to the service, with the session; throws Unreachable when nothing answers, with a word about what it was to save. */
export async function reach(
  url: string,
  init: RequestInit,
  saves = (init.method ?? 'GET') !== 'GET',
): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'same-origin' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable(
      `The service cannot be reached.${saves ? ' What you did was not saved; try again in a moment.' : ''}`,
    );
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  const answer: unknown = await response.json().catch(() => null);
  if (typeof answer !== 'object' || answer === null)
    throw new Unreachable(`The service answered ${response.status} ${response.statusText}.`);
  return answer;
}

function refused(message: string, code: string, data: Record<string, unknown>): Refusal {
  if (code === 'unauthenticated') onSignedOut();
  return new Refusal(message, code, data);
}
