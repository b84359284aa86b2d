// GraphQL wiring of the subgraphs: permissions, transactions, entities, scalars and error mapping.
import { readFileSync } from 'node:fs';
import { type DocumentNode, GraphQLError, GraphQLScalarType, Kind, parse } from 'graphql';
import type { FileUpload } from 'graphql-upload-minimal';
import { inSharedTransaction } from './batching/shared-transactions.ts';
import { type Ability, assertAbility } from './domain/access/permissions.ts';
import { CATALOGUE, DomainError, notFound, refuse } from './domain/errors.ts';
import { parseInstant } from './domain/text/parse-instant.ts';
import type { RecordLoader } from './loaders.ts';
import type { Scope } from './store/query/scope.ts';
import { WrittenRecords } from './store/query/written-records.ts';
import type { CollectionName, UserRecord } from './store/schema/collections.ts';
import { userName } from './store/users.ts';
import { type Command, type RequestContext, type Services, toDomainError } from './work.ts';

/** The context of every resolver: services, request, and the loaders of this request and subgraph. */
export type Context<L = unknown> = { services: Services; request: RequestContext; scope: Scope; loaders: L };

/** The resolvers of `User`, whose parent is the user's id. */
export const userResolvers = {
  id: (id: string) => id,
  name: async (
    id: string,
    _arguments: unknown,
    { loaders, request: { actor, written } }: Context<{ user: RecordLoader<UserRecord> }>,
  ) => (written && id === actor.id && actor.via !== 'system' ? actor.name : userName(await loaders.user.load(id))),
};

/** One of the four subgraphs, as the gateway expects it. */
export type Subgraph = {
  name: string;
  typeDefs: DocumentNode;
  resolvers: ResolverMap;
  context(request: RequestContext): object;
};

// biome-ignore lint/suspicious/noExplicitAny: resolver maps are type-checked where they are defined
type Resolver = (parent: any, args: any, context: any, info: any) => unknown;
export type ResolverMap = Record<string, Record<string, Resolver> | GraphQLScalarType>;

/**
 * Defines a subgraph from its SDL, resolvers and loaders, and maps errors to the error catalogue. Root fields check the
 * permission themselves. All other fields require `read`, except those of the types in `shownToWorkers` (a job and its
 * parts), so that a worker cannot navigate from its job to other records.
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
  const createLoaders = (request: RequestContext): L =>
    options.loaders(new OperationScope(scope.db, request), services);
  const { Mutation = {}, ...others } = { DateTime, JSON: Json, ...options.resolvers } as ResolverMap;
  return {
    name,
    typeDefs: parse(readFileSync(options.schema, 'utf8')),
    resolvers: wrapResolvers({ ...others, Mutation: withNewLoaders(createLoaders, Mutation) }, options.schema, [
      ...ROOTS,
      ...(options.shownToWorkers ?? []),
    ]),
    context: (request): Context<L> => ({ services, request, scope, loaders: createLoaders(request) }),
  };
}

// The scope of the loaders of an operation. Its write, if it has one, runs after they were created.
class OperationScope implements Scope {
  readonly db: Scope['db'];
  readonly #request: RequestContext;

  constructor(db: Scope['db'], request: RequestContext) {
    this.db = db;
    this.#request = request;
  }

  get written(): WrittenRecords | undefined {
    return this.#request.written;
  }
}

const ROOTS = ['Query', 'Mutation'];

// The mutations of one operation run in sequence; each gets new loaders, so that it does not return records cached
// before it.
function withNewLoaders<L>(
  createLoaders: (request: RequestContext) => L,
  mutations: ResolverMap[string],
): ResolverMap[string] {
  if (mutations instanceof GraphQLScalarType) return mutations;
  const wrap = (resolver: Resolver): Resolver => {
    return (parent, args, context: Context<L>, info) => {
      context.loaders = createLoaders(context.request);
      return resolver(parent, args, context, info);
    };
  };
  return Object.fromEntries(Object.entries(mutations).map(([name, resolver]) => [name, wrap(resolver)]));
}

/** A root mutation: checks the permission, then runs the command in a transaction, with the arguments as its input. */
export function mutation<I, R>(command: Command<I, R>, needs: Ability = 'edit') {
  return async (_parent: unknown, input: I, { services, request }: Context): Promise<R> => {
    assertPermitted(request, needs);
    const written = new WrittenRecords();
    request.written = written;
    const result = await inSharedTransaction(
      services,
      request.ifMatch === undefined ? request : withExpected(request, request.ifMatch, input),
      command,
      input,
    );
    const { actor } = request;
    const user = written.get('users', actor.id);
    if (user) request.actor = { ...actor, name: userName(user) };
    return result;
  };
}

