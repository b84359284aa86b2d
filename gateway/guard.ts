// The query guard: checks the limits of a query before validation and planning, in time linear in its text. Lists
// multiply the cost of their selections. Each fragment is measured once and never expanded, so doubled fragments cannot
// exhaust the guard.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

export const GUARD_LIMITS = {
  /** Bytes of the query text. */
  bytes: 32 * 1024,
  tokens: 2_000,
  /** Exactly the depth of a standard introspection query. */
  depth: 15,
  aliases: 20,
  rootFields: 20,
  /** Fields, with every fragment counted at each use. */
  fields: 500,
  /** A field costs 1, times the sizes of the lists around it. */
  cost: 20_000,
  /** Nested lists below __schema or __type. */
  introspectionLists: 2,
};

export type GuardLimits = typeof GUARD_LIMITS;

/** The limit that was exceeded, its maximum, and the value found (Infinity for a cycle of fragments). */
export type ExceededLimit = { limit: keyof GuardLimits; allowed: number; found: number };

/**
 * The cost of a query (undefined if it does not parse), the limit it exceeds, and whether both are independent of its
 * variables.
 */
export type GuardResult = { cost?: number; exceeded?: ExceededLimit; constant?: boolean };

type QueryMeasure = { depth: number; fields: number; aliases: number; cost: number; introspectionLists: number };
type Variables = Readonly<Record<string, unknown>>;
type Sizes = Record<string, unknown>;
type VariableLookup = (variable: string) => unknown;

// Page sizes: the default, the assumed size if it cannot be determined, and the maximum.
const PAGE_SIZE = { default: 50, unknown: 200, max: 1000 };
const UNPAGED_LIST_SIZE = 10; // assumed size of a list without a page size
// Lists that are followed level by level, one batch each; their lines are limited while the operation runs.
const FOLLOWED_LIST_SIZE = 4;
const FOLLOWED_LIST_FIELDS = new Set(['Version.bomLines']);
const INTROSPECTION_LIST_FIELDS = new Set(['fields', 'interfaces', 'possibleTypes', 'inputFields']);
const EMPTY_MEASURE: QueryMeasure = { depth: 0, fields: 0, aliases: 0, cost: 0, introspectionLists: 0 };
const CYCLE_MEASURE: QueryMeasure = {
  depth: Number.POSITIVE_INFINITY,
  fields: Number.POSITIVE_INFINITY,
  aliases: 0,
  cost: Number.POSITIVE_INFINITY,
  introspectionLists: 0,
};

/**
 * Checks the limits of a query. Text that does not parse passes: the GraphQL server reports it better. `known` is the
 * parsed document if the text has been validated before.
 */
export function guard(
  text: string,
  schema: GraphQLSchema,
  variables: Variables = {},
  limits: GuardLimits = GUARD_LIMITS,
  known?: DocumentNode,
): GuardResult {
  const bytes = known ? 0 : Buffer.byteLength(text);
  if (bytes > limits.bytes) return { exceeded: { limit: 'bytes', allowed: limits.bytes, found: bytes } };
  const document = known ?? parseQuery(text, limits.tokens);
  if (document === 'too many tokens')
    return { exceeded: { limit: 'tokens', allowed: limits.tokens, found: limits.tokens + 1 } };
  if (document === undefined) return {};
  let constant = true;
  const sizes: Sizes = { ...defaultSizes(document), ...variables };
  const measure = createMeasure(document, schema, (name) => {
    constant = false;
    return sizes[name];
  });
  let cost = 0;
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
    const found = measure(operation.selectionSet, schema.getRootType(operation.operation));
    const exceeded = findExceeded(found, operation.selectionSet.selections.length, limits);
    cost = Math.max(cost, found.cost);
    if (exceeded) return { cost, exceeded };
  }
  return { cost, constant };
}

function findExceeded(measure: QueryMeasure, rootFields: number, limits: GuardLimits): ExceededLimit | undefined {
  const found = { ...measure, rootFields };
  for (const limit of ['introspectionLists', 'depth', 'fields', 'aliases', 'cost', 'rootFields'] as const) {
    if (found[limit] > limits[limit]) return { limit, allowed: limits[limit], found: found[limit] };
  }
  return undefined;
}

function parseQuery(text: string, maxTokens: number): DocumentNode | 'too many tokens' | undefined {
  try {
    return parse(text, { maxTokens, noLocation: true });
  } catch (error) {
    return error instanceof Error && error.message.includes(` ${maxTokens} tokens`) ? 'too many tokens' : undefined;
  }
}

// The query is not validated yet, so any name may denote any type or none.
type NamedType = ReturnType<GraphQLSchema['getType']>;

