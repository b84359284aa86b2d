// Builds the response of a route: records and lists as JSON, with Location, Link and ETag.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf } from '../http/response/etag.ts';
import { pathOf, sendText } from '../http/response/send.ts';
import type { StoredResponse } from '../subgraphs/core/domain/access/idempotency-key.ts';
import { DomainError, notFound } from '../subgraphs/core/domain/errors.ts';
import { isObject } from '../subgraphs/core/domain/text/is-object.ts';
import type { Route } from './route.ts';

/** A response that can be sent, stored under an Idempotency-Key and sent again. `link` is the Link header. */
export type RestResponse = StoredResponse & { link?: string; editablePart?: string };

/** Returns the response for the data of an operation. Null is `not_found`, or 204 if the route says so. */
export function responseOf(row: Route, request: FastifyRequest, found: unknown): RestResponse {
  const nothing = found === null || found === undefined;
  if (row.status === 204 || (nothing && row.whenNull === 204)) return { status: 204, location: null, body: null };
  if (nothing) throw notFoundError(row, request);
  const body = responseBody(row, found);
  const link =
    isObject(body) && typeof body.nextCursor === 'string'
      ? `<${nextPageLink(request, body.nextCursor)}>; rel="next"`
      : undefined;
  const location = row.location && isObject(body) ? resolveLocation(row.location, request, body) : null;
  const existed = row.createdFlag !== undefined && isObject(found) && found[row.createdFlag] === false;
  return {
    status: existed ? 200 : row.status,
    location,
    link,
    body: JSON.stringify(body),
    editablePart: editableText(row, body),
  };
}

/** Sends a response with its headers. */
export function sendResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, location, link, body, editablePart }: RestResponse,
): FastifyReply {
  if (link) reply.header('link', link);
  if (location) reply.header('location', location);
  return body === null ? reply.code(status).send() : sendText(request, reply.code(status), body, { editablePart });
}

/** Returns the part of the data that a route shows. */
export function pickData({ pick }: Route, data: unknown): unknown {
  return pick.reduce<unknown>((value, step) => (isObject(value) ? value[step] : null), data);
}

/** Returns the ETag of a GET route for this data; null if there is none. */
export function routeEtag(row: Route, data: unknown): string | null {
  const found = pickData(row, data);
  if (found === null || found === undefined) return null;
  if (row.send === 'file' && isObject(found)) return `"${found.sha256}"`;
  const body = responseBody(row, found);
  return etagOf(JSON.stringify(body), editableText(row, body));
}

function editableText({ editablePart }: Route, body: unknown): string | undefined {
  return editablePart && JSON.stringify(editablePart(body));
}

/** Returns the JSON body of a route for this data. */
export function responseBody(row: Route, found: unknown): unknown {
  return asPage(row.inline.reduce<unknown>((value, path) => inlineFields(value, path.split('.')), found));
}

// The kind of record by the first segment of a path.
const RESOURCE_NAMES: Readonly<Record<string, string>> = {
  artifacts: 'file',
  documents: 'document',
  folders: 'folder',
  jobs: 'job',
  revisions: 'revision',
  runs: 'run',
  tokens: 'token',
  users: 'user',
  versions: 'draft or version',
  views: 'view',
  workspaces: 'workspace',
};

function notFoundError({ path, send }: Route, request: FastifyRequest): DomainError {
  const [, first = '', , ...deeper] = path.split('/');
  const { id, kind = 'thumbnail' } = request.params as { id?: string; kind?: string };
  const what = RESOURCE_NAMES[first];
  if (!what || !id) return new DomainError('not_found', `There is no resource at ${pathOf(request)}.`);
  if (deeper.join() === 'provenance')
    return new DomainError(
      'not_found',
      `There is no ${what} ${id}, or it is not done yet. Provenance is available once it is done.`,
      {
        what,
        id,
      },
    );
  if (send === 'json' || deeper.join() === 'file') return notFound(what, id);
  return new DomainError('not_found', `The ${what} ${id} has no ${kind} file (yet).`, { what, id, kind });
}

// An unpaged list is shown as a single page. `total` is present only if it was requested.
function asPage(value: unknown): unknown {
  if (Array.isArray(value)) return { items: value, nextCursor: null };
  if (!isObject(value) || !('items' in value)) return value;
  if (!('nextCursor' in value)) return { ...value, nextCursor: null };
  if (value.total !== null) return value;
  const { total: _total, ...page } = value;
  return page;
}

function inlineFields(value: unknown, [field = '', ...deeper]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => inlineFields(item, [field, ...deeper]));
  if (!isObject(value)) return value;
  const { [field]: inner, ...rest } = value;
  if (deeper.length) return { ...value, [field]: inlineFields(inner, deeper) };
  return isObject(inner) ? { ...inner, ...rest } : value;
}

function nextPageLink({ url }: FastifyRequest, cursor: string): string {
  const [path, query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return `${path}?${parameters}`;
}

function resolveLocation(location: string, request: FastifyRequest, found: Record<string, unknown>): string {
  return (
    request.server.prefix + location.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(found[name])))
  );
}
