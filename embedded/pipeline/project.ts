// Compiles projections.

import { compileExpression, fieldPath, letScope, type Scope } from '../expressions/expressions.ts';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { asNumber, type Doc, firstField, isDocument, isNumber, isTruthy, type Value } from '../values/bson.ts';
import type { Collation } from '../values/compare.ts';
import { sliceItems } from '../values/slice-items.ts';
import { addLeaf, applyTree, emptyTree, type Leaf, type Tree } from './project-tree.ts';

export type ProjectionOptions = { let?: Doc; collation?: Collation; now?: Date };

/**
 * Compiles the projection of a find: inclusion or exclusion, `$slice` and expressions. Throws Location31253 or Location31254 if inclusion and exclusion are mixed, and
 * Location31249 or Location31250 if paths collide.
 */
export function compileProjection(spec: Doc, options: ProjectionOptions = {}): (doc: Doc) => Doc {
  if (Object.keys(spec).length === 0) return (doc) => doc;
  const scope = letScope(options.let, { collation: options.collation, now: options.now ?? new Date() });
  return compileSpec(spec, scope, options);
}

/** Compiles a `$project` stage, which does not support the find operator `$slice`. */
export function compileProjectStage(spec: Value, scope: Scope): (doc: Doc) => Doc {
  if (!isDocument(spec)) throw storeError(15969, '$project specification must be an object');
  if (Object.keys(spec).length === 0) throw storeError(51272, 'projection specification must have at least one field');
  return compileSpec(spec, scope);
}

// The parsed part of a specification: the fields, whether it includes or excludes fields (if any), and the operators
// that determine the mode otherwise.
type ParsedSpec = {
  tree: Tree;
  including?: boolean;
  idIncluded?: boolean;
  slices: boolean;
};

// `find` is set for the projection of a find.
function compileSpec(spec: Doc, scope: Scope, find?: ProjectionOptions): (doc: Doc) => Doc {
  const parsed: ParsedSpec = { tree: emptyTree(), slices: false };
  parseFields(spec, [], parsed, scope, find);
  const { tree, slices, idIncluded } = parsed;
  const { including = idIncluded === true } = parsed;
  // Servers disagree whether this keeps the other fields.
  if (parsed.including === undefined && slices && idIncluded === true)
    throw notImplemented('a projection with only _id and $slice');
  if (idIncluded === false) addLeaf(tree, ['_id'], { kind: 'exclude' });
  else if (including && !tree.fields.has('_id')) addLeaf(tree, ['_id'], { kind: 'include' });
  return (doc) => applyTree(doc, tree, !including);
}

function parseFields(
  spec: Doc,
  prefix: readonly string[],
  parsed: ParsedSpec,
  scope: Scope,
  find?: ProjectionOptions,
): void {
  for (const [key, value] of Object.entries(spec)) {
    if (find && key.endsWith('.$')) throw notImplemented('a positional projection');
    const path = [...prefix, ...fieldPath(key)];
    if (isNumber(value) || typeof value === 'boolean') parseFlag(path, isTruthy(value), parsed);
    else if (isDocument(value) && !firstField(value)?.startsWith('$')) {
      if (Object.keys(value).length === 0)
        throw storeError(51270, `An empty sub-projection is not a valid value, as at path ${path.join('.')}`);
      parseFields(value, path, parsed, scope, find);
    } else addLeaf(parsed.tree, path, operatorLeaf(value, parsed, scope, find));
  }
}

function parseFlag(path: readonly string[], include: boolean, parsed: ParsedSpec): void {
  const name = path.join('.');
  if (name === '_id') {
    parsed.idIncluded = include;
    return;
  }
  if (parsed.including === !include) {
    throw include
      ? storeError(31253, `Cannot do inclusion on field ${name} in exclusion projection`)
      : storeError(31254, `Cannot do exclusion on field ${name} in inclusion projection`);
  }
  parsed.including = include;
  addLeaf(parsed.tree, path, { kind: include ? 'include' : 'exclude' });
}

function operatorLeaf(value: Value, parsed: ParsedSpec, scope: Scope, find?: ProjectionOptions): Leaf {
  const operator = isDocument(value) ? firstField(value) : undefined;
  if (find && operator === '$elemMatch') throw notImplemented('the projection $elemMatch');
  if (find && operator === '$slice') {
    parsed.slices = true;
    return sliceOf((value as Doc).$slice);
  }
  if (parsed.including === false)
    throw storeError(31252, 'Cannot use expression other than $meta in exclusion projection');
  parsed.including = true;
  return { kind: 'compute', evaluate: compileExpression(value, scope) };
}

// Compiles the `$slice` of a find. The expression of that name, whose first argument is an array, is not supported.
function sliceOf(argument: Value): Leaf {
  const limits = Array.isArray(argument) ? argument : [argument];
  const [first, second] = limits.map(asNumber);
  const isCount = (limit?: number) => limit === undefined || Number.isSafeInteger(limit);
  if (first === undefined && !Array.isArray(argument))
    throw storeError(28667, '$slice only supports numbers and [skip, limit] arrays');
  if (first === undefined || limits.length > 2 || (limits.length === 2 && second === undefined))
    throw notImplemented('the expression $slice');
  if (!isCount(first) || !isCount(second)) throw notImplemented('$slice with a number that is not an integer');
  if (second !== undefined && second <= 0) throw storeError(28724, 'the limit of $slice must be positive');
  return { kind: 'elements', select: (value) => (Array.isArray(value) ? sliceItems(value, first, second) : value) };
}
