// A REST route is one row: its GraphQL operation, the source of each variable, and the part of the data that the
// response shows.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { DocumentNode } from 'graphql';
import type { ErrorCode } from '../subgraphs/core/domain/errors.ts';
import type { Table } from './send-table.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Where a variable comes from. `body` is the whole JSON body, `body.*` its field of that name, `file` the raw body.
 * `sort` is one part of the query parameter `sort`: the field, or whether a minus precedes it. `origin` is the scheme
 * and host of the request.
 */
export type VariableSource =
  | 'path'
  | 'query'
  | 'sort'
  | 'body'
  | 'body.*'
  | 'file'
  | 'origin'
  | `header ${string}`
  | `body.* or header ${string}`;

type Options = {
  /** The description of the operation for OpenAPI, if that of the GraphQL field does not fit. */
  description?: string;
  /** The error codes that the operation can return beyond those that follow from the row. */
  errors?: readonly ErrorCode[];
  /** A request body for the OpenAPI description. A test sends it to the service. */
  example?: object;
  status?: 200 | 201 | 202 | 204;
  /** A boolean field of the response. If it is false, the record existed already and the status is 200. */
  createdFlag?: string;
  /** The Location header of a created record; `:id` is the field `id` of the response. */
  location?: `/${string}`;
  /**
   * How the data is sent. `file` streams the content that the record names. `events` sends server-sent events and
   * continues with the operation in `follow`.
   */
  send?: 'json' | 'file' | 'events';
  /** The operation that waits for further events. It takes the same variables. */
  follow?: DocumentNode;
  /** The status if the data is null: the record does not exist (404), or there is nothing to return (204). */
  whenNull?: 404 | 204;
  /** Object fields that are replaced by their own fields; `nodes.version` is that field of every node. */
  inline?: readonly string[];
  /** Fields of the body that are required although the operation's variables are optional. */
  required?: readonly string[];
  /** Fields of the body that may be absent but not null. */
  notNull?: readonly string[];
  /** The columns of the CSV that `?format=csv` returns. */
  csv?: Table;
  /** Page sizes that differ from the usual ones; `default: null` returns the whole list. */
  pageSizes?: { default: number | null; max: number };
  /** The default value of the query parameter `sort`. */
  defaultSort?: string;
  /** The part of the response that `If-Match` compares. Default: all fields except the background fields in etag.ts. */
  editablePart?: (body: unknown) => unknown;
  /** Converts a string in a body field to the proper form of the field. */
  normalize?: Readonly<Record<string, (value: unknown) => unknown>>;
};

export type Route = Required<
  Pick<Options, 'errors' | 'status' | 'send' | 'whenNull' | 'inline' | 'required' | 'notNull' | 'normalize'>
> &
  Pick<
    Options,
    | 'description'
    | 'example'
    | 'location'
    | 'createdFlag'
    | 'pageSizes'
    | 'defaultSort'
    | 'editablePart'
    | 'csv'
    | 'follow'
  > & {
    method: Method;
    /** The path below /api/v1. */
    path: string;
    summary: string;
    operation: DocumentNode;
    /** The path from the data to the response, one field per element. */
    pick: readonly string[];
    sources: Readonly<Record<string, VariableSource>>;
  };

// Generated types of operations without variables have an index signature instead of keys.
type VariableName<V> = keyof { [K in keyof V as string extends K ? never : K]: V[K] };
type MissingSource<V, W> = Exclude<VariableName<V>, keyof W>;
type DataPath<R> = (keyof R & string) | `${keyof R & string}.${string}`;

type RouteDefinition<R, V, W> = Options & {
  /** One line for the OpenAPI description. */
  summary: string;
  operation: TypedDocumentNode<R, V>;
  /** The path to the part of the data that the response shows. */
  pick: DataPath<R>;
  /** Where each variable of the operation comes from. */
  variables: W & ([MissingSource<V, W>] extends [never] ? unknown : { missingSource: MissingSource<V, W> });
};

/**
 * Builds a route, e.g. `GET /documents/:id`. Every variable of the operation needs a source: a missing one is a compile
 * error that names it. Throws if the parameters of the path and the variables from the path differ.
 */
export function route<R, V, const W extends Partial<Record<keyof V, VariableSource>>>(
  methodAndPath: `${Method} /${string}`,
  { pick, variables, ...row }: RouteDefinition<R, V, W>,
): Route {
  const [method, path] = methodAndPath.split(' ') as [Method, string];
  const sources = variables as Record<string, VariableSource>;
  const inPath = Object.keys(sources).filter((name) => sources[name] === 'path');
  if (inPath.sort().join() !== pathParameters(path).sort().join())
    throw new Error(`${methodAndPath}: the path and the variables from the path differ`);
  return { ...DEFAULTS, ...row, method, path, pick: pick.split('.'), sources };
}

const DEFAULTS = {
  errors: [],
  status: 200,
  send: 'json',
  whenNull: 404,
  inline: [],
  required: [],
  notNull: [],
  normalize: {},
} as const;

/** The variable sources of a sorted, paged list. */
export const PAGE_VARIABLES = {
  sort: 'sort',
  descending: 'sort',
  limit: 'query',
  cursor: 'query',
  total: 'query',
} as const;

/** The error codes of operations that change a draft. */
export const DRAFT_ERRORS = ['document_archived', 'workspace_archived', 'workspace_reserved'] as const;

/** Returns the parameter names of a path, without colons. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => String(name));
}
