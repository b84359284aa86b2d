import { asNumber, type Doc, firstField, getField, isDocument, isNumber, splitPath, typeName, type Value } from './bson.ts';
import type { Collation } from './compare.ts';
import { notImplemented, storeError } from './errors.ts';
import { compileExpression, fieldPath, isTruthy, letScope, type Scope } from './expressions.ts';
import { compileFilter } from './match.ts';
import { applyTree, emptyTree, type Leaf, plant, type Tree } from './project-tree.ts';

export type ProjectionOptions = { filter?: Doc; let?: Doc; collation?: Collation; now?: Date };

/**
 * Compiles the projection of a find: inclusion or exclusion, `$slice`, `$elemMatch`, positional `$` (for which it needs the `filter`) and expressions.
 * Mixing inclusion and exclusion is refused (31253, 31254), as are paths that collide (31249, 31250).
 */
export function compileProjection(spec: Doc, options: ProjectionOptions = {}): (doc: Doc) => Doc {
  if (Object.keys(spec).length === 0) return (doc) => doc;
  const scope = letScope(options.let, { collation: options.collation, now: options.now ?? new Date() });
  return new SpecReader(scope, options).read(spec);
}

/** Compiles the `$project` stage of a pipeline, which has no `$slice`, `$elemMatch` and `$` of its own. */
export function compileProjectStage(spec: Value, scope: Scope): (doc: Doc) => Doc {
  if (!isDocument(spec)) throw storeError(15969, '$project specification must be an object');
  if (Object.keys(spec).length === 0) throw storeError(51272, 'projection specification must have at least one field');
  return new SpecReader(scope).read(spec);
}

// Gathers a specification into a tree; `find` is present for the projection of a find.
class SpecReader {
  #tree: Tree = emptyTree();
  #including: boolean | undefined;
  #idIncluded: boolean | undefined;
  #findsElement = false;
  #slices = false;
  #positional = false;
  #scope: Scope;
  #find: ProjectionOptions | undefined;

  constructor(scope: Scope, find?: ProjectionOptions) {
    this.#scope = scope;
    this.#find = find;
  }

  read(spec: Doc): (doc: Doc) => Doc {
    this.#fields(spec, []);
    // With operators alone it is `$slice` that keeps the other fields, then an excluded id.
    const including = this.#including ?? (!this.#slices && this.#idIncluded !== false && (this.#idIncluded === true || this.#findsElement));
    const tree = this.#tree;
    if (this.#idIncluded === false) plant(tree, ['_id'], { kind: 'exclude' });
    else if (including && !tree.fields.has('_id')) plant(tree, ['_id'], { kind: 'include' });
    return (doc) => applyTree(doc, tree, !including, doc);
  }

  #fields(spec: Doc, prefix: readonly string[]): void {
    for (const [key, value] of Object.entries(spec)) {
      const positional = key.endsWith('.$');
      const path = [...prefix, ...(positional ? splitPath(key.slice(0, -2)) : fieldPath(key))];
      if (positional) this.#positionalField(path, value);
      else if (isNumber(value) || typeof value === 'boolean') this.#flag(path, value === true || (value !== false && asNumber(value) !== 0));
      else if (isDocument(value) && !firstField(value)?.startsWith('$')) {
        if (Object.keys(value).length === 0)
          throw storeError(51270, `An empty sub-projection is not a valid value. Found empty object at path ${path.join('.')}`);
        this.#fields(value, path);
      } else this.#operator(path, value);
    }
  }

  #flag(path: readonly string[], include: boolean): void {
    if (path.length === 1 && path[0] === '_id') {
      this.#idIncluded = include;
      return;
    }
    if (this.#including !== undefined && this.#including !== include) {
      const name = path.join('.');
      throw include
        ? storeError(31253, `Cannot do inclusion on field ${name} in exclusion projection`)
        : storeError(31254, `Cannot do exclusion on field ${name} in inclusion projection`);
    }
    this.#including = include;
    plant(this.#tree, path, { kind: include ? 'include' : 'exclude' });
  }

