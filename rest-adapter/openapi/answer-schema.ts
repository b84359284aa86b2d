import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { operationOf } from '../operation.ts';
import { described, leafSchema, orNull, type Schema } from './json-schema.ts';

type Selected = { type: GraphQLOutputType; set?: SelectionSetNode };
type In = {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  components: Map<string, Schema>;
};

/** Returns the JSON Schema of the value at a data path of an operation, without null. Adds each fragment to the components. */
export function answerSchema(
  document: DocumentNode,
  path: readonly string[],
  schema: GraphQLSchema,
  components: Map<string, Schema>,
): Schema {
  const { operation, selectionSet } = operationOf(document);
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  const within: In = { schema, fragments, components };
  const root = schema.getRootType(operation);
  if (!root) throw new Error(`The schema has no ${operation}`);
  const { type, set } = path.reduce<Selected>((at, step) => stepInto(at, step), { type: root, set: selectionSet });
  return bareShape({ type: getNullableType(type), set }, within);
}

function stepInto({ type, set }: Selected, step: string): Selected {
  const parent = getNamedType(type);
  const field = fieldsOf(set).find(({ name }) => name.value === step);
  if (!field || !isObjectType(parent)) throw new Error(`A route returns ${step}, which its operation does not select`);
  return selected(parent, field);
}

function shape({ type, set }: Selected, within: In): Schema {
  if (isNonNullType(type)) return bareShape({ type: type.ofType, set }, within);
  return orNull(bareShape({ type, set }, within));
}

function bareShape({ type, set }: Selected, within: In): Schema {
  if (isListType(type)) return { type: 'array', items: shape({ type: type.ofType, set }, within) };
  if (!isObjectType(type) || !set) return leafSchema(getNamedType(type));
  const [only, ...others] = set.selections;
  if (only?.kind === Kind.FRAGMENT_SPREAD && !others.length) return component(only.name.value, within);
  return objectShape(type, set, within);
}

function objectShape(type: GraphQLObjectType, set: SelectionSetNode, within: In): Schema {
  const fields = fieldsOf(set);
  const properties = fields.map((field) => {
    const { description } = type.getFields()[field.name.value] ?? {};
    return [field.name.value, described(shape(selected(type, field), within), description)];
  });
  const own = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: fields.map(({ name }) => name.value),
  };
  const parts = set.selections.flatMap((selection) =>
    selection.kind === Kind.FRAGMENT_SPREAD ? [component(selection.name.value, within)] : [],
  );
  return parts.length ? { allOf: [...parts, own] } : own;
}

function component(name: string, within: In): Schema {
  const fragment = within.fragments.get(name);
  const type = within.schema.getType(fragment?.typeCondition.name.value ?? '');
  if (!fragment || !isObjectType(type)) throw new Error(`There is no fragment ${name}`);
  if (!within.components.has(name)) {
    within.components.set(name, {}); // reserves the name, so that recursive fragments end
    within.components.set(name, described(objectShape(type, fragment.selectionSet, within), type.description));
  }
  return { $ref: `#/components/schemas/${name}` };
}

function fieldsOf(set: SelectionSetNode | undefined): FieldNode[] {
  return (set?.selections ?? []).filter((selection) => selection.kind === Kind.FIELD);
}

function selected(parent: GraphQLObjectType, { name, selectionSet }: FieldNode): Selected {
  const field = parent.getFields()[name.value];
  if (!field) throw new Error(`${parent.name} has no field ${name.value}`);
  return { type: field.type, set: selectionSet };
}
