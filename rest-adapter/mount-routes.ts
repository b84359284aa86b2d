import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Execute, Operation } from '../gateway/execute.ts';
import { contextOf } from '../http/caller.ts';
import type { Lasting } from '../http/in-flight.ts';
import { cutOffWhenSlow } from '../http/request/slow-body.ts';
import { type Upload, uploadOf } from '../http/request/upload.ts';
import { readFileName } from '../http/response/file-name.ts';
import { problemOf } from '../http/response/problem.ts';
import { pathOf, sendProblem } from '../http/response/send.ts';
import { type FileRecord, type OpenBlob, sendFile } from '../http/response/send-file.ts';
import { refuse } from '../subgraphs/core/domain/errors.ts';
import { isObject } from '../subgraphs/core/domain/text/is-object.ts';
import type { RequestContext } from '../subgraphs/core/work.ts';
import { answerOf, picked, sendAnswer } from './answer.ts';
import { type IfMatchPorts, ifMatch } from './if-match.ts';
import { earlierAnswer, keepAnswer, markRepeated, type OncePorts, onceFor } from './once.ts';
import { variablesReader } from './request-variables.ts';
import type { Route } from './route.ts';
import { type ReadOn, sendEvents } from './send-events.ts';
import { sendTable } from './send-table.ts';

export type RoutePorts = IfMatchPorts & {
  schema: GraphQLSchema;
  execute: Execute;
  once: OncePorts;
  openBlob: OpenBlob;
  limits: { maxUploadBytes: number };
};

/** Mounts the rows that run operations. Rows that take a file live apart: there no parser touches the body. */
export async function mountRoutes(app: FastifyInstance, routes: readonly Route[], given: RoutePorts): Promise<void> {
  const ports = { ...given, prepare: preparedOnce(given.prepare) };
  const takesFile = (row: Route): boolean => Object.values(row.places).includes('file');
  for (const row of routes.filter((row) => !takesFile(row))) mountRow(app, row, routes, ports);
  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const row of routes.filter(takesFile)) mountRow(raw, row, routes, ports);
  });
}

// an operation is also run to know the ETag that its row's answer has
function preparedOnce(prepare: RoutePorts['prepare']): RoutePorts['prepare'] {
  const prepared = new Map<DocumentNode, Operation>();
  return (document) => {
    const operation = prepared.get(document) ?? prepare(document);
    prepared.set(document, operation);
    return operation;
  };
}

function mountRow(app: FastifyInstance, row: Route, routes: readonly Route[], ports: RoutePorts): void {
  const operation = ports.prepare(row.operation);
  const follow = row.follow && ports.prepare(row.follow);
  const read = variablesReader(row, ports.schema);
  const fileVariable = Object.keys(row.places).find((name) => row.places[name] === 'file');
  const guard = row.method === 'GET' ? undefined : ifMatch(row, routes, ports);

  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (guard && request.headers['if-none-match'] !== undefined) refuseIfNoneMatch();
    const variables = read(request);
    const once = onceFor(row, request, variables);
    const file = fileVariable === undefined ? undefined : fileOf(request, ports.limits);
    if (fileVariable) variables[fileVariable] = file;
    const earlier = once && (await earlierAnswer(ports.once, once, file?.promise));
    if (earlier) return sendAnswer(request, markRepeated(reply), earlier);

    const run = (context: RequestContext) => ports.execute(operation, variables, context);
    const context = contextOf(request, reply);
    if (once) context.idempotency = once;
    const header = request.headers['if-match'];
    const done = async () => once !== undefined && (await ports.once.kept(once.id)) !== null;
    const { data, errors } = await (guard && header !== undefined
      ? guard({
          header,
          params: request.params as Record<string, string>,
          context,
          run,
          done,
          runsOnce: file !== undefined,
        })
      : run(context));
    if (errors?.length)
      return sendProblem(reply, problemOf(errors, { instance: pathOf(request), requestId: request.caller.requestId }));
    const found = picked(row, data);
    if (follow && isObject(found))
      return sendEvents(request, reply, found, readingOn(follow, variables, contextOf(request, reply)));
    if (row.send === 'file' && isObject(found)) return sendFile(request, reply, found as FileRecord, ports.openBlob);
    if (row.table && isObject(found) && (request.query as { format?: string }).format === 'csv')
      return sendTable(request, reply, row.table, found);
    const answer = answerOf(row, request, found);
    const before = once && (await keepAnswer(ports.once, once, answer, request));
    return before ? sendAnswer(request, markRepeated(reply), before) : sendAnswer(request, reply, answer);
  };

  function readingOn(next: Operation, variables: Record<string, unknown>, context: RequestContext): ReadOn {
    return async (from) => {
      const { data, errors } = await ports.execute(next, { ...variables, from }, context);
      return errors?.length ? null : picked(row, data);
    };
  }

  app.route({
    method: row.method === 'GET' ? ['GET', 'HEAD'] : row.method,
    url: row.path,
    exposeHeadRoute: false,
    config: { lasts: lasting(row) },
    handler,
  });
}

// A write that ignored it would do what it was asked not to do.
function refuseIfNoneMatch(): never {
  return refuse('validation_failed', 'If-None-Match is for reading. A write that must not overwrite takes If-Match.', {
    errors: [{ path: '/If-None-Match', message: 'is for reading' }],
  });
}

// who waits, or follows a stream, holds its connection and little else
function lasting({ places, send }: Route): Lasting | undefined {
  if (Object.values(places).includes('file')) return 'upload';
  return send === 'events' || 'waitSeconds' in places ? 'stream' : undefined;
}

/** The raw body as a variable. A body whose announced length is over the limit is refused before a byte of it is read. */
function fileOf(request: FastifyRequest, { maxUploadBytes }: { maxUploadBytes: number }): Upload {
  const { 'content-length': length, 'content-type': type, 'x-file-name': name } = request.headers;
  if (Number(length ?? 0) > maxUploadBytes)
    refuse('file_too_large', `A file may have at most ${maxUploadBytes} bytes; this one has ${length}.`, {
      maxBytes: maxUploadBytes,
    });
  if (/^multipart\/form-data\b/i.test(type ?? ''))
    refuse(
      'unsupported_media_type',
      'The body is the file itself, not a form with a file in it. With curl that is --data-binary @FILE, not -F.',
    );
  cutOffWhenSlow(request.raw);
  const filename = readFileName(typeof name === 'string' ? name : undefined);
  return uploadOf(request.raw, { filename, mimetype: contentTypeOf(type), maxBytes: maxUploadBytes });
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?:\s*;\s*[\w!#$&^.+-]{1,50}=[\w!#$&^.+-]{1,100})*$/;

function contentTypeOf(header: string | undefined): string {
  return header && header.length <= 200 && MEDIA_TYPE.test(header) ? header : 'application/octet-stream';
}