  #operator(path: readonly string[], value: Value): void {
    const leaf = this.#find && isDocument(value) ? this.#findOperator(path, value, this.#find) : undefined;
    if (leaf) {
      plant(this.#tree, path, leaf);
      return;
    }
    if (isDocument(value) && firstField(value) === '$meta') throw notImplemented('$meta');
    if (this.#including === false) throw storeError(31252, 'Cannot use expression other than $meta in exclusion projection');
    this.#including = true;
    plant(this.#tree, path, { kind: 'compute', evaluate: compileExpression(value, this.#scope) });
  }

  #findOperator(path: readonly string[], value: Doc, find: ProjectionOptions): Leaf | undefined {
    if (firstField(value) === '$slice') {
      const leaf = sliceOf(value.$slice);
      this.#slices ||= leaf !== undefined;
      return leaf;
    }
    if (firstField(value) !== '$elemMatch') return undefined;
    if (path.length > 1) throw storeError(31275, 'Cannot use $elemMatch projection on a nested field');
    if (!isDocument(value.$elemMatch)) throw storeError(31274, `elemMatch: Invalid argument, object required, but got ${typeName(value.$elemMatch)}`);
    this.#findsElement = true;
    const [field] = path;
    const { position } = compileFilter({ [field!]: { $elemMatch: value.$elemMatch } }, find);
    return {
      kind: 'compute',
      evaluate: (doc) => {
        const array = getField(doc, field!);
        const at = Array.isArray(array) ? position(doc) : undefined;
        return at === undefined ? undefined : [(array as Value[])[at]];
      },
    };
  }

  #positionalField(path: readonly string[], value: Value): void {
    const name = path.join('.');
    if (!this.#find) throw storeError(31324, 'Cannot use positional projection in aggregation projection');
    if (!isTruthy(value)) throw storeError(31395, 'positional projection cannot be used with exclusion');
    if (this.#positional) throw storeError(31276, 'Cannot specify more than one positional projection per query.');
    if (this.#including === false) throw storeError(31253, `Cannot do inclusion on field ${name}.$ in exclusion projection`);
    this.#positional = true;
    this.#including = true;
    const { position } = compileFilter(this.#find.filter ?? {}, this.#find);
    plant(this.#tree, path, {
      kind: 'cut',
      cut: (array, root) => {
        if (!Array.isArray(array)) return array;
        const at = position(root);
        if (at === undefined)
          throw storeError(
            51246,
            "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
          );
        if (at >= array.length)
          throw storeError(51247, "Executor error during find command :: caused by :: positional operator '.$' element mismatch");
        return [array[at]];
      },
    });
  }
}

// The `$slice` of a find, or undefined for the expression of that name (whose first argument is an array).
function sliceOf(argument: Value): Leaf | undefined {
  const limits = (Array.isArray(argument) ? argument : [argument]).map(asNumber);
  if (limits[0] === undefined) {
    if (Array.isArray(argument)) return undefined;
    throw storeError(
      28667,
      'Invalid $slice syntax. The given syntax did not match the find() syntax because :: Location31273 :: $slice only supports numbers and [skip, limit] arrays',
    );
  }
  const [first, second] = limits;
  if (limits.length === 1)
    return { kind: 'cut', cut: (value) => (Array.isArray(value) ? (first < 0 ? value.slice(first) : value.slice(0, first)) : value) };
  if (limits.length > 2 || second === undefined) return undefined;
  if (second <= 0) throw storeError(28724, 'First argument to $slice must be an array, but is of type: int');
  return {
    kind: 'cut',
    cut: (value) => {
      if (!Array.isArray(value)) return value;
      const start = first < 0 ? Math.max(0, value.length + first) : first;
      return value.slice(start, start + second);
    },
  };
}
