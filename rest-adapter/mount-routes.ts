// Mounts the routes that run GraphQL operations.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Execute, Operation } from '../gateway/execute.ts';
import type { LongRequest } from '../http/admission/admission.ts';
import { abortSlowBody } from '../http/request/slow-body.ts';
import { createUpload, type Upload } from '../http/request/upload.ts';
import { createRequestContext } from '../http/request-context.ts';
import { readFileName } from '../http/response/file-name.ts';
import { problemFromErrors } from '../http/response/problem.ts';
import { pathOf, sendProblem } from '../http/response/send.ts';
import { type FileRecord, type OpenBlob, sendFile } from '../http/response/send-file.ts';
import { refuse } from '../subgraphs/core/domain/errors.ts';
import { isObject } from '../subgraphs/core/domain/text/is-object.ts';
import type { RequestContext } from '../subgraphs/core/work.ts';
import {
  findStoredResponse,
  type IdempotencyPorts,
  idempotencyKeyOf,
  markReplayed,
  storeResponse,
} from './idempotency.ts';
import { type IfMatchPorts, ifMatchGuard } from './if-match.ts';
import { type ReadLog, sendJobLog } from './job-log-stream.ts';
import { variablesReader } from './request-variables.ts';
import { pickData, responseOf, sendResponse } from './response.ts';
import type { Route } from './route.ts';
import { prefersCsv, sendTable } from './send-table.ts';

export type RoutePorts = IfMatchPorts & {
  schema: GraphQLSchema;
  execute: Execute;
  idempotency: IdempotencyPorts;
  openBlob: OpenBlob;
  limits: { maxUploadBytes: number };
};

/** Mounts the routes. Those that take a file are mounted in a scope without body parsers. */
export async function mountRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  basePorts: RoutePorts,
): Promise<void> {
  const ports = { ...basePorts, prepare: memoizePrepare(basePorts.prepare) };
  const takesFile = (row: Route): boolean => Object.values(row.sources).includes('file');
  for (const row of routes.filter((row) => !takesFile(row))) mountRoute(app, row, routes, ports);
  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const row of routes.filter(takesFile)) mountRoute(raw, row, routes, ports);
  });
}

// Read operations also run to compute the current ETag for If-Match.
function memoizePrepare(prepare: RoutePorts['prepare']): RoutePorts['prepare'] {
  const prepared = new Map<DocumentNode, Operation>();
  return (document) => {
    const operation = prepared.get(document) ?? prepare(document);
    prepared.set(document, operation);
    return operation;
  };
}

function mountRoute(app: FastifyInstance, row: Route, routes: readonly Route[], ports: RoutePorts): void {
  const operation = ports.prepare(row.operation);
  const follow = row.follow && ports.prepare(row.follow);
  const read = variablesReader(row, ports.schema);
  const fileVariable = Object.keys(row.sources).find((name) => row.sources[name] === 'file');
  const guard = row.method === 'GET' ? undefined : ifMatchGuard(row, routes, ports);

  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (guard && request.headers['if-none-match'] !== undefined) rejectIfNoneMatch();
    const variables = read(request);
    const key = idempotencyKeyOf(row, request, variables);
    const file = fileVariable === undefined ? undefined : createUploadFrom(request, ports.limits);
    if (fileVariable) variables[fileVariable] = file;
    const stored = key && (await findStoredResponse(ports.idempotency, key, file?.promise));
    if (stored) return sendResponse(request, markReplayed(reply), stored);

    const run = (context: RequestContext) => ports.execute(operation, variables, context);
    const context = createRequestContext(request, reply);
    if (key) context.idempotency = key;
    const header = request.headers['if-match'];
    const isDone = async () => key !== undefined && (await ports.idempotency.find(key.id)) !== null;
    const { data, errors } = await (guard && header !== undefined
      ? guard({
          header,
          params: request.params as Record<string, string>,
          context,
          run,
          isDone,
          runsOnce: file !== undefined,
        })
      : run(context));
    if (errors?.length)
      return sendProblem(
        reply,
        problemFromErrors(errors, { instance: pathOf(request), requestId: request.caller.requestId }),
      );
    const found = pickData(row, data);
    if (follow && isObject(found))
      return sendJobLog(request, reply, found, readNext(follow, variables, createRequestContext(request, reply)));
    if (row.send === 'file' && isObject(found)) return sendFile(request, reply, found as FileRecord, ports.openBlob);
    if (row.csv) reply.header('vary', 'accept');
    if (row.csv && isObject(found) && prefersCsv(request)) return sendTable(request, reply, row.csv, found);
    const response = responseOf(row, request, found);
    const concurrent = key && (await storeResponse(ports.idempotency, key, response, request));
    return concurrent ? sendResponse(request, markReplayed(reply), concurrent) : sendResponse(request, reply, response);
  };

  function readNext(next: Operation, variables: Record<string, unknown>, context: RequestContext): ReadLog {
    return async (fromLine) => {
      const { data, errors } = await ports.execute(next, { ...variables, from: fromLine }, context);
      return errors?.length ? null : pickData(row, data);
    };
  }

  app.route({
    method: row.method === 'GET' ? ['GET', 'HEAD'] : row.method,
    url: row.path,
    exposeHeadRoute: false,
    config: { limitedAs: longRequestKind(row) },
    handler,
  });
}

// Ignoring If-None-Match would perform a write that the client wanted to prevent.
function rejectIfNoneMatch(): never {
  return refuse('validation_failed', 'If-None-Match is supported on reads only. Use If-Match to prevent overwriting.', {
    errors: [{ path: '/If-None-Match', message: 'is supported on reads only' }],
  });
}

// Long polls and streams hold a connection and little else, so they are counted separately.
function longRequestKind({ sources, send }: Route): LongRequest | undefined {
  if (Object.values(sources).includes('file')) return 'upload';
  return send === 'events' || 'waitSeconds' in sources ? 'stream' : undefined;
}

/**
 * Returns the raw body as an upload. Throws `file_too_large` before reading if Content-Length is over the limit.
 */
function createUploadFrom(request: FastifyRequest, { maxUploadBytes }: { maxUploadBytes: number }): Upload {
  const { 'content-length': length, 'content-type': type, 'x-file-name': name } = request.headers;
  if (Number(length ?? 0) > maxUploadBytes)
    refuse('file_too_large', `The file has ${length} bytes; the maximum is ${maxUploadBytes}.`, {
      maxBytes: maxUploadBytes,
    });
  if (/^multipart\/form-data\b/i.test(type ?? ''))
    refuse(
      'unsupported_media_type',
      'Send the file itself as the body, not as a form field. With curl, use --data-binary @FILE instead of -F.',
    );
  if (/^[^;]*\*/.test(type ?? ''))
    refuse(
      'unsupported_media_type',
      `The Content-Type "${type}" is a wildcard. Send the type of the file, for example application/octet-stream.`,
    );
  abortSlowBody(request.raw);
  const filename = readFileName(typeof name === 'string' ? name : undefined);
  return createUpload(request.raw, { filename, mimetype: parseContentType(type), maxBytes: maxUploadBytes });
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?:\s*;\s*[\w!#$&^.+-]{1,50}=[\w!#$&^.+-]{1,100})*$/;

function parseContentType(header: string | undefined): string {
  return header && header.length <= 200 && MEDIA_TYPE.test(header) ? header : 'application/octet-stream';
}