function createMeasure(
  document: DocumentNode,
  schema: GraphQLSchema,
  sizeOf: VariableLookup,
): (set: SelectionSetNode, type: NamedType | null) => QueryMeasure {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const measured = new Map<string, QueryMeasure>();

  const measureFragment = (name: string): QueryMeasure => {
    const known = measured.get(name);
    if (known) return known;
    measured.set(name, CYCLE_MEASURE); // found if the fragment contains itself
    const fragment = fragments.get(name);
    const found = fragment
      ? measureSet(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value))
      : EMPTY_MEASURE;
    measured.set(name, found);
    return found;
  };

  const measureField = (node: FieldNode, parent: NamedType | null): QueryMeasure => {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    const below = node.selectionSet ? measureSet(node.selectionSet, field && getNamedType(field.type)) : EMPTY_MEASURE;
    const introspects =
      INTROSPECTION_LIST_FIELDS.has(node.name.value) && (!field || !parent || parent.name.startsWith('__'));
    return {
      depth: 1 + below.depth,
      fields: 1 + below.fields,
      aliases: (node.alias ? 1 : 0) + below.aliases,
      cost: 1 + listSize(node, field, parent, sizeOf) * below.cost,
      introspectionLists: (introspects ? 1 : 0) + below.introspectionLists,
    };
  };

  const measureSet = (set: SelectionSetNode, parent: NamedType | null | undefined): QueryMeasure => {
    const total = { ...EMPTY_MEASURE };
    for (const node of set.selections) {
      const part =
        node.kind === Kind.FIELD
          ? measureField(node, parent ?? null)
          : node.kind === Kind.FRAGMENT_SPREAD
            ? measureFragment(node.name.value)
            : measureSet(
                node.selectionSet,
                node.typeCondition ? schema.getType(node.typeCondition.name.value) : parent,
              );
      total.depth = Math.max(total.depth, part.depth);
      total.introspectionLists = Math.max(total.introspectionLists, part.introspectionLists);
      total.fields += part.fields;
      total.aliases += part.aliases;
      total.cost += part.cost;
    }
    return total;
  };
  return measureSet;
}

function listSize(
  node: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
  parent: NamedType | null,
  sizeOf: VariableLookup,
): number {
  if (!field) return 1;
  const argument = (name: string) => node.arguments?.find((each) => each.name.value === name)?.value;
  const paged = field.args.find(({ name }) => name === 'limit' || name === 'first');
  if (paged) return pageSize(argument(paged.name), sizeOf, paged.defaultValue);
  if (!isListType(getNullableType(field.type))) return 1;
  const ids = argument('ids');
  if (ids) return idCount(ids, sizeOf);
  const isPageItems = isObjectType(parent) && Boolean(parent.getFields().nextCursor);
  if (isPageItems) return 1; // the field of the page has been multiplied already
  return FOLLOWED_LIST_FIELDS.has(`${parent?.name}.${node.name.value}`) ? FOLLOWED_LIST_SIZE : UNPAGED_LIST_SIZE;
}

function idCount(value: ValueNode, sizeOf: VariableLookup): number {
  if (value.kind === Kind.LIST) return value.values.length;
  const ids = value.kind === Kind.VARIABLE ? sizeOf(value.name.value) : undefined;
  return Array.isArray(ids) ? ids.length : PAGE_SIZE.unknown;
}

// Default values of size variables, the largest if several operations declare the same variable.
function defaultSizes({ definitions }: DocumentNode): Record<string, number> {
  const defaults: Record<string, number> = Object.create(null);
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const { variable, defaultValue } of definition.variableDefinitions ?? [])
      if (defaultValue?.kind === Kind.INT)
        defaults[variable.name.value] = Math.max(Number(defaultValue.value), defaults[variable.name.value] ?? 0);
  }
  return defaults;
}

// Returns the size of a page: the default if it is absent, an assumed size if it is not an integer.
function pageSize(value: ValueNode | undefined, sizeOf: VariableLookup, defaultSize: unknown): number {
  let size: unknown;
  if (value?.kind === Kind.INT) size = Number(value.value);
  else if (value?.kind === Kind.VARIABLE) size = sizeOf(value.name.value);
  const isAbsent =
    value === undefined ||
    value.kind === Kind.NULL ||
    (value.kind === Kind.VARIABLE && (size === undefined || size === null));
  if (isAbsent) return typeof defaultSize === 'number' ? defaultSize : PAGE_SIZE.default;
  return typeof size === 'number' && Number.isInteger(size)
    ? Math.min(Math.max(size, 1), PAGE_SIZE.max)
    : PAGE_SIZE.unknown;
}
