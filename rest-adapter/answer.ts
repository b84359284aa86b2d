// What goes out: records and lists as JSON, problems, and the headers that go with them.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf } from '../http/response/etag.ts';
import { pathOf, sendText } from '../http/response/send.ts';
import type { StoredResponse } from '../subgraphs/core/domain/access/idempotency-key.ts';
import { DomainError, notFound } from '../subgraphs/core/domain/errors.ts';
import { isObject } from '../subgraphs/core/domain/text/is-object.ts';
import type { Route } from './route.ts';

/** An answer that is ready to be sent, and to be sent again. */
export type Answer = StoredResponse & { link?: string; own?: string };

/** What is answered when an operation found this; null is `not_found`, or 204 where the row says so. */
export function answerOf(row: Route, request: FastifyRequest, found: unknown): Answer {
  const nothing = found === null || found === undefined;
  if (row.status === 204 || (nothing && row.whenNull === 204)) return { status: 204, location: null, body: null };
  if (nothing) throw nothingFound(row, request);
  const body = bodyOf(row, found);
  const link =
    isObject(body) && typeof body.nextCursor === 'string'
      ? `<${nextPage(request, body.nextCursor)}>; rel="next"`
      : undefined;
  const location = row.location && isObject(body) ? locationOf(row.location, request, body) : null;
  const there = row.existing !== undefined && isObject(found) && found[row.existing] === false;
  return { status: there ? 200 : row.status, location, link, body: JSON.stringify(body), own: ownText(row, body) };
}

/** Sends such an answer. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, location, link, body, own }: Answer,
): FastifyReply {
  if (link) reply.header('link', link);
  if (location) reply.header('location', location);
  return body === null ? reply.code(status).send() : sendText(request, reply.code(status), body, { own });
}

/** What stands at the data path of a row. */
export function picked({ pick }: Route, data: unknown): unknown {
  return pick.reduce<unknown>((value, step) => (isObject(value) ? value[step] : null), data);
}

/** The ETag that a GET row has when its operation finds this; null when it finds nothing. */
export function etagOfRow(row: Route, data: unknown): string | null {
  const found = picked(row, data);
  if (found === null || found === undefined) return null;
  if (row.send === 'file' && isObject(found)) return `"${found.sha256}"`;
  const body = bodyOf(row, found);
  return etagOf(JSON.stringify(body), ownText(row, body));
}

function ownText({ own }: Route, body: unknown): string | undefined {
  return own && JSON.stringify(own(body));
}

/** What a row answers as JSON when its operation found this. */
export function bodyOf(row: Route, found: unknown): unknown {
  return listed(row.spread.reduce<unknown>((value, path) => spread(value, path.split('.')), found));
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
  if (deeper.join() === 'provenance')
    return new DomainError('not_found', `There is no ${what} ${id}, or it is not done: then it has a provenance.`, {
      what,
      id,
    });
  if (send === 'json' || deeper.join() === 'file') return notFound(what, id);
  return new DomainError('not_found', `The ${what} ${id} has no file of the kind ${kind} (yet).`, { what, id, kind });
}

// a list without pages looks like one with a single page; the total is there only when it was asked for
function listed(value: unknown): unknown {
  if (Array.isArray(value)) return { items: value, nextCursor: null };
  if (!isObject(value) || !('items' in value)) return value;
  if (!('nextCursor' in value)) return { ...value, nextCursor: null };
  if (value.total !== null) return value;
  const { total: _total, ...page } = value;
  return page;
}

function spread(value: unknown, [field = '', ...deeper]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => spread(item, [field, ...deeper]));
  if (!isObject(value)) return value;
  const { [field]: inner, ...rest } = value;
  if (deeper.length) return { ...value, [field]: spread(inner, deeper) };
  return isObject(inner) ? { ...inner, ...rest } : value;
}

function nextPage({ url }: FastifyRequest, cursor: string): string {
  const [path, query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return `${path}?${parameters}`;
}

function locationOf(location: string, request: FastifyRequest, found: Record<string, unknown>): string {
  return (
    request.server.prefix + location.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(found[name])))
  );
}
