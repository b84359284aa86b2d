// The planner renames fields whose types differ between fragments, and sets type names for interface objects; this undoes and does it.
import type { FetchDataRewrite } from '@apollo/query-planner';
import type { GraphQLSchema } from 'graphql';
import { isObject, type JsonObject } from './merge.ts';
import { fits } from './type-test.ts';

const FRAGMENT = '... on ';

type Change = (value: unknown) => void;

/** Makes one function that does all rewrites of a fetch, in their order, on a representation or an answer. */
export function compileRewrites(
  rewrites: readonly FetchDataRewrite[] | undefined,
  schema: GraphQLSchema,
): Change | undefined {
  if (!rewrites?.length) return undefined;
  const changes = rewrites.map((rewrite) => compileRewrite(rewrite, schema));
  return (value) => {
    for (const change of changes) change(value);
  };
}

function compileRewrite(rewrite: FetchDataRewrite, schema: GraphQLSchema): Change {
  const last = rewrite.path.at(-1);
  if (last === undefined || last.startsWith(FRAGMENT))
    throw new Error(`A rewrite must end at a field, not at ${last ?? 'nothing'}`);
  const steps = rewrite.path.slice(0, -1);
  return steps.reduceRight<Change>((below, step) => descend(step, below, schema), atEach(change(rewrite, last)));
}

function change(rewrite: FetchDataRewrite, field: string): (object: JsonObject) => void {
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

function descend(step: string, below: Change, schema: GraphQLSchema): Change {
  if (!step.startsWith(FRAGMENT)) return atEach((object) => below(object[step]));
  const condition = step.slice(FRAGMENT.length);
  return atEach((object) => {
    const typeName = object.__typename;
    if (!typeName || fits(schema, typeName, condition)) below(object);
  });
}

function atEach(act: (object: JsonObject) => void): Change {
  return function visit(value) {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isObject(value)) act(value);
  };
}
