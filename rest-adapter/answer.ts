// What goes out: records and lists as JSON, problems, and the headers that go with them.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, type ErrorCode, notFound } from '../subgraphs/core/domain/errors.ts';
import { etagOf, namesTag } from './etag.ts';
import { isRecord } from './input-check.ts';
import { PROBLEM_TYPE, type Problem } from './problem.ts';
import type { Route } from './route.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Answers what an operation found; null is `not_found`, or 204 where the row says so. */
export function sendFound(row: Route, request: FastifyRequest, reply: FastifyReply, found: unknown): FastifyReply {
  if (row.status === 204) return reply.code(204).send();
  if (found === null || found === undefined) {
    if (row.whenNull === 204) return reply.code(204).send();
    throw nothingFound(row, request);
  }
  const body = listed(row.spread.reduce<unknown>((value, path) => spread(value, path.split('.')), found));
  if (isRecord(body) && typeof body.nextCursor === 'string') reply.header('link', `<${nextPage(request, body.nextCursor)}>; rel="next"`);
  if (row.location && isRecord(found)) reply.header('location', locationOf(row.location, request, found));
  return sendJson(request, reply.code(row.status), body);
}

// what an address leads to, by its first part
const NOUNS: Readonly<Record<string, string>> = {
  artifacts: 'file',
  documents: 'document',
  folders: 'folder',
  jobs: 'job',
  revisions: 'revision',
  runs: 'run',
  tokens: 'token',
  users: 'user',
  versions: 'draft or version',
  workspaces: 'workspace',
};

function nothingFound({ path, send }: Route, request: FastifyRequest): DomainError {
  const [, first = '', , ...deeper] = path.split('/');
  const { id, kind = 'thumbnail' } = request.params as { id?: string; kind?: string };
  const what = NOUNS[first];
  if (!what || !id) return new DomainError('not_found', `There is nothing at ${pathOf(request)}.`);
  if (send === 'json' || deeper.join() === 'file') return notFound(what, id);
  return new DomainError('not_found', `There is no ${what} ${id}, or it has no file of the kind ${kind} (yet).`, { what, id, kind });
}

/** Sends JSON; a GET gets an ETag of exactly these bytes, and 304 when the client has them. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, value: unknown, type = JSON_TYPE): FastifyReply {
  const body = JSON.stringify(value);
  if (request.method === 'GET' || request.method === 'HEAD') {
    const etag = etagOf(body);
    reply.headers({ etag, 'cache-control': 'private, no-cache' });
    if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  }
  return reply.type(type).send(body);
}

/** Sends a problem. What the answer was going to be leaves no trace in the headers. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  for (const name of OF_THE_ANSWER) reply.removeHeader(name);
  for (const [name, value] of Object.entries(headersOf(problem))) reply.header(name, value);
  // as bytes: to a text Fastify would add a charset, which this type does not have
  return reply
    .code(problem.status)
    .type(PROBLEM_TYPE)
    .send(Buffer.from(JSON.stringify(problem)));
}

const OF_THE_ANSWER = [
  'etag',
  'content-length',
  'location',
  'link',
  'cache-control',
  'accept-ranges',
  'content-disposition',
  'content-security-policy',
  'content-range',
];

/** The path of a request without its query. */
export function pathOf({ url }: { url: string }): string {
  return url.split('?', 1)[0] ?? url;
}

// a list without pages looks like one with a single page; the total is there only when it was asked for
function listed(value: unknown): unknown {
  if (Array.isArray(value)) return { items: value, nextCursor: null };
  if (!isRecord(value) || !('items' in value)) return value;
  if (!('nextCursor' in value)) return { ...value, nextCursor: null };
  if (value.total !== null) return value;
  const { total: _total, ...page } = value;
  return page;
}

function spread(value: unknown, [field = '', ...deeper]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => spread(item, [field, ...deeper]));
  if (!isRecord(value)) return value;
  const { [field]: inner, ...rest } = value;
  if (deeper.length) return { ...value, [field]: spread(inner, deeper) };
  return isRecord(inner) ? { ...inner, ...rest } : value;
}

function nextPage({ url }: FastifyRequest, cursor: string): string {
  const [path, query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return `${path}?${parameters}`;
}

function locationOf(location: string, request: FastifyRequest, found: Record<string, unknown>): string {
  return request.server.prefix + location.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(found[name])));
}

const SECONDS: Partial<Record<ErrorCode, number>> = { rate_limited: 1, unavailable: 2 };

function headersOf({ code, allow, retryAfter, size }: Problem): Record<string, string> {
  const seconds = typeof retryAfter === 'number' ? retryAfter : SECONDS[code];
  return {
    ...(code === 'unauthenticated' ? { 'www-authenticate': 'Bearer realm="pdm"' } : {}),
    ...(code === 'range_not_satisfiable' ? { 'content-range': `bytes */${size}` } : {}),
    ...(Array.isArray(allow) ? { allow: allow.join(', ') } : {}),
    ...(seconds ? { 'retry-after': String(seconds) } : {}),
  };
}
