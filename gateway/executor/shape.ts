// From what the subgraphs answered to what the client asked: its keys in its order, without the planner's own keys,
// nulls carried up as the language says, hidden enum values not shown. Types and selections are looked at once, when a shape is made.
import {
  type GraphQLNamedOutputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { tooLarge } from './limits.ts';
import { isObject, type JsonObject } from './merge.ts';
import { type Complete, type Field, leaf, objectShape, type Spend } from './object-shape.ts';
import { askedFields, type Fragments, switches } from './selection.ts';

/** The shaped answer, and the fields (`Type.field`) where a null came for a value the schema promises. */
export type Shaped = { data: JsonObject | null; broken: readonly string[] };

export type Shape = (data: JsonObject, variables: JsonObject) => Shaped;

type Count = { objects: number; broken: Set<string> };
type Asking = { schema: GraphQLSchema; fragments: Fragments; variables: JsonObject };

const SHAPES_PER_OPERATION = 16;
const INTROSPECTION = new Set(['__schema', '__type']);

/** Makes the function that shapes the answers of one operation; it refuses an answer of more than `maxObjects` objects. */
export function compileShape(
  operation: OperationDefinitionNode,
  { schema, fragments, maxObjects }: { schema: GraphQLSchema; fragments: Fragments; maxObjects: number },
): Shape {
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}`);
  const names = switches(operation, fragments);
  const shapes = new Map<string, { count: Count; shape: Complete }>();
  const shapeFor = (variables: JsonObject) => {
    const valuation = names.map((name) => (variables[name] ? 1 : 0)).join('');
    let found = shapes.get(valuation);
    if (!found) {
      if (shapes.size >= SHAPES_PER_OPERATION) shapes.clear();
      const count: Count = { objects: 0, broken: new Set() };
      found = {
        count,
        shape: typeShape(root, [operation.selectionSet], { schema, fragments, variables }, spending(count, maxObjects)),
      };
      shapes.set(valuation, found);
    }
    return found;
  };
  return (data, variables) => {
    const { count, shape } = shapeFor(variables);
    count.objects = 0;
    if (count.broken.size) count.broken = new Set();
    const shaped = shape(data);
    return { data: isObject(shaped) ? shaped : null, broken: [...count.broken] };
  };
}

const spending = (count: Count, maxObjects: number): Spend => ({
  object() {
    count.objects += 1;
    if (count.objects > maxObjects) throw tooLarge('objects', maxObjects);
  },
  broken: (coordinate) => void count.broken.add(coordinate),
});

const typeShape = (
  type: GraphQLNamedOutputType,
  sets: readonly SelectionSetNode[],
  asking: Asking,
  spend: Spend,
): Complete => objectShape(fieldsOf(type, sets, asking, spend), spend);

function fieldsOf(
  type: GraphQLNamedOutputType,
  sets: readonly SelectionSetNode[],
  asking: Asking,
  spend: Spend,
): Field[] {
  return [...askedFields(type, sets, asking)].flatMap(([key, { name, below }]) => {
    const coordinate = `${type.name}.${name}`;
    // an abstract type has no name to show: the object is not one the client can know
    if (name === '__typename')
      return [{ key, complete: () => (isAbstractType(type) ? null : type.name), nonNull: true, coordinate }];
    if (INTROSPECTION.has(name)) return [{ key, complete: leaf, nonNull: false, coordinate }];
    const definition = 'getFields' in type && !('parseValue' in type) ? type.getFields()[name] : undefined;
    if (!definition || !('args' in definition)) return [];
    return [
      {
        key,
        complete: completer(definition.type, below, asking, spend),
        nonNull: isNonNullType(definition.type),
        coordinate,
      },
    ];
  });
}

function completer(type: GraphQLOutputType, sets: readonly SelectionSetNode[], asking: Asking, spend: Spend): Complete {
  if (isNonNullType(type)) return completer(type.ofType, sets, asking, spend);
  if (isListType(type)) return listShape(completer(type.ofType, sets, asking, spend), isNonNullType(type.ofType));
  if (isEnumType(type)) {
    const shown = new Set<unknown>(type.getValues().map(({ name }) => name));
    return (value) => (shown.has(value) ? value : null);
  }
  if (isLeafType(type)) return leaf;
  if (isObjectType(type)) return typeShape(type, sets, asking, spend);
  const byName = new Map<unknown, Complete>();
  return (value) => {
    if (!isObject(value)) return null;
    const name = value.__typename;
    let shape = byName.get(name);
    if (!shape) {
      const concrete = typeof name === 'string' ? asking.schema.getType(name) : undefined;
      shape = possibleShape(
        isObjectType(concrete) ? concrete : isInterfaceType(type) ? type : undefined,
        sets,
        asking,
        spend,
      );
      byName.set(name, shape);
    }
    return shape(value);
  };
}

const possibleShape = (
  type: GraphQLObjectType | GraphQLNamedOutputType | undefined,
  sets: readonly SelectionSetNode[],
  asking: Asking,
  spend: Spend,
): Complete => (type ? typeShape(type, sets, asking, spend) : () => null);

function listShape(complete: Complete, nonNull: boolean): Complete {
  return (value) => {
    if (!Array.isArray(value)) return null;
    const shaped: unknown[] = new Array(value.length);
    for (let index = 0; index < value.length; index++) {
      const found = complete(value[index]);
      if (nonNull && found === null) return null;
      shaped[index] = found;
    }
    return shaped;
  };
}
