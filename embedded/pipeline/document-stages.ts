// Compiles the stages that transform one document at a time.

import { compileExpression, fieldPath, type Scope } from '../expressions/expressions.ts';
import { namedArguments } from '../expressions/named-arguments.ts';
import { storeError } from '../protocol/errors.ts';
import { type Doc, firstField, isDocument, typeName, type Value } from '../values/bson.ts';
import { formatValue } from '../values/format-value.ts';
import { compileProjectStage } from './project.ts';
import { addLeaf, applyTree, emptyTree, type Tree } from './project-tree.ts';

/**
 * Compiles `$project`, `$set`, `$addFields`, `$unset`, `$replaceRoot` or `$replaceWith`. Returns undefined for any
 * other stage.
 */
export function compileDocumentStage(stage: Doc, scope: Scope): ((doc: Doc) => Doc) | undefined {
  const name = firstField(stage);
  const argument = name === undefined ? undefined : stage[name];
  switch (name) {
    case '$project':
      return compileProjectStage(argument, scope);
    case '$set':
    case '$addFields':
      return compileAddFields(name, argument, scope);
    case '$unset':
      return compileUnset(argument);
    case '$replaceWith':
      return compileReplacement(argument, scope);
    case '$replaceRoot':
      return compileReplacement(namedArguments('$replaceRoot', argument).newRoot, scope);
    default:
      return undefined;
  }
}

function compileAddFields(name: string, spec: Value, scope: Scope): (doc: Doc) => Doc {
  if (!isDocument(spec))
    throw storeError(40272, `${name} specification stage must be an object, got ${typeName(spec)}`);
  if (Object.keys(spec).length === 0)
    throw storeError(40177, `Invalid ${name} :: caused by :: specification must have at least one field`);
  const tree = emptyTree();
  addComputedFields(tree, spec, [], scope);
  return (doc) => applyTree(doc, tree, true);
}

// A nested document contains further fields to set; it is not a value.
function addComputedFields(tree: Tree, spec: Doc, prefix: readonly string[], scope: Scope): void {
  for (const [key, value] of Object.entries(spec)) {
    const path = [...prefix, ...fieldPath(key)];
    if (isDocument(value) && !firstField(value)?.startsWith('$')) {
      if (Object.keys(value).length === 0)
        throw storeError(40180, `an empty object is not a valid value. Found empty object at path ${path.join('.')}`);
      addComputedFields(tree, value, path, scope);
    } else addLeaf(tree, path, { kind: 'compute', evaluate: compileExpression(value, scope) });
  }
}

function compileUnset(argument: Value): (doc: Doc) => Doc {
  const paths = Array.isArray(argument) ? argument : [argument];
  if (paths.length === 0)
    throw storeError(31119, '$unset specification must be a string or an array with at least one field');
  const tree = emptyTree();
  for (const path of paths) {
    if (typeof path !== 'string')
      throw storeError(
        Array.isArray(argument) ? 31120 : 31002,
        '$unset specification must be a string or an array containing only string values',
      );
    addLeaf(tree, fieldPath(path), { kind: 'exclude' });
  }
  return (doc) => applyTree(doc, tree, true);
}

function compileReplacement(expression: Value, scope: Scope): (doc: Doc) => Doc {
  const evaluate = compileExpression(expression, scope);
  return (doc) => {
    const value = evaluate(doc);
    if (isDocument(value)) return value;
    throw storeError(
      40228,
      `'newRoot' expression must evaluate to an object, but got ${formatValue(value)} of type ${typeName(value)}. Input document: ${formatValue(doc)}`,
    );
  };
}
