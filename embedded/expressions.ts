import { type Doc, getField, isDocument, setField, type Value } from './bson.ts';
import type { Collation } from './compare.ts';
import { storeError } from './errors.ts';
import { compileOperatorExpression } from './expression-forms.ts';
import { type Cell, checkVariableName, type Evaluate, fieldPath, type Scope, valueAt } from './expression-scope.ts';

export { type Cell, checkVariableName, type Evaluate, fieldPath, isTruthy, type Scope, valueAt, withVariable } from './expression-scope.ts';

/** Compiles an aggregation expression; throws for operators that do not exist (168) and for bad arguments, as a server does before it reads a document. */
export function compileExpression(expression: Value, scope: Scope): Evaluate {
  if (typeof expression === 'string') return expression.startsWith('$') ? compilePath(expression, scope) : () => expression;
  if (Array.isArray(expression)) {
    const items = expression.map((item: Value) => compileExpression(item, scope));
    return (doc) => items.map((item) => item(doc) ?? null);
  }
  if (!isDocument(expression)) return () => expression;
  const keys = Object.keys(expression);
  if (keys[0]?.startsWith('$')) {
    if (keys.length > 1) {
      throw storeError(
        15983,
        `an expression specification must contain exactly one field, the name of the expression. Found ${keys.length} fields in ${JSON.stringify(expression)}`,
      );
    }
    return compileOperatorExpression(keys[0], expression[keys[0]], scope, compileExpression);
  }
  return compileObject(expression, scope);
}

/** The scope of a command: its `let` variables, evaluated once, and its time. */
export function letScope(variables: Doc | undefined, { collation, now }: { collation?: Collation; now: Date }): Scope {
  const outer: Scope = { variables: new Map(), now, collation };
  if (!variables) return outer;
  const cells = new Map<string, Cell>();
  for (const [name, expression] of Object.entries(variables)) {
    checkVariableName(name);
    cells.set(name, { value: compileExpression(expression, outer)({}) });
  }
  return { ...outer, variables: cells };
}

function compilePath(text: string, scope: Scope): Evaluate {
  if (!text.startsWith('$$')) {
    const path = fieldPath(checkedStart(text.slice(1), text));
    const [only] = path;
    return path.length === 1 ? (doc) => getField(doc, only!) : (doc) => valueAt(doc, path);
  }
  const [name, ...rest] = text.slice(2).split('.');
  const path = rest.length > 0 ? fieldPath(rest.join('.')) : [];
  if (name === 'ROOT' || name === 'CURRENT') return (doc) => valueAt(doc, path);
  if (name === 'REMOVE') return () => undefined;
  if (name === 'NOW') return () => (path.length > 0 ? undefined : scope.now);
  const cell = scope.variables.get(name!);
  if (!cell) {
    if (/^[A-Z]/.test(name!)) throw storeError(238, `embedded store: $$${name} is not implemented; set MONGODB_URL to use a MongoDB server`);
    throw storeError(17276, `Use of undefined variable: ${name}`);
  }
  return path.length === 0 ? () => cell.value : () => valueAt(cell.value, path);
}

function checkedStart(path: string, text: string): string {
  if (path === '') throw storeError(16872, `'${text}' by itself is not a valid FieldPath`);
  return path;
}

function compileObject(expression: Doc, scope: Scope): Evaluate {
  const fields = Object.keys(expression).map((name) => {
    if (name.startsWith('$')) throw storeError(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
    if (name.includes('.')) throw storeError(16412, `FieldPath field names may not contain '.'. Consider using $getField or $setField.`);
    return { name, evaluate: compileExpression(expression[name], scope) };
  });
  return (doc) => {
    const out: Doc = {};
    for (const { name, evaluate } of fields) {
      const value = evaluate(doc);
      if (value !== undefined) setField(out, name, value);
    }
    return out;
  };
}
