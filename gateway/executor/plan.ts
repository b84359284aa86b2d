// Apollo's plan, made into closures once: nothing of the plan is looked at while an operation runs.
import type { VariableDefinitions } from '@apollo/federation-internals';
import { evaluateCondition, type PlanNode, type SubscriptionNode } from '@apollo/query-planner';
import { compileFetch, type Surroundings } from './fetch.ts';
import { objectsAt } from './places.ts';
import type { Step } from './run.ts';

const nothing: Step = async () => undefined;

/** Makes the step that runs a plan node and all below it. A node this executor does not know is refused when compiling, not when running. */
export function compilePlan(
  node: PlanNode | SubscriptionNode | undefined,
  surroundings: Surroundings,
  variables: VariableDefinitions,
): Step {
  if (!node) return nothing;
  switch (node.kind) {
    case 'Sequence':
      return inSequence(node.nodes.map((step) => compilePlan(step, surroundings, variables)));
    case 'Parallel':
      return inParallel(node.nodes.map((step) => compilePlan(step, surroundings, variables)));
    case 'Flatten': {
      const { path } = node;
      const below = compilePlan(node.node, surroundings, variables);
      return (targets, run) => below(objectsAt(targets, path), run);
    }
    case 'Condition': {
      const yes = compilePlan(node.ifClause, surroundings, variables);
      const no = compilePlan(node.elseClause, surroundings, variables);
      return (targets, run) => (evaluateCondition(node, variables, run.variables) ? yes : no)(targets, run);
    }
    case 'Fetch':
      return compileFetch(node, surroundings);
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
