import { readFileSync } from 'node:fs';
import { type DocumentNode, GraphQLError, GraphQLScalarType, Kind, parse } from 'graphql';
import type { FileUpload } from 'graphql-upload-minimal';
import { type Ability, assertAbility } from './domain/access/permissions.ts';
import { CATALOGUE, DomainError, refuse } from './domain/errors.ts';
import { parseInstant } from './domain/text/parse-instant.ts';
import type { RecordLoader } from './loaders.ts';
import type { Scope } from './store/query/scope.ts';
import type { CollectionName } from './store/schema/collections.ts';
import { toDomainError, type Command, inTransaction, type RequestContext, type Services } from './work.ts';

/** What every resolver gets: the services, the request, and the loaders of this request and subgraph. */
export type Context<L = unknown> = { services: Services; request: RequestContext; scope: Scope; loaders: L };

/** One of the four subgraphs, as the gateway takes it. */
export type Subgraph = {
  name: string;
  typeDefs: DocumentNode;
  resolvers: ResolverMap;
  context(request: RequestContext): object;
};

// biome-ignore lint/suspicious/noExplicitAny: resolver maps are checked against the generated types where they are written
type Resolver = (parent: any, args: any, context: any, info: any) => unknown;
export type ResolverMap = Record<string, Record<string, Resolver> | GraphQLScalarType>;

/**
 * Makes a subgraph of its SDL, resolvers and loaders; every resolver's errors come out in the words of the catalogue. Root fields say themselves
 * who may ask for them; all other fields are for readers, whatever led there, but for those of the types `shownToWorkers`: a job and what
 * belongs to it. So a worker cannot walk from its job into the records around it.
 */
export function defineSubgraph<L>(options: {
  name: string;
  schema: URL;
  services: Services;
  resolvers: object;
  shownToWorkers?: readonly string[];
  loaders: (scope: Scope, services: Services) => L;
}): Subgraph {
  const { name, services } = options;
  const scope: Scope = { db: services.mongo.db };
  const fresh = (): L => options.loaders(scope, services);
  const { Mutation = {}, ...others } = { DateTime, JSON: Json, ...options.resolvers } as ResolverMap;
  return {
    name,
    typeDefs: parse(readFileSync(options.schema, 'utf8')),
    resolvers: wrapResolvers({ ...others, Mutation: eachWithLoaders(fresh, Mutation) }, options.schema, [
      ...ROOTS,
      ...(options.shownToWorkers ?? []),
    ]),
    context: (request): Context<L> => ({ services, request, scope, loaders: fresh() }),
  };
}

const ROOTS = ['Query', 'Mutation'];

// The writes of one operation run one after the other: none may be answered with what was read for the one before it.
function eachWithLoaders<L>(fresh: () => L, writes: ResolverMap[string]): ResolverMap[string] {
  if (writes instanceof GraphQLScalarType) return writes;
  const renewing = (write: Resolver): Resolver => {
    return (parent, given, context: Context<L>, info) => {
      context.loaders = fresh();
      return write(parent, given, context, info);
    };
  };
  return Object.fromEntries(Object.entries(writes).map(([name, write]) => [name, renewing(write)]));
}

/** A root mutation: permission, then the command in its transaction. The arguments are the command's input. */
export function mutation<I, R>(command: Command<I, R>, needs: Ability = 'edit') {
  return (_parent: unknown, input: I, { services, request }: Context): Promise<R> => {
    assertPermitted(request, needs);
    return inTransaction(
      services,
      request.ifMatch === undefined ? request : withExpected(request, request.ifMatch, input),
      command,
      input,
    );
  };
}

// The record that a write is about, by the first of these arguments, and the tag that the client knows of it; a star matches whatever there is.
function withExpected({ ifMatch: _ifMatch, ...request }: RequestContext, header: string, input: unknown): RequestContext {
  const given = input as { id?: unknown; workspaceId?: unknown; versionId?: unknown; revisionId?: unknown };
  const id = String(given.id ?? given.workspaceId ?? given.versionId ?? given.revisionId ?? '');
  const of = TAGGED[id.split('_')[0] ?? ''];
  if (header.trim() === '*') return request;
  const stamp = /^"([^"]+)"$/.exec(header.trim())?.[1];
  if (!of || !stamp)
    refuse(
      'validation_failed',
      'If-Match takes the etag of the record that the write is about, in double quotes; this write names none by its id.',
    );
  return { ...request, expected: { of, id, tag: stamp } };
}

const TAGGED: Readonly<Record<string, CollectionName>> = {
  doc: 'documents',
  wsp: 'workspaces',
  ver: 'versions',
  rev: 'revisions',
};

/**
 * A root mutation that does not run as one command in one transaction: checks the permission, then calls `run`, which opens the transactions that it
 * needs.
 */
export function mutationOutsideTransaction<I, R, L>(
  run: (context: Context<L>, input: I) => R,
  needs: Ability = 'edit',
) {
  return (_parent: unknown, input: I, context: Context<L>): R => {
    assertPermitted(context.request, needs);
    return run(context, input);
  };
}

/** A root query: permission, then the read. */
export function query<I, R, L>(read: (context: Context<L>, input: I) => R, needs: Ability = 'read') {
  return (_parent: unknown, input: I, context: Context<L>): R => {
    assertPermitted(context.request, needs);
    return read(context, input);
  };
}

type Reference = { id: string };
/** Resolves references of one type together, in their order. */
type BatchResolver<L, R> = { all(references: readonly Reference[], context: Context<L>): R };