// Converts the If-Match header to an expected tag of the record that the arguments identify. `*` matches any tag.
function withExpected(
  { ifMatch: _ifMatch, ...request }: RequestContext,
  header: string,
  input: unknown,
): RequestContext {
  const args = input as { id?: unknown; workspaceId?: unknown; versionId?: unknown; revisionId?: unknown };
  const id = String(args.id ?? args.workspaceId ?? args.versionId ?? args.revisionId ?? '');
  const of = COLLECTION_OF_PREFIX[id.split('_')[0] ?? ''];
  if (header.trim() === '*') return request;
  const tag = /^"([^"]+)"$/.exec(header.trim())?.[1];
  if (!of || !tag)
    refuse(
      'validation_failed',
      'If-Match must be the ETag of the record in double quotes, or *, and the write must name that record by its id.',
    );
  return { ...request, expected: { of, id, tag } };
}

const COLLECTION_OF_PREFIX: Readonly<Record<string, CollectionName>> = {
  doc: 'documents',
  wsp: 'workspaces',
  ver: 'versions',
  rev: 'revisions',
  nvw: 'views',
};

/** A root mutation that opens its transactions itself: checks the permission, then calls `run`. */
export function mutationOutsideTransaction<I, R, L>(
  run: (context: Context<L>, input: I) => R,
  needs: Ability = 'edit',
) {
  return (_parent: unknown, input: I, context: Context<L>): R => {
    assertPermitted(context.request, needs);
    context.request.written = undefined; // of an earlier mutation of the operation
    return run(context, input);
  };
}

/** A root query: checks the permission, then calls `read`. */
export function query<I, R, L>(read: (context: Context<L>, input: I) => R, needs: Ability = 'read') {
  return (_parent: unknown, input: I, context: Context<L>): R => {
    assertPermitted(context.request, needs);
    return read(context, input);
  };
}

/** A root query for one record, by its id: null with the error `not_found` if there is none. `what` is its type. */
export function lookup<I extends { id: string }, R, L>(
  what: string,
  read: (context: Context<L>, input: I) => Promise<R | null>,
  needs: Ability = 'read',
) {
  return query(async (context: Context<L>, input: I): Promise<R> => {
    const found = await read(context, input);
    if (found === null) throw notFound(what, input.id);
    return found;
  }, needs);
}

type Reference = { id: string };
/** Resolves references of one type as a batch, in order. */
type BatchResolver<L, R> = { all(references: readonly Reference[], context: Context<L>): R };

/** The reference resolver of an entity. Following a link into another subgraph requires `read`. */
export function entity<L, R>(load: (context: Context<L>, id: string) => R) {
  return (reference: Reference, context: Context<L>): R => {
    assertPermitted(context.request, 'read');
    return load(context, reference.id);
  };
}

/** The reference resolver of an entity that a loader reads. All references of a fetch are loaded as one list. */
export function entityBy<L, R>(loader: (loaders: L) => RecordLoader<R>) {
  const batch: BatchResolver<L, Promise<readonly (R | null)[]>> = {
    all(references, { request, loaders }) {
      assertPermitted(request, 'read');
      return loader(loaders).all(references.map(({ id }) => id));
    },
  };
  return Object.assign(
    entity(({ loaders }: Context<L>, id) => loader(loaders).load(id)),
    batch,
  );
}

/** The reference resolver of an entity of another subgraph to which this one adds fields. Only its id is known here. */
export function entityStub<L>() {
  const batch: BatchResolver<L, Reference[]> = {
    all(references, { request }) {
      assertPermitted(request, 'read');
      return references.map(({ id }) => ({ id }));
    },
  };
  return Object.assign(
    entity((_context: Context<L>, id) => ({ id })),
    batch,
  );
}

/** Checks the permission first, then If-Match (RFC 9110, 13.2.1). */
export function assertPermitted({ actor, currentTagIfStale }: RequestContext, needs: Ability): void {
  if (actor.role !== 'system') assertAbility({ role: actor.role }, needs);
  assertNotStale({ currentTagIfStale });
}

