// Reads the variables of a route's operation from a request.
import type { FastifyRequest } from 'fastify';
import { type GraphQLInputType, type GraphQLSchema, isListType } from 'graphql';
import { decodeHeader, percentDecode } from '../http/response/file-name.ts';
import { type FieldError, refuse, refuseFields } from '../subgraphs/core/domain/errors.ts';
import { textErrors } from '../subgraphs/core/domain/text/field-rules.ts';
import { isObject } from '../subgraphs/core/domain/text/is-object.ts';
import { checkUnknownFields, createInputCheck, type InputCheck, parseText } from './input-check.ts';
import { type Variable, variablesOf } from './operation.ts';
import type { Route, VariableSource } from './route.ts';
import { FORMATS } from './send-table.ts';

export type Variables = Record<string, unknown>;

/**
 * Creates the reader of a route: it returns the variables of the operation. Absent values stay absent, null stays null.
 * Throws `validation_failed` with all errors: wrong types, missing and unknown fields of the body, unknown
 * query parameters.
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
    if (row.csv && query.format !== undefined && !FORMATS.includes(String(query.format)))
      errors.push({ path: '/format', message: `must be one of ${FORMATS.join(', ')}` });
    const body = takesFile ? undefined : parseBody(request.body, row, errors);
    if (!takesWholeBody && body) checkUnknownFields(body, fields, '', errors);
    const { params, headers, protocol, host } = request;
    const parts: RequestParts = {
      path: params as Variables,
      query,
      headers: headers as Variables,
      body,
      origin: `${protocol}://${host}`,
    };
    const values: Variables = {};
    for (const { name, read, check, path } of variables) {
      const value = read(parts, errors);
      if (!errors.some((error) => error.path === path)) check(value, path, errors);
      if (value !== undefined) values[name] = value;
    }
    if (errors.length) {
      const fieldsOfBody = takesWholeBody ? body : Object.fromEntries(fields.map((name) => [name, body?.[name]]));
      refuseFields([...errors, ...textErrors(fieldsOfBody ?? {})]);
    }
    return values;
  };
}

/** Returns the query parameters of a route. */
function parametersOf({ sources, csv }: Pick<Route, 'sources' | 'csv'>): string[] {
  const names = Object.entries(sources).flatMap(([name, source]) => {
    if (source === 'sort') return ['sort'];
    return source === 'query' ? [name] : [];
  });
  return [...new Set(csv ? [...names, 'format'] : names)];
}

/** Returns the header of a variable source, if it has one. */
export function headerOf(source: VariableSource): string | undefined {
  return / ?\bheader (.+)$/.exec(source)?.[1];
}

type RequestParts = {
  path: Variables;
  query: Variables;
  headers: Variables;
  body: Variables | undefined;
  origin: string;
};
type VariableReader = {
  name: string;
  source: VariableSource;
  path: string;
  read(parts: RequestParts, errors: FieldError[]): unknown;
  check: InputCheck;
};

function errorPath(name: string, source: VariableSource): string {
  if (source === 'body') return '';
  if (source === 'sort') return '/sort';
  return source.startsWith('header') ? `/${headerOf(source)}` : `/${name}`;
}

function variableReader({ name, type }: Variable, row: Route): VariableReader {
  const source = row.sources[name];
  if (!source) throw new Error(`${row.method} ${row.path}: the variable ${name} has no source`);
  const header = headerOf(source);
  const parse = (value: unknown) => (typeof value === 'string' ? parseText(type, value) : value);
  const path = errorPath(name, source);
  const read = (parts: RequestParts, errors: FieldError[]): unknown => {
    if (source === 'path') return parts.path[name];
    if (source === 'query') return parse(parts.query[name]);
    if (source === 'sort') return sortPart(parts.query.sort, name);
    if (source === 'body') return parts.body ?? {};
    if (source === 'origin') return parts.origin;
    const inBody = source.startsWith('body.*') ? parts.body?.[name] : undefined;
    if (!header) return inBody;
    const inHeader = parse(decodeHeader(parts.headers[header.toLowerCase()]));
    if (inBody == null || inHeader === undefined || inHeader === inBody)
      return inBody === undefined ? inHeader : inBody;
    errors.push({ path, message: `must be the same in the body and in ${header}` });
    return inBody;
  };
  return { name, source, path, read, check: source === 'file' ? () => undefined : checkOf(type, source) };
}

// The items of a comma-separated parameter have no path of their own.
function checkOf(type: GraphQLInputType, source: VariableSource): InputCheck {
  if (source !== 'query' || !isListType(type)) return createInputCheck(type);
  const check = createInputCheck(type.ofType);
  return (value, path, errors) => {
    const invalid: FieldError[] = [];
    if (Array.isArray(value)) for (const item of value) check(item, path, invalid);
    errors.push(...invalid.slice(0, 1));
  };
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
  { required, notNull, normalize }: Route,
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
    Object.entries(body).map(([name, value]) => [
      name,
      Object.hasOwn(normalize, name) ? normalize[name]!(value) : value,
    ]),
  );
}