/** The reference resolver of an entity: only readers may follow a link into another subgraph. */
export function entity<L, R>(load: (context: Context<L>, id: string) => R) {
  return (reference: Reference, context: Context<L>): R => {
    assertPermitted(context.request, 'read');
    return load(context, reference.id);
  };
}

/** The same for entities that are the records of a loader: those of one fetch are asked for as one list. */
export function entityBy<L, R>(loader: (loaders: L) => RecordLoader<R>) {
  const together: BatchResolver<L, Promise<readonly (R | null)[]>> = {
    all(references, { request, loaders }) {
      assertPermitted(request, 'read');
      return loader(loaders).all(references.map(({ id }) => id));
    },
  };
  return Object.assign(
    entity(({ loaders }: Context<L>, id) => loader(loaders).load(id)),
    together,
  );
}

/** The same for entities of another subgraph, to which this one adds fields: nothing but their ids is known. */
export function entityStub<L>() {
  const together: BatchResolver<L, Reference[]> = {
    all(references, { request }) {
      assertPermitted(request, 'read');
      return references.map(({ id }) => ({ id }));
    },
  };
  return Object.assign(
    entity((_context: Context<L>, id) => ({ id })),
    together,
  );
}

/** Refuses whoever may not do it, and after him whoever named a tag that the record no longer has (RFC 9110, 13.2.1). */
export function assertPermitted({ actor, staleTag: stale }: RequestContext, needs: Ability): void {
  if (actor.role !== 'system') assertAbility({ role: actor.role }, needs);
  assertNotStale({ staleTag: stale });
}

/** Refuses what was asked for with a tag that the record no longer has. */
export function assertNotStale({ staleTag: stale }: Pick<RequestContext, 'staleTag'>): void {
  if (stale !== undefined)
    refuse('precondition_failed', 'It has changed since it was read. Read it again, then decide anew.', {
      etag: stale,
    });
}

const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize: (value) => (value instanceof Date ? value.toISOString() : String(value)),
  parseValue: (value) => dateOf(value),
  parseLiteral: (node) => dateOf(node.kind === Kind.STRING ? node.value : null),
});

function dateOf(value: unknown): Date {
  const date = typeof value === 'string' ? parseInstant(value) : null;
  if (!date) throw new GraphQLError('A DateTime is an RFC 3339 time, such as 2026-03-02T09:14:07Z.');
  return date;
}

const Json = new GraphQLScalarType({ name: 'JSON' });

/** A file as a variable: the request parser, or the REST adapter, hands over an object whose `promise` gives its name, type and stream. */
export const Upload = new GraphQLScalarType<Promise<FileUpload>, never>({
  name: 'Upload',
  parseValue: (value) => {
    if (typeof value === 'object' && value !== null && 'promise' in value && value.promise instanceof Promise)
      return value.promise;
    throw new GraphQLError('An Upload is sent as a file: multipart, or the raw body in REST.');
  },
  parseLiteral: () => {
    throw new GraphQLError('An Upload cannot be written into the query; send it as a variable.');
  },
  serialize: () => {
    throw new GraphQLError('An Upload is never an answer.');
  },
});

function wrapResolvers(map: ResolverMap, schema: URL, open: readonly string[]): ResolverMap {
  const declared = readFileSync(schema, 'utf8');
  return Object.fromEntries(
    Object.entries(map)
      .filter(([type]) => new RegExp(`\\b${type}\\b`).test(declared))
      .map(([type, fields]) => [
        type,
        fields instanceof GraphQLScalarType ? fields : resolversOf(fields, open.includes(type)),
      ]),
  );
}

function resolversOf(fields: Record<string, Resolver>, open: boolean): Record<string, Resolver> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, resolver]) => {
      if (name !== '__resolveReference') return [name, translate(open ? resolver : forReaders(resolver, 2))];
      // the resolver of a reference has no arguments: its second parameter is the context
      const safe = (load: Resolver): Resolver => {
        const translated = translate(forReaders(load, 1));
        return (references, context) => translated(references, context, context, null);
      };
      return [
        name,
        'all' in resolver ? Object.assign(safe(resolver), { all: safe(resolver.all as Resolver) }) : safe(resolver),
      ];
    }),
  );
}

function forReaders(resolver: Resolver, contextAt: 1 | 2): Resolver {
  return (...given) => {
    assertPermitted((given[contextAt] as Context).request, 'read');
    return resolver(...given);
  };
}

function translate(resolver: Resolver): Resolver {
  return function resolve(parent, args, context: Context, info) {
    const failed = (error: unknown): never => {
      throw toGraphQLError(error, context);
    };
    try {
      const answer = resolver(parent, args, context, info);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  };
}

function toGraphQLError(thrown: unknown, { services, request }: Context): unknown {
  const error = toDomainError(thrown);
  if (error instanceof GraphQLError) return error;
  if (error instanceof DomainError) {
    const { id: by, tokenId } = request.actor;
    if (CATALOGUE[error.code].kind === 'forbidden')
      services.log.info(
        { security: true, code: error.code, by, tokenId, requestId: request.requestId },
        'a request was refused',
      );
    return new GraphQLError(error.message, { extensions: { ...error.details, code: error.code } });
  }
  // an upload or an answer that its client gave up is no fault of the service
  if (error instanceof Error && error.name === 'AbortError' && (request.isAborted?.() ?? request.signal.aborted))
    services.log.info({ requestId: request.requestId }, 'the client left before it was answered');
  else services.log.error({ err: error, requestId: request.requestId }, 'a resolver failed');
  return new GraphQLError(`Something went wrong; the log has it under ${request.requestId}.`, {
    extensions: { code: 'internal' },
  });
}
