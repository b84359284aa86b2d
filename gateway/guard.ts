// The guard of the graph: judges a query before validation and planning, in time linear in its text. Lists multiply what is below them;
// fragments are measured once each and never opened, so that a kilobyte of doubled fragments cannot blow up here.
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
  /** Bytes of the text. */
  bytes: 32 * 1024,
  tokens: 2_000,
  /** What an explorer's introspection query needs, exactly. */
  depth: 15,
  aliases: 20,
  rootFields: 20,
  /** With every fragment counted where it is used. */
  fields: 500,
  /** A field costs 1, times the size of every list around it. */
  cost: 20_000,
  /** Lists nested below __schema or __type. */
  introspectionLists: 2,
};

export type GuardLimits = typeof GUARD_LIMITS;

/** What was exceeded, how much is allowed and how much was found (Infinity for a cycle). */
export type Exceeded = { limit: keyof GuardLimits; allowed: number; found: number };

/** What a query costs (undefined: it could not be read), and why it may not run, if so; `constant`: whatever its variables are. */
export type Judgement = { cost?: number; exceeded?: Exceeded; constant?: boolean };

type Measure = { depth: number; fields: number; aliases: number; cost: number; lists: number };
type Variables = Readonly<Record<string, unknown>>;
type Sizes = Record<string, unknown>;
type SizeOf = (variable: string) => unknown;

// sizes of pages: when none is given, when the one given cannot be read, and the longest page there is
const PAGE = { default: 50, unread: 200, longest: 1000 };
const UNPAGED_LIST = 10; // assumed size of a list that takes no page size
// Lists that are followed level by level, each level one batch: how many lines they find is counted while the operation runs.
const FOLLOWED_LIST = 4;
const FOLLOWED = new Set(['Version.bomLines']);
const INTROSPECTION_LISTS = new Set(['fields', 'interfaces', 'possibleTypes', 'inputFields']);
const NOTHING: Measure = { depth: 0, fields: 0, aliases: 0, cost: 0, lists: 0 };
const CYCLE: Measure = {
  depth: Number.POSITIVE_INFINITY,
  fields: Number.POSITIVE_INFINITY,
  aliases: 0,
  cost: Number.POSITIVE_INFINITY,
  lists: 0,
};

/**
 * Judges the text of a query from outside. What is not GraphQL passes: the parser behind says so better. `known` is the document of this
 * text, if it was valid before: then nothing is parsed.
 */
export function guard(
  text: string,
  schema: GraphQLSchema,
  variables: Variables = {},
  limits: GuardLimits = GUARD_LIMITS,
  known?: DocumentNode,
): Judgement {
  const bytes = known ? 0 : Buffer.byteLength(text);
  if (bytes > limits.bytes) return { exceeded: { limit: 'bytes', allowed: limits.bytes, found: bytes } };
  const document = known ?? parsed(text, limits.tokens);
  if (document === 'too many tokens')
    return { exceeded: { limit: 'tokens', allowed: limits.tokens, found: limits.tokens + 1 } };
  if (document === undefined) return {};
  let constant = true;
  const given: Sizes = { ...defaultsOf(document), ...variables };
  const measure = measurer(document, schema, (name) => {
    constant = false;
    return given[name];
  });
  let cost = 0;
  for (const operation of document.definitions) {
    if (operation.kind !== Kind.OPERATION_DEFINITION) continue;
    const found = measure(operation.selectionSet, schema.getRootType(operation.operation));
    const exceeded = judge(found, operation.selectionSet.selections.length, limits);
    cost = Math.max(cost, found.cost);
    if (exceeded) return { cost, exceeded };
  }
  return { cost, constant };
}

function judge({ lists, ...found }: Measure, rootFields: number, limits: GuardLimits): Exceeded | undefined {
  const all = { introspectionLists: lists, ...found, rootFields };
  for (const limit of ['introspectionLists', 'depth', 'fields', 'aliases', 'cost', 'rootFields'] as const) {
    if (all[limit] > limits[limit]) return { limit, allowed: limits[limit], found: all[limit] };
  }
  return undefined;
}

function parsed(text: string, maxTokens: number): DocumentNode | 'too many tokens' | undefined {
  try {
    return parse(text, { maxTokens, noLocation: true });
  } catch (error) {
    return error instanceof Error && error.message.includes(` ${maxTokens} tokens`) ? 'too many tokens' : undefined;
  }
}

