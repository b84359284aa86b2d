// Compiles Apollo's query plans to closures, so that running an operation does not interpret its plan.
import type { VariableDefinitions } from '@apollo/federation-internals';
import { evaluateCondition, type PlanNode, type SubscriptionNode } from '@apollo/query-planner';
import { compileFetch, type PlanContext } from './fetch.ts';
import { objectsAt } from './paths.ts';
import type { Step } from './run.ts';

const noop: Step = async () => undefined;

/** Creates the step that runs a plan node and its children. Throws for unsupported nodes. */
export function compilePlan(
  node: PlanNode | SubscriptionNode | undefined,
  context: PlanContext,
  variables: VariableDefinitions,
): Step {
  if (!node) return noop;
  switch (node.kind) {
    case 'Sequence':
      return inSequence(node.nodes.map((step) => compilePlan(step, context, variables)));
    case 'Parallel':
      return inParallel(node.nodes.map((step) => compilePlan(step, context, variables)));
    case 'Flatten': {
      const { path } = node;
      const child = compilePlan(node.node, context, variables);
      return (targets, run) => child(objectsAt(targets, path), run);
    }
    case 'Condition': {
      const then = compilePlan(node.ifClause, context, variables);
      const otherwise = compilePlan(node.elseClause, context, variables);
      return (targets, run) => (evaluateCondition(node, variables, run.variables) ? then : otherwise)(targets, run);
    }
    case 'Fetch':
      return compileFetch(node, context);
    default:
      throw new Error(`A plan with ${node.kind} is not supported`);
  }
}

function inSequence(steps: readonly Step[]): Step {
  return async (targets, run) => {
    for (const step of steps) await step(targets, run);
  };
}

function inParallel(steps: readonly Step[]): Step {
  return async (targets, run) => {
    await Promise.all(steps.map((step) => step(targets, run)));
  };
}
