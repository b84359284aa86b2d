// Applies the planner's rewrites: it renames fields whose types differ between fragments, and sets the type names of
// interface objects.
import type { FetchDataRewrite } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import { matchesType } from './matches-type.ts';
import { isObjectOrList, type JsonObject } from './merge.ts';

const FRAGMENT_PREFIX = '... on ';

type Rewrite = (value: unknown) => void;

/** Creates a function that applies all rewrites of a fetch, in order, to a representation or a response. */
export function compileRewrites(
  rewrites: readonly FetchDataRewrite[] | undefined,
  schema: GraphQLSchema,
): Rewrite | undefined {
  if (!rewrites?.length) return undefined;
  const changes = rewrites.map((rewrite) => compileRewrite(rewrite, schema));
  return (value) => {
    for (const change of changes) change(value);
  };
}

function compileRewrite(rewrite: FetchDataRewrite, schema: GraphQLSchema): Rewrite {
  const last = rewrite.path.at(-1);
  if (last === undefined || last.startsWith(FRAGMENT_PREFIX))
    throw new Error(`A rewrite must end at a field, not at ${last ?? 'an empty path'}`);
  const steps = rewrite.path.slice(0, -1);
  return steps.reduceRight<Rewrite>(
    (below, step) => compileStep(step, below, schema),
    forEachObject(compileFieldChange(rewrite, last)),
  );
}

function compileFieldChange(rewrite: FetchDataRewrite, field: string): (object: JsonObject) => void {
  if (rewrite.kind === 'ValueSetter') {
    return (object) => {
      object[field] = rewrite.setValueTo;
    };
  }
  return (object) => {
    if (object[field] === undefined) return;
    object[rewrite.renameKeyTo] = object[field];
    object[field] = undefined;
  };
}

function compileStep(step: string, below: Rewrite, schema: GraphQLSchema): Rewrite {
  if (!step.startsWith(FRAGMENT_PREFIX)) return forEachObject((object) => below(object[step]));
  const condition = step.slice(FRAGMENT_PREFIX.length);
  return forEachObject((object) => {
    const typeName = object.__typename;
    if (!typeName || matchesType(schema, typeName, condition)) below(object);
  });
}

function forEachObject(act: (object: JsonObject) => void): Rewrite {
  return function visit(value) {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isObjectOrList(value)) act(value);
  };
}