// `type` is what graphql-js says about a name, or nothing: the query is not validated yet
type Type = ReturnType<GraphQLSchema['getType']>;

function measurer(
  document: DocumentNode,
  schema: GraphQLSchema,
  sizeOf: SizeOf,
): (set: SelectionSetNode, type: Type | null) => Measure {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const measured = new Map<string, Measure>();

  const ofFragment = (name: string): Measure => {
    const known = measured.get(name);
    if (known) return known;
    measured.set(name, CYCLE); // what a fragment finds that reaches itself
    const fragment = fragments.get(name);
    const found = fragment ? ofSet(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value)) : NOTHING;
    measured.set(name, found);
    return found;
  };

  const ofField = (node: FieldNode, parent: Type | null): Measure => {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    const below = node.selectionSet ? ofSet(node.selectionSet, field && getNamedType(field.type)) : NOTHING;
    const introspects = INTROSPECTION_LISTS.has(node.name.value) && (!field || !parent || parent.name.startsWith('__'));
    return {
      depth: 1 + below.depth,
      fields: 1 + below.fields,
      aliases: (node.alias ? 1 : 0) + below.aliases,
      cost: 1 + listSize(node, field, parent, sizeOf) * below.cost,
      lists: (introspects ? 1 : 0) + below.lists,
    };
  };

  const ofSet = (set: SelectionSetNode, parent: Type | null | undefined): Measure => {
    const total = { ...NOTHING };
    for (const node of set.selections) {
      const part =
        node.kind === Kind.FIELD
          ? ofField(node, parent ?? null)
          : node.kind === Kind.FRAGMENT_SPREAD
            ? ofFragment(node.name.value)
            : ofSet(node.selectionSet, node.typeCondition ? schema.getType(node.typeCondition.name.value) : parent);
      total.depth = Math.max(total.depth, part.depth);
      total.lists = Math.max(total.lists, part.lists);
      total.fields += part.fields;
      total.aliases += part.aliases;
      total.cost += part.cost;
    }
    return total;
  };
  return ofSet;
}

function listSize(
  node: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
  parent: Type | null,
  sizeOf: SizeOf,
): number {
  if (!field) return 1;
  const given = (name: string) => node.arguments?.find((argument) => argument.name.value === name)?.value;
  const paged = field.args.find(({ name }) => name === 'limit' || name === 'first');
  if (paged) return pageSize(given(paged.name), sizeOf, paged.defaultValue);
  if (!isListType(getNullableType(field.type))) return 1;
  const ids = given('ids');
  if (ids) return idCount(ids, sizeOf);
  const insidePage = isObjectType(parent) && Boolean(parent.getFields().nextCursor); // the page field above has counted it
  return insidePage ? 1 : FOLLOWED.has(`${parent?.name}.${node.name.value}`) ? FOLLOWED_LIST : UNPAGED_LIST;
}

function idCount(value: ValueNode, sizeOf: SizeOf): number {
  if (value.kind === Kind.LIST) return value.values.length;
  const given = value.kind === Kind.VARIABLE ? sizeOf(value.name.value) : undefined;
  return Array.isArray(given) ? given.length : PAGE.unread;
}

// what a size is when its variable is not given; two operations of a document may have the same variable, one of them runs
function defaultsOf({ definitions }: DocumentNode): Record<string, number> {
  const defaults: Record<string, number> = Object.create(null);
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const { variable, defaultValue } of definition.variableDefinitions ?? [])
      if (defaultValue?.kind === Kind.INT)
        defaults[variable.name.value] = Math.max(Number(defaultValue.value), defaults[variable.name.value] ?? 0);
  }
  return defaults;
}

// An absent size is what the list takes then; one that cannot be read here counts as the largest usual.
function pageSize(value: ValueNode | undefined, sizeOf: SizeOf, usual: unknown): number {
  const size =
    value?.kind === Kind.INT
      ? Number(value.value)
      : value?.kind === Kind.VARIABLE
        ? sizeOf(value.name.value)
        : undefined;
  const absent =
    value === undefined ||
    value.kind === Kind.NULL ||
    (value.kind === Kind.VARIABLE && (size === undefined || size === null));
  if (absent) return typeof usual === 'number' ? usual : PAGE.default;
  return typeof size === 'number' && Number.isInteger(size) ? Math.min(Math.max(size, 1), PAGE.longest) : PAGE.unread;
}
