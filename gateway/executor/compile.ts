// An operation, made ready to run: planned by Apollo, its plan and its shape compiled to closures.
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
import type { Surroundings } from './fetch.ts';
import { compileIntrospection } from './introspection.ts';
import type { JsonObject } from './merge.ts';
import { compilePlan } from './plan.ts';
import type { Step } from './run.ts';
import { compileShape, type Shape } from './shape.ts';
import { compileTimeLimit } from './time-limit.ts';
import type { TimeLimit } from './within-time.ts';

export type CompiledOperation = {
  name: string | undefined;
  time: (variables: JsonObject, usualMilliseconds: number) => TimeLimit;
  /** Checks the variables and fills in defaults; throws the first fault as validation_failed. */
  coerce(variables: JsonObject): JsonObject;
  introspect: ((variables: JsonObject) => Promise<JsonObject>) | undefined;
  run: Step;
  shape: Shape;
};

export type Planning = Surroundings & { planner: QueryPlanner; planSchema: PlanSchema; schema: GraphQLSchema };

/** Plans and compiles one operation of a valid document (5 to 10 ms). Refuses subscriptions and the response name `__proto__`. */
export function compileOperation(
  document: DocumentNode,
  operationName: string | undefined,
  planning: Planning,
): CompiledOperation {
  refusePrototypeKeys(document);
  const definition = operationOf(document, operationName);
  if (definition.operation === 'subscription') throw invalid('Subscriptions are not served here.', definition);
  const { schema, planSchema, planner } = planning;
  const fragments = fragmentsOf(document);
  const operation = operationFromDocument(planSchema, document, { operationName });
  const plan = planner.buildQueryPlan(operation);
  return {
    name: definition.name?.value,
    time: compileTimeLimit(definition, schema),
    coerce: compileCoercion(definition, schema),
    introspect: compileIntrospection(definition, { schema, fragments }),
    run: compilePlan(plan.node, planning, operation.variableDefinitions),
    shape: compileShape(definition, { schema, fragments, maxObjects: planning.limits.objects }),
  };
}

/** The operation of a document that is meant: the named one, or the only one. */
export function operationOf(document: DocumentNode, name?: string): OperationDefinitionNode {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const found = name ? operations.find((operation) => operation.name?.value === name) : operations[0];
  if (!found) throw invalid(name ? `The document has no operation "${name}".` : 'The document has no operation.');
  if (!name && operations.length > 1) throw invalid('The document has several operations; say which by operationName.');
  return found;
}

function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

// `{ __proto__: document { name } }` would reach Object.prototype through every merge that is not careful
function refusePrototypeKeys(document: DocumentNode): void {
  visit(document, {
    Field(field) {
      if ((field.alias ?? field.name).value === '__proto__')
        throw invalid('"__proto__" cannot be a response name.', field);
    },
  });
}

function invalid(message: string, nodes?: ASTNode): GraphQLError {
  return new GraphQLError(message, { nodes, extensions: { code: 'validation_failed' } });
}
