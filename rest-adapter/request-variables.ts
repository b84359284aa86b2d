// Reads the variables of a route's operation from a request.
import type { FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { decodeHeader, percentDecode } from '../http/response/file-name.ts';
import { type FieldError, refuse } from '../subgraphs/core/domain/errors.ts';
import { isObject } from '../subgraphs/core/domain/text/is-object.ts';
import { checkUnknownFields, createInputCheck, type InputCheck, parseText } from './input-check.ts';
import { type Variable, variablesOf } from './operation.ts';
import type { Route, VariableSource } from './route.ts';
import { FORMATS } from './send-table.ts';

export type Variables = Record<string, unknown>;

/**
 * Creates the reader of a route: it returns the variables of the operation. Absent values stay absent, null stays null. Refuses with
 * `validation_failed`, listing all errors: wrong types, missing and unknown fields of the body, unknown query parameters.
 */
export function variablesReader(row: Route, schema: GraphQLSchema): (request: FastifyRequest) => Variables {
  const variables = variablesOf(row.operation, schema).map((variable) => variableReader(variable, row));
  const fields = variables.flatMap(({ name, source }) => (source.startsWith('body.*') ? [name] : []));
  const parameters = parametersOf(row);
  const takesWholeBody = variables.some(({ source }) => source === 'body');
  const takesFile = variables.some(({ source }) => source === 'file');

  return (request) => {
    const errors: FieldError[] = [];
    assertDecodable(request.url);
    const query = parseQuery(request.query as Variables, parameters, errors);
    if (row.table && query.format !== undefined && !FORMATS.includes(String(query.format)))
      errors.push({ path: '/format', message: `must be one of ${FORMATS.join(', ')}` });
    const body = takesFile ? undefined : parseBody(request.body, row, errors);
    if (!takesWholeBody && body) checkUnknownFields(body, fields, '', errors);
    const { params, headers, protocol, host } = request;
    const source: Source = {
      path: params as Variables,
      query,
      headers: headers as Variables,
      body,
      origin: `${protocol}://${host}`,
    };
    const values: Variables = {};
    for (const { name, read, check, path } of variables) {
      const value = read(source, errors);
      if (!errors.some((fault) => fault.path === path)) check(value, path, errors);
      if (value !== undefined) values[name] = value;
    }
    if (errors.length) refuse('validation_failed', formatErrors(errors), { errors: errors });
    return values;
  };
}

/** Returns the query parameters of a route. */
function parametersOf({ sources: places, table }: Pick<Route, 'sources' | 'table'>): string[] {
  const names = Object.entries(places).flatMap(([name, place]) => {
    if (place === 'sort') return ['sort'];
    return place === 'query' ? [name] : [];
  });
  return [...new Set(table ? [...names, 'format'] : names)];
}

/** Returns the header of a variable source, if it has one. */
export function headerOf(place: VariableSource): string | undefined {
  return / ?\bheader (.+)$/.exec(place)?.[1];
}

type Source = { path: Variables; query: Variables; headers: Variables; body: Variables | undefined; origin: string };
type VariableReader = {
  name: string;
  source: VariableSource;
  path: string;
  read(source: Source, errors: FieldError[]): unknown;
  check: InputCheck;
};

function errorPath(name: string, place: VariableSource): string {
  if (place === 'body') return '';
  if (place === 'sort') return '/sort';
  return place.startsWith('header') ? `/${headerOf(place)}` : `/${name}`;
}

function variableReader({ name, type }: Variable, row: Route): VariableReader {
  const place = row.sources[name];
  if (!place) throw new Error(`${row.method} ${row.path}: the variable ${name} has no place`);
  const header = headerOf(place);
  const ofText = (value: unknown) => (typeof value === 'string' ? parseText(type, value) : value);
  const path = errorPath(name, place);
  const read = (source: Source, errors: FieldError[]): unknown => {
    if (place === 'path') return source.path[name];
    if (place === 'query') return ofText(source.query[name]);
    if (place === 'sort') return sortPart(source.query.sort, name);
    if (place === 'body') return source.body ?? {};
    if (place === 'origin') return source.origin;
    const inBody = place.startsWith('body.*') ? source.body?.[name] : undefined;
    if (!header) return inBody;
    const inHeader = ofText(decodeHeader(source.headers[header.toLowerCase()]));
    if (inBody == null || inHeader === undefined || inHeader === inBody)
      return inBody === undefined ? inHeader : inBody;
    errors.push({ path, message: `must be the same in the body and in ${header}` });
    return inBody;
  };
  return { name, source: place, path, read, check: place === 'file' ? () => undefined : createInputCheck(type) };
}

// Fastify leaves a query that cannot be decoded as it is; it would match nothing.
function assertDecodable(url: string): void {
  const query = url.slice(url.indexOf('?') + 1);
  if (query.includes('%') && percentDecode(query) === null)
    refuse(
      'validation_failed',
      'The query string is not valid percent-encoded UTF-8. Write a literal percent sign as %25.',
      {
        errors: [{ path: '', message: 'must be percent-encoded UTF-8' }],
      },
    );
}

// Fastify parses a repeated parameter as a list.
function parseQuery(query: Variables, known: readonly string[], errors: FieldError[]): Variables {
  checkUnknownFields(query, known, '', errors, 'parameter');
  for (const [name, value] of Object.entries(query))
    if (Array.isArray(value)) errors.push({ path: `/${name}`, message: 'must not be repeated' });
  return Object.fromEntries(Object.entries(query).filter(([, value]) => !Array.isArray(value)));
}

function sortPart(sort: unknown, name: string): unknown {
  if (typeof sort !== 'string') return undefined;
  return name === 'descending' ? sort.startsWith('-') : sort.replace(/^-/, '');
}

function parseBody(
  body: unknown,
  { required, notNull, normalize: also }: Route,
  errors: FieldError[],
): Variables | undefined {
  if (body !== undefined && !isObject(body)) {
    errors.push({ path: '', message: 'must be an object' });
    return undefined;
  }
  for (const name of required)
    if (body?.[name] === undefined) errors.push({ path: `/${name}`, message: 'is required' });
  for (const name of notNull) if (body?.[name] === null) errors.push({ path: `/${name}`, message: 'must not be null' });
  if (!body) return undefined;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Object.hasOwn(also, name) ? also[name]!(value) : value]),
  );
}

function formatErrors(errors: readonly FieldError[]): string {
  return `${errors.map(({ path, message }) => `${path.slice(1) || 'The body'} ${message}`).join('; ')}.`;
}
