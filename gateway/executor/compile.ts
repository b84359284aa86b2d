// Compiles an operation: Apollo plans it; its plan and its response shape become closures.
import { operationFromDocument, type Schema as PlanSchema } from '@apollo/federation-internals';
import type { QueryPlanner } from '@apollo/query-planner';
import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { compileCoercion } from './coerce.ts';
import type { PlanContext } from './fetch.ts';
import { compileIntrospection, withoutIntrospection } from './introspection.ts';
import type { JsonObject } from './merge.ts';
import { compilePlan } from './plan.ts';
import type { Step } from './run.ts';
import { compileShape, type Shape } from './shape.ts';
import { compileTimeLimit } from './time-limit.ts';
import type { TimeLimit } from './with-time-limit.ts';

export type CompiledOperation = {
  name: string | undefined;
  timeLimit: (variables: JsonObject, defaultMilliseconds: number) => TimeLimit;
  /** Checks the variables and fills in defaults; throws the first error as `validation_failed`. */
  coerce(variables: JsonObject): JsonObject;
  introspect: ((variables: JsonObject) => Promise<JsonObject>) | undefined;
  run: Step;
  shape: Shape;
};

export type CompileContext = PlanContext & { planner: QueryPlanner; planSchema: PlanSchema; schema: GraphQLSchema };

/**
 * Plans and compiles one operation of a valid document (5 to 10 ms). Throws for subscriptions and the response name
 * `__proto__`.
 */
export function compileOperation(
  document: DocumentNode,
  operationName: string | undefined,
  context: CompileContext,
): CompiledOperation {
  const definition = requireOperation(document, operationName);
  const { schema, planSchema, planner } = context;
  const fragments = fragmentsOf(document);
  const introspect = compileIntrospection(definition, { schema, fragments });
  const planned = introspect ? withoutIntrospection(document) : document;
  const operation = operationFromDocument(planSchema, planned, { operationName });
  const plan = planner.buildQueryPlan(operation);
  return {
    name: definition.name?.value,
    timeLimit: compileTimeLimit(definition, schema),
    coerce: compileCoercion(definition, schema),
    introspect,
    run: compilePlan(plan.node, context, operation.variableDefinitions),
    shape: compileShape(definition, { schema, fragments, maxObjects: context.limits.objects }),
  };
}

/**
 * Returns the operation with this name, or the only operation. Throws `validation_failed` if there is none, for
 * subscriptions and for the response name `__proto__`.
 */
export function requireOperation(document: DocumentNode, name?: string): OperationDefinitionNode {
  rejectPrototypeKeys(document);
  const definition = selectOperation(document, name);
  if (definition.operation === 'subscription') throw validationError('Subscriptions are not supported.', definition);
  return definition;
}

function selectOperation(document: DocumentNode, name?: string): OperationDefinitionNode {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const found = name ? operations.find((operation) => operation.name?.value === name) : operations[0];
  if (!found)
    throw validationError(name ? `The document has no operation "${name}".` : 'The document has no operation.');
  if (!name && operations.length > 1)
    throw validationError('The document has several operations. Choose one with operationName.');
  return found;
}

function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

// `{ __proto__: document { name } }` would reach Object.prototype through a careless merge.
function rejectPrototypeKeys(document: DocumentNode): void {
  visit(document, {
    Field(field) {
      if ((field.alias ?? field.name).value === '__proto__')
        throw validationError('"__proto__" is not allowed as a response name.', field);
    },
  });
}

function validationError(message: string, nodes?: ASTNode): GraphQLError {
  return new GraphQLError(message, { nodes, extensions: { code: 'validation_failed' } });
}
