// Compiles projections.

import { compileExpression, fieldPath, isTruthy, letScope, type Scope } from '../expressions/expressions.ts';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { compileFilter } from '../query/match.ts';
import {
  asNumber,
  type Doc,
  firstField,
  getField,
  isDocument,
  isNumber,
  splitPath,
  typeName,
  type Value,
} from '../values/bson.ts';
import type { Collation } from '../values/compare.ts';
import { sliceItems } from '../values/slice-items.ts';
import { addLeaf, applyTree, emptyTree, type Leaf, type Tree } from './project-tree.ts';

export type ProjectionOptions = { filter?: Doc; let?: Doc; collation?: Collation; now?: Date };

/**
 * Compiles the projection of a find: inclusion or exclusion, `$slice`, `$elemMatch`, positional `$` (which uses
 * `filter`) and expressions. Throws Location31253 or Location31254 if inclusion and exclusion are mixed, and
 * Location31249 or Location31250 if paths collide.
 */
export function compileProjection(spec: Doc, options: ProjectionOptions = {}): (doc: Doc) => Doc {
  if (Object.keys(spec).length === 0) return (doc) => doc;
  const scope = letScope(options.let, { collation: options.collation, now: options.now ?? new Date() });
  return compileSpec(spec, scope, options);
}

/** Compiles a `$project` stage, which does not support the find operators `$slice`, `$elemMatch` and `$`. */
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
  findsElement: boolean;
  positional: boolean;
};

// `find` is set for the projection of a find.
function compileSpec(spec: Doc, scope: Scope, find?: ProjectionOptions): (doc: Doc) => Doc {
  const parsed: ParsedSpec = { tree: emptyTree(), slices: false, findsElement: false, positional: false };
  parseFields(spec, [], parsed, scope, find);
  const { tree, slices, findsElement, idIncluded } = parsed;
  // Without other fields, `$elemMatch` excludes the others, and `$slice` keeps them. Servers disagree on combinations.
  const { including = idIncluded === true || findsElement } = parsed;
  const isUnclear = slices ? findsElement || idIncluded === true : findsElement && idIncluded === false;
  if (parsed.including === undefined && isUnclear)
    throw notImplemented('a projection that combines $slice or $elemMatch only with each other or with _id');
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
    const positional = key.endsWith('.$');
    const path = [...prefix, ...(positional ? splitPath(key.slice(0, -2)) : fieldPath(key))];
    if (positional) addLeaf(parsed.tree, path, positionalLeaf(path.join('.'), value, parsed, find));
    else if (isNumber(value) || typeof value === 'boolean') parseFlag(path, isTruthy(value), parsed);
    else if (isDocument(value) && !firstField(value)?.startsWith('$')) {
      if (Object.keys(value).length === 0)
        throw storeError(51270, `An empty sub-projection is not a valid value, as at path ${path.join('.')}`);
      parseFields(value, path, parsed, scope, find);
    } else addLeaf(parsed.tree, path, operatorLeaf(path, value, parsed, scope, find));
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

function operatorLeaf(
  path: readonly string[],
  value: Value,
  parsed: ParsedSpec,
  scope: Scope,
  find?: ProjectionOptions,
): Leaf {
  const operator = isDocument(value) ? firstField(value) : undefined;
  if (find && operator === '$elemMatch') {
    parsed.findsElement = true;
    return elementLeaf(path, (value as Doc).$elemMatch, find);
  }
  if (find && operator === '$slice') {
    parsed.slices = true;
    return sliceOf((value as Doc).$slice);
  }
  if (operator === '$meta') throw notImplemented('$meta');
  if (parsed.including === false)
    throw storeError(31252, 'Cannot use expression other than $meta in exclusion projection');
  parsed.including = true;
  return { kind: 'compute', evaluate: compileExpression(value, scope) };
}

function elementLeaf(path: readonly string[], condition: Value, find: ProjectionOptions): Leaf {
  const [field, ...rest] = path as [string, ...string[]];
  if (rest.length > 0) throw storeError(31275, 'Cannot use $elemMatch projection on a nested field');
  if (!isDocument(condition))
    throw storeError(31274, `elemMatch: Invalid argument, object required, but got ${typeName(condition)}`);
  const { position } = compileFilter({ [field]: { $elemMatch: condition } }, find);
  return {
    kind: 'compute',
    evaluate: (doc) => {
      const array = getField(doc, field);
      const at = Array.isArray(array) ? position(doc) : undefined;
      return at === undefined ? undefined : [(array as Value[])[at]];
    },
  };
}

function positionalLeaf(name: string, value: Value, parsed: ParsedSpec, find?: ProjectionOptions): Leaf {
  if (!find) throw storeError(31324, 'Cannot use positional projection in aggregation projection');
  if (!isTruthy(value)) throw storeError(31395, 'positional projection cannot be used with exclusion');
  if (parsed.positional) throw storeError(31276, 'Cannot specify more than one positional projection per query.');
  if (parsed.including === false)
    throw storeError(31253, `Cannot do inclusion on field ${name}.$ in exclusion projection`);
  parsed.positional = true;
  parsed.including = true;
  const { position } = compileFilter(find.filter ?? {}, find);
  return {
    kind: 'elements',
    select: (array, root) => {
      if (!Array.isArray(array)) return array;
      const at = position(root);
      if (at === undefined)
        throw storeError(51246, "positional operator '.$' couldn't find a matching element in the array");
      if (at >= array.length) throw storeError(51247, "positional operator '.$' element mismatch");
      return [array[at]];
    },
  };
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
