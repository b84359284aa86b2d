// Shapes the merged responses of subgraphs as the client selected them: its keys in its order, without the planner's
// own keys, with null propagation and without hidden enum values. Types and selections are analyzed once, when a shape
// is compiled.
import {
  type GraphQLNamedOutputType,
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
import { limitExceeded } from './limits.ts';
import { isObjectOrList, type JsonObject } from './merge.ts';
import {
  type CompleteValue,
  compileObjectShape,
  completeLeaf,
  type Field,
  type ShapeListener,
} from './object-shape.ts';
import { collectFields, conditionVariables, type Fragments } from './selection.ts';

/** The shaped response, and each non-null field (`Type.field`) whose value was null. */
export type ShapedResponse = { data: JsonObject | null; nullViolations: readonly string[] };

export type Shape = (data: JsonObject, variables: JsonObject) => ShapedResponse;

type ShapeCount = { objects: number; nullViolations: Set<string> };
type ShapeContext = { schema: GraphQLSchema; fragments: Fragments; variables: JsonObject };

const SHAPES_PER_OPERATION = 16;
const INTROSPECTION = new Set(['__schema', '__type']);

/** Creates the function that shapes the responses of one operation. It throws above `maxObjects` objects. */
export function compileShape(
  operation: OperationDefinitionNode,
  { schema, fragments, maxObjects }: { schema: GraphQLSchema; fragments: Fragments; maxObjects: number },
): Shape {
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no ${operation.operation}`);
  const names = conditionVariables(operation, fragments);
  const shapes = new Map<string, { count: ShapeCount; shape: CompleteValue }>();
  const shapeFor = (variables: JsonObject) => {
    const key = names.map((name) => (variables[name] ? 1 : 0)).join('');
    let found = shapes.get(key);
    if (!found) {
      if (shapes.size >= SHAPES_PER_OPERATION) shapes.clear();
      const count: ShapeCount = { objects: 0, nullViolations: new Set() };
      const context = { schema, fragments, variables };
      found = {
        count,
        shape: compileTypeShape(root, [operation.selectionSet], context, createCounter(count, maxObjects)),
      };
      shapes.set(key, found);
    }
    return found;
  };
  return (data, variables) => {
    const { count, shape } = shapeFor(variables);
    count.objects = 0;
    if (count.nullViolations.size) count.nullViolations = new Set();
    const shaped = shape(data);
    return { data: isObjectOrList(shaped) ? shaped : null, nullViolations: [...count.nullViolations] };
  };
}

const createCounter = (count: ShapeCount, maxObjects: number): ShapeListener => ({
  countObject() {
    count.objects += 1;
    if (count.objects > maxObjects) throw limitExceeded('objects', maxObjects);
  },
  reportNull: (coordinate) => void count.nullViolations.add(coordinate),
});

const compileTypeShape = (
  type: GraphQLNamedOutputType,
  sets: readonly SelectionSetNode[],
  context: ShapeContext,
  listener: ShapeListener,
): CompleteValue => compileObjectShape(shapeFields(type, sets, context, listener), listener);

function shapeFields(
  type: GraphQLNamedOutputType,
  sets: readonly SelectionSetNode[],
  context: ShapeContext,
  listener: ShapeListener,
): Field[] {
  return [...collectFields(type, sets, context)].flatMap(([key, { name, below }]) => {
    const coordinate = `${type.name}.${name}`;
    // The client cannot know an object whose concrete type is hidden: it has no type name, so it becomes null.
    if (name === '__typename')
      return [{ key, complete: () => (isAbstractType(type) ? null : type.name), nonNull: true, coordinate }];
    if (INTROSPECTION.has(name)) return [{ key, complete: completeLeaf, nonNull: false, coordinate }];
    const definition = 'getFields' in type && !('parseValue' in type) ? type.getFields()[name] : undefined;
    if (!definition || !('args' in definition)) return [];
    return [
      {
        key,
        complete: compileValue(definition.type, below, context, listener),
        nonNull: isNonNullType(definition.type),
        coordinate,
      },
    ];
  });
}

function compileValue(
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
  context: ShapeContext,
  listener: ShapeListener,
): CompleteValue {
  if (isNonNullType(type)) return compileValue(type.ofType, sets, context, listener);
  if (isListType(type))
    return compileList(compileValue(type.ofType, sets, context, listener), isNonNullType(type.ofType));
  if (isEnumType(type)) {
    const visible = new Set<unknown>(type.getValues().map(({ name }) => name));
    return (value) => (visible.has(value) ? value : null);
  }
  if (isLeafType(type)) return completeLeaf;
  if (isObjectType(type)) return compileTypeShape(type, sets, context, listener);
  const byName = new Map<unknown, CompleteValue>();
  return (value) => {
    if (!isObjectOrList(value)) return null;
    const name = value.__typename;
    let shape = byName.get(name);
    if (!shape) {
      // An object of a hidden type is null: the schema of the client does not contain the type.
      const shaped = typeof name === 'string' ? context.schema.getType(name) : type;
      const isVisible = isObjectType(shaped) || isInterfaceType(shaped);
      shape = isVisible ? compileTypeShape(shaped, sets, context, listener) : () => null;
      byName.set(name, shape);
    }
    return shape(value);
  };
}

function compileList(complete: CompleteValue, nonNull: boolean): CompleteValue {
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
