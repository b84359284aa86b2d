// Finds breaking changes between two OpenAPI descriptions. Version 1 of the API grows only by additions.
import { isObject } from '../../subgraphs/core/domain/text/is-object.ts';

type Json = { [key: string]: unknown };

/**
 * Lists the breaking changes from one description to another: removed paths, parameters, response fields, accepted values and statuses, and new
 * required inputs. Additions are not breaking. If the list is empty, every client of the first description works with the second.
 */
export function breaksBetween(former: Json, present: Json): string[] {
  const breaks: string[] = [];
  const note = (at: string, what: string): void => void breaks.push(`${at}: ${what}`);
  for (const [path, methods] of Object.entries(of(former.paths)))
    for (const [method, before] of Object.entries(of(methods))) {
      const at = `${method.toUpperCase()} ${path}`;
      const after = of(of(of(present.paths)[path])[method]);
      if (!Object.keys(after).length) note(at, 'was removed');
      else operationBreaks(at, { before: of(before), after, former, present, note });
    }
  return [...new Set(breaks)];
}

type Compared = { before: Json; after: Json; former: Json; present: Json; note(at: string, what: string): void };

function operationBreaks(at: string, { before, after, former, present, note }: Compared): void {
  const parameters = (operation: Json, root: Json) =>
    new Map(
      list(operation.parameters)
        .map((one) => resolved(one, root))
        .map((one) => [`${one.in} ${one.name}`, one]),
    );
  const then = parameters(before, former);
  const now = parameters(after, present);
  const inputs = { former, present, note, direction: 'in' } as const;
  for (const [name, parameter] of then) {
    const same = now.get(name);
    if (!same) note(at, `the parameter ${name} was removed`);
    else schemaBreaks(`${at} ${name}`, of(parameter.schema), of(same.schema), inputs);
  }
  for (const [name, { required }] of now)
    if (required && !then.get(name)?.required) note(at, `the parameter ${name} is now required`);

  const [bodyThen, bodyNow] = [of(before.requestBody), of(after.requestBody)];
  if (bodyNow.required && !bodyThen.required) note(at, 'a body is now required');
  for (const [type, content] of Object.entries(of(bodyThen.content))) {
    const same = of(of(bodyNow.content)[type]);
    if (!(type in of(bodyNow.content))) note(at, `a body of type ${type} is no longer accepted`);
    else schemaBreaks(`${at} body`, of(of(content).schema), of(same.schema), inputs);
  }
  for (const [status, response] of Object.entries(of(before.responses)).filter(([status]) => status < '400')) {
    const same = resolved(of(after.responses)[status], present);
    if (!Object.keys(same).length) note(at, `status ${status} was removed`);
    for (const [type, content] of Object.entries(of(resolved(response, former).content))) {
      const answer = of(of(same.content)[type]);
      if (!(type in of(same.content))) note(at, `no longer returns ${type}`);
      else
        schemaBreaks(`${at} ${status}`, of(of(content).schema), of(answer.schema), {
          former,
          present,
          note,
          direction: 'out',
        });
    }
  }
}

type Within = {
  former: Json;
  present: Json;
  note(at: string, what: string): void;
  direction: 'in' | 'out';
  seen?: ReadonlySet<string>;
};

function schemaBreaks(at: string, before: Json, after: Json, within: Within): void {
  const name = `${before.$ref}→${after.$ref}`;
  if (before.$ref && within.seen?.has(name)) return;
  const inner = { ...within, seen: new Set([...(within.seen ?? []), name]) };
  const [then, now] = [flat(before, within.former), flat(after, within.present)];
  const { direction, note } = within;

  const [lost, gained] = [difference(then.types, now.types), difference(now.types, then.types)];
  if (direction === 'in' && then.types.length && now.types.length && lost.length)
    note(at, `no longer accepts ${lost.join(', ')}`);
  if (direction === 'out' && then.types.length && gained.length) note(at, `may now be ${gained.join(', ')}`);
  if (direction === 'in' && now.values) {
    const refused = then.values ? difference(then.values, now.values) : ['any other value'];
    if (refused.length) note(at, `no longer accepts ${refused.join(', ')}`);
  }

  for (const [field, schema] of Object.entries(then.properties)) {
    const same = now.properties[field];
    if (same) schemaBreaks(`${at}.${field}`, of(schema), of(same), inner);
    else if (direction === 'out' || now.closed) note(`${at}.${field}`, 'was removed');
  }
  for (const field of direction === 'in'
    ? difference(now.required, then.required)
    : difference(then.required, now.required))
    if (direction === 'in' || now.properties[field])
      note(`${at}.${field}`, direction === 'in' ? 'is now required' : 'may now be absent');
  if (then.items && now.items) schemaBreaks(`${at}[]`, then.items, now.items, inner);
}

type Flat = {
  types: string[];
  values: string[] | null;
  properties: Json;
  required: string[];
  closed: boolean;
  items: Json | null;
};

/** Resolves a schema: follows references, merges allOf, and unites the alternatives of oneOf. */
function flat(schema: Json, root: Json): Flat {
  const own = resolved(schema, root);
  const joined = [...list(own.allOf), ...list(own.oneOf)].map((part) => flat(part, root));
  const types = [own.type].flat().filter((type) => typeof type === 'string');
  return {
    types: [...new Set([...types, ...joined.flatMap((part) => part.types)])],
    values: Array.isArray(own.enum) ? own.enum.map(String) : null,
    properties: Object.assign({}, ...joined.map((part) => part.properties), of(own.properties)),
    required: [
      ...joined.flatMap((part) => part.required),
      ...(Array.isArray(own.required) ? own.required.map(String) : []),
    ],
    closed: own.additionalProperties === false || joined.some((part) => part.closed),
    items: own.items ? of(own.items) : (joined.find((part) => part.items)?.items ?? null),
  };
}

function resolved(value: unknown, root: Json): Json {
  const { $ref, ...rest } = of(value);
  if (typeof $ref !== 'string') return rest;
  return {
    ...resolved(
      $ref
        .split('/')
        .slice(1)
        .reduce<unknown>((at, step) => of(at)[step], root),
      root,
    ),
    ...rest,
  };
}

const of = (value: unknown): Json => (isObject(value) ? value : {});
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(of) : []);
const difference = (one: readonly string[], other: readonly string[]): string[] =>
  one.filter((value) => !other.includes(value));
