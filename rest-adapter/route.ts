// A route is a row of a table: what it is for, the operation behind it, where each variable comes from, which part of the data it answers.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { DocumentNode } from 'graphql';
import type { Table } from './send-table.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Where a variable comes from. `body` is the whole JSON body, `body.*` its field of that name, `sort` one half of the query
 * parameter `sort` (the field, or whether a minus stands before it), `file` the raw body, `origin` the address by which the service was reached.
 */
export type Place =
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
  /** A request body for the OpenAPI description. A test sends it to the service. */
  example?: object;
  status?: 200 | 201 | 202 | 204;
  /** The field of the answer that is false when the thing was there already: then the status is 200. */
  existing?: string;
  /** Where the created thing is: `:id` is that field of the answer. */
  location?: `/${string}`;
  /**
   * `file`: the record at the data path names the content to stream. `events`: what is there is the beginning of a stream,
   * which `follow` goes on with.
   */
  send?: 'json' | 'file' | 'events';
  /** The operation that waits for what comes next; its variables are those of the first one. */
  follow?: DocumentNode;
  /** What null at the data path means: nothing at this address (404), or nothing to hand out (204). */
  whenNull?: 404 | 204;
  /** Fields of the answer whose own fields stand in their place; `nodes.version` is that field of each of the nodes. */
  spread?: readonly string[];
  /** Fields of the body that must be given although the operation could do without. */
  required?: readonly string[];
  /** Fields of the body that can be left out but not cleared. */
  notNull?: readonly string[];
  /** The items of the answer can also be had as CSV, with `?format=csv`. */
  table?: Table;
  /** The page sizes of the list, if it has its own; `default` null: all of it. */
  sizes?: { default: number | null; max: number };
  /** The order of the list when none is asked for, as the query parameter `sort` says it. */
  usualSort?: string;
  /** What of the answer people write, where that is not all but the fields that etag.ts knows. */
  own?: (body: unknown) => unknown;
  /** How a field of the body may also be written, as a function to its proper form. */
  also?: Readonly<Record<string, (value: unknown) => unknown>>;
};

export type Route = Required<
  Pick<Options, 'status' | 'send' | 'whenNull' | 'spread' | 'required' | 'notNull' | 'also'>
> &
  Pick<Options, 'example' | 'location' | 'existing' | 'sizes' | 'usualSort' | 'own' | 'table' | 'follow'> & {
    method: Method;
    /** Below /api/v1. */
    path: string;
    summary: string;
    operation: DocumentNode;
    /** The steps from the data to what is answered. */
    pick: readonly string[];
    places: Readonly<Record<string, Place>>;
  };

// an operation without variables has an index signature instead of keys
type Named<V> = keyof { [K in keyof V as string extends K ? never : K]: V[K] };
type Unplaced<V, W> = Exclude<Named<V>, keyof W>;
type DataPath<R> = (keyof R & string) | `${keyof R & string}.${string}`;

type Row<R, V, W> = Options & {
  /** One line for the OpenAPI description. */
  summary: string;
  operation: TypedDocumentNode<R, V>;
  /** The path to the part of the data that the response shows. */
  pick: DataPath<R>;
  /** Where each variable of the operation comes from. */
  variables: W & ([Unplaced<V, W>] extends [never] ? unknown : { unplaced: Unplaced<V, W> });
};

/**
 * Builds a route, e.g. `GET /documents/:id`. Every variable of the operation needs a source: a missing one is a compile error that names it.
 * Throws if the parameters of the path and the variables from the path differ.
 */
export function route<R, V, const W extends Partial<Record<keyof V, Place>>>(
  at: `${Method} /${string}`,
  { pick, variables, ...row }: Row<R, V, W>,
): Route {
  const [method, path] = at.split(' ') as [Method, string];
  const places = variables as Record<string, Place>;
  const inPath = Object.keys(places).filter((name) => places[name] === 'path');
  if (inPath.sort().join() !== pathParameters(path).sort().join())
    throw new Error(`${at}: the path and the variables from the path differ`);
  return { ...DEFAULTS, ...row, method, path, pick: pick.split('.'), places };
}

const DEFAULTS = {
  status: 200,
  send: 'json',
  whenNull: 404,
  spread: [],
  required: [],
  notNull: [],
  also: {},
} as const;

/** Where the variables of a sorted list come from. */
export const PAGE = { sort: 'sort', descending: 'sort', limit: 'query', cursor: 'query', total: 'query' } as const;

/** The names of the parameters of a path, without their colons. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => String(name));
}
