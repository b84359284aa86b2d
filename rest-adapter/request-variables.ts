import type { FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { headerText, unescaped } from '../http/response/file-name.ts';
import { refuse } from '../subgraphs/core/domain/errors.ts';
import { isObject } from '../subgraphs/core/domain/text/is-object.ts';
import { type Check, checkKnown, checkOf, type InputFault, readText } from './input-check.ts';
import { type Variable, variablesOf } from './operation.ts';
import type { Place, Route } from './route.ts';
import { FORMATS } from './send-table.ts';

export type Variables = Record<string, unknown>;

/**
 * Makes the reader of a row: from a request to the variables of the operation. What is absent stays absent, null stays null. Refuses with
 * `validation_failed`, naming every fault at once: wrong types, missing and unknown fields of the body, unknown query parameters.
 */
export function variablesReader(row: Route, schema: GraphQLSchema): (request: FastifyRequest) => Variables {
  const variables = variablesOf(row.operation, schema).map((variable) => reading(variable, row));
  const fields = variables.flatMap(({ name, place }) => (place.startsWith('body.*') ? [name] : []));
  const parameters = parametersOf(row);
  const whole = variables.some(({ place }) => place === 'body');
  const takesFile = variables.some(({ place }) => place === 'file');

  return (request) => {
    const faults: InputFault[] = [];
    refuseGarbled(request.url);
    const query = queryOf(request.query as Variables, parameters, faults);
    if (row.table && query.format !== undefined && !FORMATS.includes(String(query.format)))
      faults.push({ path: '/format', message: `must be one of ${FORMATS.join(', ')}` });
    const body = takesFile ? undefined : bodyOf(request.body, row, faults);
    if (!whole && body) checkKnown(body, fields, '', faults);
    const { params, headers, protocol, host } = request;
    const source: Source = {
      path: params as Variables,
      query,
      headers: headers as Variables,
      body,
      origin: `${protocol}://${host}`,
    };
    const given: Variables = {};
    for (const { name, read, check, path } of variables) {
      const value = read(source, faults);
      if (!faults.some((fault) => fault.path === path)) check(value, path, faults);
      if (value !== undefined) given[name] = value;
    }
    if (faults.length) refuse('validation_failed', told(faults), { errors: faults });
    return given;
  };
}

/** The query parameters a row knows. */
function parametersOf({ places, table }: Pick<Route, 'places' | 'table'>): string[] {
  const names = Object.entries(places).flatMap(([name, place]) =>
    place === 'query' ? [name] : place === 'sort' ? ['sort'] : [],
  );
  return [...new Set(table ? [...names, 'format'] : names)];
}

/** The name of the header of a place, if it has one. */
export function headerOf(place: Place): string | undefined {
  return / ?\bheader (.+)$/.exec(place)?.[1];
}

type Source = { path: Variables; query: Variables; headers: Variables; body: Variables | undefined; origin: string };
type Reading = {
  name: string;
  place: Place;
  path: string;
  read(source: Source, faults: InputFault[]): unknown;
  check: Check;
};

function reading({ name, type }: Variable, row: Route): Reading {
  const place = row.places[name];
  if (!place) throw new Error(`${row.method} ${row.path}: the variable ${name} has no place`);
  const header = headerOf(place);
  const ofText = (value: unknown) => (typeof value === 'string' ? readText(type, value) : value);
  const path =
    place === 'body' ? '' : place.startsWith('header') ? `/${header}` : place === 'sort' ? '/sort' : `/${name}`;
  const read = (source: Source, faults: InputFault[]): unknown => {
    if (place === 'path') return source.path[name];
    if (place === 'query') return ofText(source.query[name]);
    if (place === 'sort') return sortHalf(source.query.sort, name);
    if (place === 'body') return source.body ?? {};
    if (place === 'origin') return source.origin;
    const inBody = place.startsWith('body.*') ? source.body?.[name] : undefined;
    if (!header) return inBody;
    const inHeader = ofText(headerText(source.headers[header.toLowerCase()]));
    if (inBody == null || inHeader === undefined || inHeader === inBody)
      return inBody === undefined ? inHeader : inBody;
    faults.push({ path, message: `is another in the body than in ${header}` });
    return inBody;
  };
  return { name, place, path, read, check: place === 'file' ? () => undefined : checkOf(type) };
}

// what cannot be decoded would be looked for as it stands, and not be found
function refuseGarbled(url: string): void {
  const query = url.slice(url.indexOf('?') + 1);
  if (query.includes('%') && unescaped(query) === null)
    refuse(
      'validation_failed',
      'The query of the address is not UTF-8 behind its percent signs (a percent sign itself is written %25).',
      {
        errors: [{ path: '', message: 'must be percent-encoded UTF-8' }],
      },
    );
}

// a parameter given twice arrives as a list
function queryOf(query: Variables, known: readonly string[], faults: InputFault[]): Variables {
  checkKnown(query, known, '', faults, 'parameter');
  for (const [name, value] of Object.entries(query))
    if (Array.isArray(value)) faults.push({ path: `/${name}`, message: 'is given more than once' });
  return Object.fromEntries(Object.entries(query).filter(([, value]) => !Array.isArray(value)));
}

function sortHalf(sort: unknown, name: string): unknown {
  if (typeof sort !== 'string') return undefined;
  return name === 'descending' ? sort.startsWith('-') : sort.replace(/^-/, '');
}

function bodyOf(body: unknown, { required, notNull, also }: Route, faults: InputFault[]): Variables | undefined {
  if (body !== undefined && !isObject(body)) {
    faults.push({ path: '', message: 'must be an object' });
    return undefined;
  }
  for (const name of required)
    if (body?.[name] === undefined) faults.push({ path: `/${name}`, message: 'is required' });
  for (const name of notNull) if (body?.[name] === null) faults.push({ path: `/${name}`, message: 'must not be null' });
  if (!body) return undefined;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Object.hasOwn(also, name) ? also[name]!(value) : value]),
  );
}

function told(faults: readonly InputFault[]): string {
  return `${faults.map(({ path, message }) => `${path.slice(1) || 'The body'} ${message}`).join('; ')}.`;
}
