// The tree of fields that a projection includes, excludes or computes.

import type { Evaluate } from '../expressions/expressions.ts';
import { storeError } from '../protocol/errors.ts';
import { type Doc, getField, isDocument, setField, type Value } from '../values/bson.ts';

/** The operation on one field: include it, exclude it, select elements of its array, or compute it. */
export type Leaf =
  | { kind: 'include' }
  | { kind: 'exclude' }
  | { kind: 'elements'; select(value: Value): Value }
  | { kind: 'compute'; evaluate: Evaluate };
export type Tree = { kind: 'tree'; fields: Map<string, Leaf | Tree>; computes: boolean };

export function emptyTree(): Tree {
  return { kind: 'tree', fields: new Map(), computes: false };
}

/** Adds a leaf at a path. Throws Location31249 or Location31250 if the path, or the start of it, already has a leaf. */
export function addLeaf(tree: Tree, path: readonly string[], leaf: Leaf): void {
  let at = tree;
  for (const [depth, segment] of path.entries()) {
    if (leaf.kind === 'compute') at.computes = true;
    const known = at.fields.get(segment);
    if (depth === path.length - 1) {
      if (known) throw storeError(31250, `Path collision at ${path.join('.')}`);
      at.fields.set(segment, leaf);
    } else if (known?.kind === 'tree') at = known;
    else {
      if (known)
        throw storeError(
          31249,
          `Path collision at ${path.join('.')} remaining portion ${path.slice(depth + 1).join('.')}`,
        );
      const inner = emptyTree();
      at.fields.set(segment, inner);
      at = inner;
    }
  }
}

/**
 * Applies a tree to a document. `keepOthers` determines whether fields that are not in the tree are kept. Expressions are
 * evaluated on the whole document.
 */
export function applyTree(doc: Doc, tree: Tree, keepOthers: boolean): Doc {
  const selected = select(doc, tree, keepOthers, doc);
  return tree.computes ? compute(selected, tree, doc) : selected;
}

// The most frequent cases come first, because this runs for every field of every document.
function select(doc: Doc, tree: Tree, keepOthers: boolean, root: Doc): Doc {
  const out: Doc = {};
  for (const key of Object.keys(doc)) {
    const node = tree.fields.get(key);
    const value = doc[key];
    // A computed field replaces the existing field in place; if there is none, it is added at the end.
    if (!node || node.kind === 'compute') {
      if (keepOthers) setField(out, key, value);
    } else if (node.kind === 'include') setField(out, key, value);
    else if (node.kind === 'elements') setField(out, key, node.select(value));
    else if (node.kind === 'tree') {
      const inner = selectValue(value, node, keepOthers, root);
      if (inner !== undefined) setField(out, key, inner);
    }
  }
  return out;
}

// Descends into arrays, including nested ones. A scalar remains only if `keepOthers` is true.
function selectValue(value: Value, tree: Tree, keepOthers: boolean, root: Doc): Value {
  if (isDocument(value)) return select(value, tree, keepOthers, root);
  if (!Array.isArray(value)) return keepOthers ? value : undefined;
  const selected = value.map((item: Value) => selectValue(item, tree, keepOthers, root));
  return tree.computes ? selected : selected.filter((item) => item !== undefined);
}

function compute(doc: Doc, tree: Tree, root: Doc): Doc {
  const out = doc;
  for (const [key, node] of tree.fields) {
    if (node.kind !== 'compute' && !(node.kind === 'tree' && node.computes)) continue;
    const value = node.kind === 'compute' ? node.evaluate(root) : computeValue(getField(doc, key), node, root);
    if (value === undefined) delete out[key];
    else setField(out, key, value);
  }
  return out;
}

function computeValue(value: Value, tree: Tree, root: Doc): Value {
  if (Array.isArray(value)) return value.map((item: Value) => computeValue(item, tree, root));
  return compute(isDocument(value) ? { ...value } : {}, tree, root);
}
