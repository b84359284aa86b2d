// The usual fetch of a plan asks a subgraph for entities of one type. As @apollo/subgraph answers it, each goes through two promises, gets a property that
// tells its type, and is looked up in a union. Here such a fetch runs on a query field of that type alone: nothing has to be told apart.
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
  /** Resolves references of one type together, where a subgraph offers that (entityBy of core/graphql.ts). */
  all?(references: readonly Reference[], context: unknown): Listed;
};
type Listed = readonly unknown[] | Promise<readonly unknown[]>;

/** The schema of a subgraph in which each entity has a query field of its name: the references of that type → their entities, null for others. */
export function entitySchema(schema: GraphQLSchema): GraphQLSchema | undefined {
  const union = schema.getType('_Entity');
  const field = schema.getQueryType()?.getFields()._entities;
  if (!isUnionType(union) || !field) return undefined;
  const args = Object.fromEntries(field.args.map(({ name, type }) => [name, { type }]));
  const fields = Object.fromEntries(union.getTypes().map((type) => [type.name, { args, ...listOf(type) }]));
  const roots = new Set(
    [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].map((type) => type?.name),
  );
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !roots.has(name) && !name.startsWith('__'));
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: '_Entities', fields }), types, assumeValid: true });
}

/** The same operation on that schema; undefined unless it asks for entities of one object type and for nothing else. */
export function onOneEntity(
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
  const one = {
    ...field,
    alias: field.name,
    name: { kind: Kind.NAME, value: type } as const,
    selectionSet: fragment.selectionSet,
  };
  const asked: OperationDefinitionNode = {
    ...operation,
    selectionSet: { ...operation.selectionSet, selections: [one] },
  };
  return {
    ...document,
    definitions: document.definitions.map((definition) => (definition === operation ? asked : definition)),
  };
}

function listOf(type: GraphQLObjectType): GraphQLFieldConfig<unknown, unknown, { representations: Reference[] }> {
  const extensions = type.extensions as { apollo?: { subgraph?: { resolveReference?: ResolveReference } } };
  const load = extensions.apollo?.subgraph?.resolveReference;
  const isOfType = ({ __typename }: Reference): boolean => __typename === type.name;
  return {
    type: new GraphQLNonNull(new GraphQLList(type)),
    resolve: (_parent, { representations }, context, info) => {
      if (load?.all && representations.every(isOfType))
        return eachFailing(load.all(representations, context), representations.length);
      const entities = representations.map((reference) => {
        if (!isOfType(reference)) return null;
        return load ? load(reference, context, info) : reference;
      });
      return entities.some(isPromise) ? together(entities) : entities;
    },
  };
}

// an entity that fails is an error in its place, which stands for the error of that place: a list that fails is as many errors
function eachFailing(entities: Listed, count: number): Listed {
  return entities instanceof Promise
    ? entities.catch((reason: unknown) => new Array(count).fill(asError(reason)))
    : entities;
}

// one promise for all
function together(entities: unknown[]): Promise<unknown[]> {
  return new Promise((resolve) => {
    let awaited = 0;
    const done = () => {
      awaited -= 1;
      if (!awaited) resolve(entities);
    };
    for (const [at, entity] of entities.entries()) {
      if (!(entity instanceof Promise)) continue;
      awaited += 1;
      const put = (found: unknown) => {
        entities[at] = found;
        done();
      };
      entity.then(put, (reason: unknown) => put(asError(reason)));
    }
  });
}

const isPromise = (value: unknown): boolean => value instanceof Promise;
const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
