// Finds breaking changes between two OpenAPI descriptions. Version 1 of the API grows only by additions.
import { isObject } from '../../subgraphs/core/domain/text/is-object.ts';

type Json = { [key: string]: unknown };

/**
 * Lists the breaking changes from one description to another: removed paths, parameters, response fields, accepted
 * values and statuses, and new required inputs. Additions are not breaking. If the list is empty, every client of the
 * first description works with the second.
 */
export function breakingChanges(former: Json, present: Json): string[] {
  const breaks: string[] = [];
  const note = (at: string, description: string): void => void breaks.push(`${at}: ${description}`);
  for (const [path, methods] of Object.entries(asObject(former.paths)))
    for (const [method, before] of Object.entries(asObject(methods))) {
      const at = `${method.toUpperCase()} ${path}`;
      const after = asObject(asObject(asObject(present.paths)[path])[method]);
      if (!Object.keys(after).length) note(at, 'was removed');
      else operationChanges(at, { before: asObject(before), after, former, present, note });
    }
  return [...new Set(breaks)];
}

type OperationPair = { before: Json; after: Json; former: Json; present: Json; note(at: string, change: string): void };

function operationChanges(at: string, { before, after, former, present, note }: OperationPair): void {
  const parameters = (operation: Json, root: Json) =>
    new Map(
      asList(operation.parameters)
        .map((parameter) => resolveRef(parameter, root))
        .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
    );
  const then = parameters(before, former);
  const now = parameters(after, present);
  const inputs = { former, present, note, direction: 'in' } as const;
  for (const [name, parameter] of then) {
    const same = now.get(name);
    if (!same) note(at, `the parameter ${name} was removed`);
    else schemaChanges(`${at} ${name}`, asObject(parameter.schema), asObject(same.schema), inputs);
  }
  for (const [name, { required }] of now)
    if (required && !then.get(name)?.required) note(at, `the parameter ${name} is now required`);

  const [bodyThen, bodyNow] = [asObject(before.requestBody), asObject(after.requestBody)];
  if (bodyNow.required && !bodyThen.required) note(at, 'a body is now required');
  for (const [type, content] of Object.entries(asObject(bodyThen.content))) {
    const same = asObject(asObject(bodyNow.content)[type]);
    if (!(type in asObject(bodyNow.content))) note(at, `a body of type ${type} is no longer accepted`);
    else schemaChanges(`${at} body`, asObject(asObject(content).schema), asObject(same.schema), inputs);
  }
  for (const [status, response] of Object.entries(asObject(before.responses)).filter(([status]) => status < '400')) {
    const same = resolveRef(asObject(after.responses)[status], present);
    if (!Object.keys(same).length) note(at, `status ${status} was removed`);
    for (const [type, content] of Object.entries(asObject(resolveRef(response, former).content))) {
      const sameType = asObject(asObject(same.content)[type]);
      if (!(type in asObject(same.content))) note(at, `no longer returns ${type}`);
      else
        schemaChanges(`${at} ${status}`, asObject(asObject(content).schema), asObject(sameType.schema), {
          former,
          present,
          note,
          direction: 'out',
        });
    }
  }
}

type ComparisonContext = {
  former: Json;
  present: Json;
  note(at: string, change: string): void;
  direction: 'in' | 'out';
  seen?: ReadonlySet<string>;
};

function schemaChanges(at: string, before: Json, after: Json, context: ComparisonContext): void {
  const name = `${before.$ref}→${after.$ref}`;
  if (before.$ref && context.seen?.has(name)) return;
  const innerContext = { ...context, seen: new Set([...(context.seen ?? []), name]) };
  const [then, now] = [flattenSchema(before, context.former), flattenSchema(after, context.present)];
  const { direction, note } = context;

  const [removed, added] = [difference(then.types, now.types), difference(now.types, then.types)];
  if (direction === 'in' && then.types.length && now.types.length && removed.length)
    note(at, `no longer accepts ${removed.join(', ')}`);
  if (direction === 'out' && then.types.length && added.length) note(at, `may now be ${added.join(', ')}`);
  if (direction === 'in' && now.values) {
    const rejected = then.values ? difference(then.values, now.values) : ['any other value'];
    if (rejected.length) note(at, `no longer accepts ${rejected.join(', ')}`);
  }

  for (const [field, schema] of Object.entries(then.properties)) {
    const same = now.properties[field];
    if (same) schemaChanges(`${at}.${field}`, asObject(schema), asObject(same), innerContext);
    else if (direction === 'out' || now.closed) note(`${at}.${field}`, 'was removed');
  }
  for (const field of direction === 'in'
    ? difference(now.required, then.required)
    : difference(then.required, now.required))
    if (direction === 'in' || now.properties[field])
      note(`${at}.${field}`, direction === 'in' ? 'is now required' : 'may now be absent');
  if (then.items && now.items) schemaChanges(`${at}[]`, then.items, now.items, innerContext);
}

type FlatSchema = {
  types: string[];
  values: string[] | null;
  properties: Json;
  required: string[];
  closed: boolean;
  items: Json | null;
};

/** Resolves a schema: follows references, merges allOf, and merges the alternatives of oneOf. */
function flattenSchema(schema: Json, root: Json): FlatSchema {
  const resolved = resolveRef(schema, root);
  const joined = [...asList(resolved.allOf), ...asList(resolved.oneOf)].map((part) => flattenSchema(part, root));
  const types = [resolved.type].flat().filter((type) => typeof type === 'string');
  return {
    types: [...new Set([...types, ...joined.flatMap((part) => part.types)])],
    values: Array.isArray(resolved.enum) ? resolved.enum.map(String) : null,
    properties: Object.assign({}, ...joined.map((part) => part.properties), asObject(resolved.properties)),
    required: [
      ...joined.flatMap((part) => part.required),
      ...(Array.isArray(resolved.required) ? resolved.required.map(String) : []),
    ],
    closed: resolved.additionalProperties === false || joined.some((part) => part.closed),
    items: resolved.items ? asObject(resolved.items) : (joined.find((part) => part.items)?.items ?? null),
  };
}

function resolveRef(value: unknown, root: Json): Json {
  const { $ref, ...rest } = asObject(value);
  if (typeof $ref !== 'string') return rest;
  return {
    ...resolveRef(
      $ref
        .split('/')
        .slice(1)
        .reduce<unknown>((at, step) => asObject(at)[step], root),
      root,
    ),
    ...rest,
  };
}

const asObject = (value: unknown): Json => (isObject(value) ? value : {});
const asList = (value: unknown): Json[] => (Array.isArray(value) ? value.map(asObject) : []);
const difference = (one: readonly string[], other: readonly string[]): string[] =>
  one.filter((value) => !other.includes(value));