/** Throws `precondition_failed` if the tag in If-Match is not the current one. */
export function assertNotStale({ currentTagIfStale }: Pick<RequestContext, 'currentTagIfStale'>): void {
  if (currentTagIfStale !== undefined)
    refuse('precondition_failed', 'The record has changed since it was read. Read it again before you change it.', {
      etag: currentTagIfStale,
    });
}

const DateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize: (value) => (value instanceof Date ? value.toISOString() : String(value)),
  parseValue: (value) => parseDate(value),
  parseLiteral: (node) => parseDate(node.kind === Kind.STRING ? node.value : null),
});

function parseDate(value: unknown): Date {
  const date = typeof value === 'string' ? parseInstant(value) : null;
  if (!date) throw new GraphQLError('A DateTime must be an RFC 3339 time, such as 2026-03-02T09:14:07Z.');
  return date;
}

const Json = new GraphQLScalarType({ name: 'JSON' });

/**
 * A file variable. The request parser or the REST adapter passes an object whose `promise` resolves to name, type and
 * stream.
 */
export const Upload = new GraphQLScalarType<Promise<FileUpload>, never>({
  name: 'Upload',
  parseValue: (value) => {
    if (typeof value === 'object' && value !== null && 'promise' in value && value.promise instanceof Promise)
      return value.promise;
    throw new GraphQLError('An Upload must be sent as a file: multipart, or the raw body in REST.');
  },
  parseLiteral: () => {
    throw new GraphQLError('An Upload cannot be a literal. Send it as a variable.');
  },
  serialize: () => {
    throw new GraphQLError('An Upload cannot be returned.');
  },
});

// Omits types that the schema does not contain, e.g. a scalar that this subgraph does not use.
function wrapResolvers(map: ResolverMap, schema: URL, unrestricted: readonly string[]): ResolverMap {
  const declared = readFileSync(schema, 'utf8');
  return Object.fromEntries(
    Object.entries(map)
      .filter(([type]) => new RegExp(`\\b${type}\\b`).test(declared))
      .map(([type, fields]) => [
        type,
        fields instanceof GraphQLScalarType ? fields : resolversOf(fields, unrestricted.includes(type)),
      ]),
  );
}

function resolversOf(fields: Record<string, Resolver>, unrestricted: boolean): Record<string, Resolver> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, resolver]) => {
      if (name !== '__resolveReference') return [name, mapErrors(unrestricted ? resolver : requireRead(resolver, 2))];
      // reference resolvers have no arguments: the second parameter is the context
      const wrap = (load: Resolver): Resolver => {
        const wrapped = mapErrors(requireRead(load, 1));
        return (references, context) => wrapped(references, context, context, null);
      };
      const wrapped = wrap(resolver);
      return [name, 'all' in resolver ? Object.assign(wrapped, { all: wrap(resolver.all as Resolver) }) : wrapped];
    }),
  );
}

function requireRead(resolver: Resolver, contextIndex: 1 | 2): Resolver {
  return (...args) => {
    assertPermitted((args[contextIndex] as Context).request, 'read');
    return resolver(...args);
  };
}

function mapErrors(resolver: Resolver): Resolver {
  return function resolve(parent, args, context: Context, info) {
    const fail = (error: unknown): never => {
      throw toGraphQLError(error, context);
    };
    try {
      const result = resolver(parent, args, context, info);
      return result instanceof Promise ? result.catch(fail) : result;
    } catch (error) {
      return fail(error);
    }
  };
}

function toGraphQLError(thrown: unknown, { services, request }: Context): unknown {
  const error = toDomainError(thrown);
  if (error instanceof GraphQLError) return error;
  if (error instanceof DomainError) {
    const { id, tokenId } = request.actor;
    if (CATALOGUE[error.code].kind === 'forbidden')
      services.log.info(
        { security: true, code: error.code, by: id, tokenId, requestId: request.requestId },
        'request refused: permission denied',
      );
    return new GraphQLError(error.message, { extensions: { ...error.details, code: error.code } });
  }
  // a client that disconnects during an upload or a response is not an error of the service
  if (error instanceof Error && error.name === 'AbortError' && (request.isAborted?.() ?? request.signal.aborted))
    services.log.info({ requestId: request.requestId }, 'the client disconnected before the response was sent');
  else services.log.error({ err: error, requestId: request.requestId }, 'resolver failed');
  return new GraphQLError(
    `An unexpected error occurred. The service log contains it under request id ${request.requestId}.`,
    {
      extensions: { code: 'internal' },
    },
  );
}
