// Compiles aggregation expressions.

import { notImplemented, storeError } from '../protocol/errors.ts';
import { type Doc, getField, isDocument, isTruthy, setField, type Value } from '../values/bson.ts';
import type { Collation } from '../values/compare.ts';
import { OPERATORS } from './expression-operators.ts';
import {
  dollarName,
  type Evaluate,
  fieldPath,
  isNullish,
  type Scope,
  valueAt,
  withVariables,
} from './expression-scope.ts';
import { namedArguments } from './named-arguments.ts';

export { dollarName, type Evaluate, fieldPath, type Scope } from './expression-scope.ts';

/**
 * Compiles an aggregation expression, before any document is read. Throws NotImplemented (238) for an unsupported
 * operator and MongoDB's other codes for invalid arguments.
 */
export function compileExpression(expression: Value, scope: Scope): Evaluate {
  if (typeof expression === 'string')
    return expression.startsWith('$') ? compilePath(expression, scope) : () => expression;
  if (Array.isArray(expression)) {
    const items = compileAll(expression, scope);
    return (doc) => items.map((item) => item(doc) ?? null);
  }
  if (!isDocument(expression)) return () => expression;
  const [first, ...others] = Object.keys(expression);
  if (!first?.startsWith('$')) return compileObject(expression, scope);
  if (others.length > 0)
    throw storeError(15983, `an expression must contain only its operator; ${first} is followed by ${others.join()}`);
  return compileOperator(first, expression[first], scope);
}

/** Creates the scope of a command: its `let` variables, evaluated once, and its time. */
export function letScope(variables: Doc | undefined, { collation, now }: { collation?: Collation; now: Date }): Scope {
  const outer: Scope = { variables: new Map(), now, collation };
  if (!variables) return outer;
  const [scope, bind] = boundVariables(variables, outer);
  bind({});
  return scope;
}

/**
 * Returns a scope with additional variables that are bound to expressions, and a function that evaluates them for a
 * document.
 */
export function boundVariables(bound: Doc, scope: Scope): [Scope, (doc: Doc) => void] {
  const [inner, cells] = withVariables(scope, Object.keys(bound));
  const expressions = compileAll(Object.values(bound), scope);
  const bind = (doc: Doc) => {
    const values = expressions.map((evaluate) => evaluate(doc));
    for (const [at, cell] of cells.entries()) cell.value = values[at];
  };
  return [inner, bind];
}

const compileAll = (expressions: Value[], scope: Scope): Evaluate[] =>
  expressions.map((expression) => compileExpression(expression, scope));

function compilePath(text: string, scope: Scope): Evaluate {
  if (text === '$') throw storeError(16872, `'$' by itself is not a valid FieldPath`);
  if (!text.startsWith('$$')) {
    const path = fieldPath(text.slice(1));
    const [only] = path;
    return path.length === 1 ? (doc) => getField(doc, only!) : (doc) => valueAt(doc, path);
  }
  const [name = '', ...rest] = text.slice(2).split('.');
  const path = rest.length > 0 ? fieldPath(rest.join('.')) : [];
  if (name === 'ROOT' || name === 'CURRENT') return (doc) => valueAt(doc, path);
  if (name === 'REMOVE') return () => undefined;
  if (name === 'NOW') return () => valueAt(scope.now, path);
  const cell = scope.variables.get(name);
  if (cell) return path.length === 0 ? () => cell.value : () => valueAt(cell.value, path);
  throw /^[A-Z]/.test(name) ? notImplemented(`$$${name}`) : storeError(17276, `Use of undefined variable: ${name}`);
}

function compileObject(expression: Doc, scope: Scope): Evaluate {
  const fields = Object.keys(expression).map((name) => {
    if (name.startsWith('$')) throw dollarName();
    if (name.includes('.'))
      throw storeError(16412, `FieldPath field names may not contain '.'. Consider using $getField or $setField.`);
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

function compileOperator(name: string, argument: Value, scope: Scope): Evaluate {
  if (Object.hasOwn(LAZY_OPERATORS, name)) return LAZY_OPERATORS[name]!(argument, scope);
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!operator) throw notImplemented(`the expression ${name}`);
  if ('fold' in operator) {
    const operands = compileAll(listOf(argument), scope);
    return (doc) => operator.fold(evaluateEach(operands, doc), scope);
  }
  const { min, max, compute } = operator;
  const operands = compileAll(operandsOf(name, argument, min, max), scope);
  const [first, second] = operands;
  if (operands.length === 1) return (doc) => compute([first!(doc)], scope);
  if (operands.length === 2) return (doc) => compute([first!(doc), second!(doc)], scope);
  return (doc) => compute([...evaluateEach(operands, doc)], scope);
}

function* evaluateEach(operands: Evaluate[], doc: Doc): Iterable<Value> {
  for (const operand of operands) yield operand(doc);
}

const listOf = (argument: Value): Value[] => (Array.isArray(argument) ? argument : [argument]);

function operandsOf(name: string, argument: Value, min: number, max: number): Value[] {
  const operands = listOf(argument);
  if (operands.length >= min && operands.length <= max) return operands;
  throw storeError(
    min === max ? 16020 : 28667,
    `Expression ${name} takes ${min} to ${max} arguments. ${operands.length} were passed in.`,
  );
}

// The operators that evaluate their arguments conditionally.
const LAZY_OPERATORS: { [name: string]: (argument: Value, scope: Scope) => Evaluate } = {
  $literal: (argument) => () => argument,
  $and: (argument, scope) => {
    const operands = compileAll(listOf(argument), scope);
    return (doc) => operands.every((operand) => isTruthy(operand(doc)));
  },
  $or: (argument, scope) => {
    const operands = compileAll(listOf(argument), scope);
    return (doc) => operands.some((operand) => isTruthy(operand(doc)));
  },
  $cond: (argument, scope) => {
    const options = isDocument(argument) ? namedArguments('$cond', argument) : undefined;
    const parts = options ? [options.if, options.then, options.else] : operandsOf('$cond', argument, 3, 3);
    const [condition, whenTrue, whenFalse] = compileAll(parts, scope) as [Evaluate, Evaluate, Evaluate];
    return (doc) => (isTruthy(condition(doc)) ? whenTrue(doc) : whenFalse(doc));
  },
  $ifNull: (argument, scope) => {
    if (listOf(argument).length < 2)
      throw storeError(1257300, `$ifNull needs at least two arguments, had: ${listOf(argument).length}`);
    const operands = compileAll(listOf(argument), scope);
    return (doc) => {
      let value: Value;
      for (const operand of operands) {
        value = operand(doc);
        if (!isNullish(value)) return value;
      }
      return value;
    };
  },
};
