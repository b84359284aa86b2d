// Speeds up the usual fetch: entities of one type. @apollo/subgraph spends two promises, a type property and a union
// lookup on each entity. This schema has a query field for each entity type instead, so that no types need to be
// resolved.
import {
  type DocumentNode,
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  getOperationAST,
  isObjectType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';

type Reference = { __typename?: unknown };
type ResolveReference = ((reference: Reference, context: unknown, info: GraphQLResolveInfo) => unknown) & {
  /** Resolves references of one type in one batch, if the subgraph supports it (entityBy of core/graphql.ts). */
  resolveAll?(references: readonly Reference[], context: unknown): EntityList;
};
type EntityList = readonly unknown[] | Promise<readonly unknown[]>;

/**
 * Returns a schema with a query field for each entity type, named after the type: references of that type → entities,
 * null for others.
 */
export function entitySchema(schema: GraphQLSchema): GraphQLSchema | undefined {
  const union = schema.getType('_Entity');
  const field = schema.getQueryType()?.getFields()._entities;
  if (!isUnionType(union) || !field) return undefined;
  const args = Object.fromEntries(field.args.map(({ name, type: entityType }) => [name, { type: entityType }]));
  const fields = Object.fromEntries(
    union.getTypes().map((entityType) => [entityType.name, { args, ...entityField(entityType) }]),
  );
  const roots = new Set(
    [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map(
      (entityType) => entityType?.name,
    ),
  );
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !roots.has(name) && !name.startsWith('__'));
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: '_Entities', fields }), types, assumeValid: true });
}

/** Rewrites an operation for that schema; undefined unless it selects entities of one object type and nothing else. */
export function toEntityQuery(
  document: DocumentNode,
  operationName: string | undefined,
  schema: GraphQLSchema,
): DocumentNode | undefined {
  const operation = getOperationAST(document, operationName);
  const [field, ...others] = operation?.operation === OperationTypeNode.QUERY ? operation.selectionSet.selections : [];
  if (
    !operation ||
    others.length ||
    field?.kind !== Kind.FIELD ||
    field.name.value !== '_entities' ||
    field.alias ||
    field.directives?.length
  )
    return undefined;
  const [fragment, ...more] = field.selectionSet?.selections ?? [];
  if (more.length || fragment?.kind !== Kind.INLINE_FRAGMENT || fragment.directives?.length) return undefined;
  const type = fragment.typeCondition?.name.value ?? '';
  if (!schema.getQueryType()?.getFields()[type] || !isObjectType(schema.getType(type))) return undefined;
  const typeField = {
    ...field,
    alias: field.name,
    name: { kind: Kind.NAME, value: type } as const,
    selectionSet: fragment.selectionSet,
  };
  const rewritten: OperationDefinitionNode = {
    ...operation,
    selectionSet: { ...operation.selectionSet, selections: [typeField] },
  };
  return {
    ...document,
    definitions: document.definitions.map((definition) => (definition === operation ? rewritten : definition)),
  };
}

function entityField(type: GraphQLObjectType): GraphQLFieldConfig<unknown, unknown, { representations: Reference[] }> {
  const extensions = type.extensions as { apollo?: { subgraph?: { resolveReference?: ResolveReference } } };
  const load = extensions.apollo?.subgraph?.resolveReference;
  const isOfType = ({ __typename }: Reference): boolean => __typename === type.name;
  return {
    type: new GraphQLNonNull(new GraphQLList(type)),
    resolve: (_parent, { representations }, context, info) => {
      if (load?.resolveAll && representations.every(isOfType))
        return repeatError(load.resolveAll(representations, context), representations.length);
      const entities = representations.map((reference) => {
        if (!isOfType(reference)) return null;
        return load ? load(reference, context, info) : reference;
      });
      return entities.some(isPromise) ? settleAll(entities) : entities;
    },
  };
}

// GraphQL reports an Error in a list as the error of that item; if the whole batch fails, every item fails.
function repeatError(entities: EntityList, count: number): EntityList {
  return entities instanceof Promise
    ? entities.catch((reason: unknown) => new Array(count).fill(asError(reason)))
    : entities;
}

// Awaits all entities with one promise. A rejected one is replaced with its Error.
function settleAll(entities: unknown[]): Promise<unknown[]> {
  return new Promise((resolve) => {
    let awaited = 0;
    const done = () => {
      awaited -= 1;
      if (!awaited) resolve(entities);
    };
    for (const [at, entity] of entities.entries()) {
      if (!(entity instanceof Promise)) continue;
      awaited += 1;
      const settle = (found: unknown) => {
        entities[at] = found;
        done();
      };
      entity.then(settle, (reason: unknown) => settle(asError(reason)));
    }
  });
}

const isPromise = (value: unknown): boolean => value instanceof Promise;
const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
