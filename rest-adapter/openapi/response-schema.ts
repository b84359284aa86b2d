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
import { outputConstraints } from './constraints.ts';
import { leafSchema, nullableSchema, type Schema, withConstraints, withDescription } from './json-schema.ts';

type SelectedType = { type: GraphQLOutputType; set?: SelectionSetNode };
type SchemaContext = {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  components: Map<string, Schema>;
};

/**
 * Returns the JSON Schema of the value at a path of the operation's data, as non-null. Adds each fragment to the
 * components.
 */
export function responseSchema(
  document: DocumentNode,
  path: readonly string[],
  schema: GraphQLSchema,
  components: Map<string, Schema>,
): Schema {
  const { operation, selectionSet } = operationOf(document);
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  const context: SchemaContext = { schema, fragments, components };
  const root = schema.getRootType(operation);
  if (!root) throw new Error(`The schema has no ${operation}`);
  const { type, set } = path.reduce<SelectedType>((at, step) => selectField(at, step), {
    type: root,
    set: selectionSet,
  });
  return nonNullSchema({ type: getNullableType(type), set }, context);
}

function selectField({ type, set }: SelectedType, step: string): SelectedType {
  const parent = getNamedType(type);
  const field = fieldsOf(set).find(({ name }) => name.value === step);
  if (!field || !isObjectType(parent)) throw new Error(`A route returns ${step}, which its operation does not select`);
  return fieldType(parent, field);
}

function selectionSchema({ type, set }: SelectedType, context: SchemaContext): Schema {
  if (isNonNullType(type)) return nonNullSchema({ type: type.ofType, set }, context);
  return nullableSchema(nonNullSchema({ type, set }, context));
}

function nonNullSchema({ type, set }: SelectedType, context: SchemaContext): Schema {
  if (isListType(type)) return { type: 'array', items: selectionSchema({ type: type.ofType, set }, context) };
  if (!isObjectType(type) || !set) return leafSchema(getNamedType(type));
  const [only, ...others] = set.selections;
  if (only?.kind === Kind.FRAGMENT_SPREAD && !others.length) return componentRef(only.name.value, context);
  return objectSchema(type, set, context);
}

function objectSchema(type: GraphQLObjectType, set: SelectionSetNode, context: SchemaContext): Schema {
  const fields = fieldsOf(set);
  const properties = fields.map((field) => {
    const { description } = type.getFields()[field.name.value] ?? {};
    const constraints = outputConstraints(`${type.name}.${field.name.value}`);
    const schema = withConstraints(selectionSchema(fieldType(type, field), context), constraints);
    return [field.name.value, withDescription(schema, description)];
  });
  const ownSchema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: fields.map(({ name }) => name.value),
  };
  const fragmentRefs = set.selections.flatMap((selection) =>
    selection.kind === Kind.FRAGMENT_SPREAD ? [componentRef(selection.name.value, context)] : [],
  );
  return fragmentRefs.length ? { allOf: [...fragmentRefs, ownSchema] } : ownSchema;
}

function componentRef(name: string, context: SchemaContext): Schema {
  const fragment = context.fragments.get(name);
  const type = context.schema.getType(fragment?.typeCondition.name.value ?? '');
  if (!fragment || !isObjectType(type)) throw new Error(`There is no fragment ${name}`);
  if (!context.components.has(name)) {
    context.components.set(name, {}); // reserves the name, so that recursive fragments end
    context.components.set(name, withDescription(objectSchema(type, fragment.selectionSet, context), type.description));
  }
  return { $ref: `#/components/schemas/${name}` };
}

function fieldsOf(set: SelectionSetNode | undefined): FieldNode[] {
  return (set?.selections ?? []).filter((selection) => selection.kind === Kind.FIELD);
}

function fieldType(parent: GraphQLObjectType, { name, selectionSet }: FieldNode): SelectedType {
  const field = parent.getFields()[name.value];
  if (!field) throw new Error(`${parent.name} has no field ${name.value}`);
  return { type: field.type, set: selectionSet };
}
