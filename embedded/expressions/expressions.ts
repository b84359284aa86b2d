// Compiles aggregation expressions.

import { Int32 } from 'bson';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { UNSUPPORTED_EXPRESSIONS } from '../protocol/supported-features.ts';
import { type Doc, getField, isDocument, setField, typeName, type Value } from '../values/bson.ts';
import { type Collation, compare } from '../values/compare.ts';
import { ARRAY_OPERATORS } from './expression-arrays.ts';
import { CONVERSIONS } from './expression-conversions.ts';
import { NUMBER_OPERATORS } from './expression-numbers.ts';
import {
  defineOperator,
  dollarName,
  type Evaluate,
  fieldPath,
  isNullish,
  isTruthy,
  type Operator,
  type Operators,
  requireInt32,
  type Scope,
  valueAt,
  withVariables,
} from './expression-scope.ts';
import { STRING_OPERATORS } from './expression-strings.ts';
import { namedArguments } from './named-arguments.ts';

export { dollarName, type Evaluate, fieldPath, isTruthy, type Scope } from './expression-scope.ts';

/**
 * Compiles an aggregation expression, before any document is read. Throws InvalidPipelineOperator (168) for an unknown
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
  if (UNSUPPORTED_EXPRESSIONS.has(name)) throw notImplemented(`the expression ${name}`);
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!operator) throw storeError(168, `Unrecognized expression '${name}'`);
  if ('defaults' in operator) {
    const options = namedArguments(name, argument);
    const evaluations = Object.keys(options).map((field) => ({
      field,
      evaluate: compileExpression(options[field], scope),
    }));
    return (doc) => {
      const values = { ...operator.defaults };
      for (const { field, evaluate } of evaluations) values[field] = evaluate(doc);
      return operator.compute(values, scope);
    };
  }
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

const comparisonOperator = (resultOf: (order: number) => Value): Operator =>
  defineOperator(2, 2, ([a, b], { collation }) => resultOf(compare(a, b, collation)));

// The operators that always evaluate all their arguments.
const OPERATORS: Operators = {
  $eq: comparisonOperator((order) => order === 0),
  $ne: comparisonOperator((order) => order !== 0),
  $gt: comparisonOperator((order) => order > 0),
  $gte: comparisonOperator((order) => order >= 0),
  $lt: comparisonOperator((order) => order < 0),
  $lte: comparisonOperator((order) => order <= 0),
  $cmp: comparisonOperator((order) => new Int32(Math.sign(order))),
  $not: defineOperator(1, 1, ([value]) => !isTruthy(value)),
  ...NUMBER_OPERATORS,
  ...STRING_OPERATORS,
  ...ARRAY_OPERATORS,
  ...CONVERSIONS,
};

// The operators that evaluate their arguments conditionally or with their own variables.
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
  $switch: (argument, scope) => {
    const options = namedArguments('$switch', argument);
    if (!Array.isArray(options.branches))
      throw storeError(40061, `$switch expected an array for 'branches', found: ${typeName(options.branches)}`);
    if (options.branches.length === 0) throw storeError(40068, '$switch requires at least one branch.');
    const branches = options.branches.map((branch: Value) => {
      const { case: test, then } = namedArguments('a branch of $switch', branch);
      return { test: compileExpression(test, scope), result: compileExpression(then, scope) };
    });
    const fallback = Object.hasOwn(options, 'default') ? compileExpression(options.default, scope) : undefined;
    return (doc) => {
      const result = branches.find(({ test }) => isTruthy(test(doc)))?.result ?? fallback;
      if (!result)
        throw storeError(40066, '$switch could not find a matching branch for an input, and no default was specified.');
      return result(doc);
    };
  },
  $let: (argument, scope) => {
    const options = namedArguments('$let', argument);
    if (!isDocument(options.vars)) throw storeError(10065, 'invalid parameter: expected an object (vars)');
    const [inner, bind] = boundVariables(options.vars, scope);
    const body = compileExpression(options.in, inner);
    return (doc) => {
      bind(doc);
      return body(doc);
    };
  },
  $map: (argument, scope) => {
    const { input, as, in: body } = namedArguments('$map', argument);
    const { items, each } = compileLoop('$map', 16883, input, [as], body, scope);
    return (doc) => items(doc)?.map((item) => each(doc, item) ?? null) ?? null;
  },
  $filter: (argument, scope) => {
    const { input, as, cond, limit } = namedArguments('$filter', argument);
    const { items, each } = compileLoop('$filter', 28651, input, [as], cond, scope);
    const limitOf = compileExpression(limit ?? null, scope);
    return (doc) => {
      const source = items(doc);
      if (!source) return null;
      const maxItems = filterLimit(limitOf(doc));
      const selected: Value[] = [];
      for (const item of source) if (selected.length < maxItems && isTruthy(each(doc, item))) selected.push(item);
      return selected;
    };
  },
  $reduce: (argument, scope) => {
    const { input, initialValue, in: body } = namedArguments('$reduce', argument);
    const initial = compileExpression(initialValue, scope);
    const { items, each } = compileLoop('$reduce', 40080, input, ['this', 'value'], body, scope);
    return (doc) => items(doc)?.reduce((reduced, item) => each(doc, item, reduced), initial(doc)) ?? null;
  },
  $getField: (argument, scope) => {
    const hasOptions = isDocument(argument) && Object.hasOwn(argument, 'field');
    const { field, input } = hasOptions
      ? namedArguments('$getField', argument)
      : { field: argument, input: '$$CURRENT' };
    const name = evaluateConstantName('$getField', field, 5654602, scope);
    const from = compileExpression(input, scope);
    return (doc) => {
      const value = from(doc);
      return isDocument(value) ? getField(value, name) : value === null ? null : undefined;
    };
  },
  $setField: (argument, scope) => compileFieldChange('$setField', namedArguments('$setField', argument), scope),
  $unsetField: (argument, scope) =>
    compileFieldChange('$unsetField', { ...namedArguments('$unsetField', argument), value: '$$REMOVE' }, scope),
};

// Compiles a loop over an array: `items` evaluates the array, `each` the body for one item (and, for $reduce, the value
// so far).
function compileLoop(
  operator: string,
  code: number,
  input: Value,
  [as = 'this', ...more]: Value[],
  body: Value,
  scope: Scope,
) {
  if (typeof as !== 'string') throw storeError(14, `${operator}: 'as' must be a string`);
  const [inner, [itemCell, totalCell]] = withVariables(scope, [as, ...more] as string[]);
  const [values, evaluate] = [compileExpression(input, scope), compileExpression(body, inner)];
  return {
    items: (doc: Doc): Value[] | undefined => {
      const value = values(doc);
      if (isNullish(value)) return undefined;
      if (!Array.isArray(value)) throw storeError(code, `input to ${operator} must be an array not ${typeName(value)}`);
      return value;
    },
    each: (doc: Doc, item: Value, reduced?: Value): Value => {
      itemCell!.value = item;
      if (totalCell) totalCell.value = reduced;
      return evaluate(doc);
    },
  };
}

function filterLimit(value: Value): number {
  if (isNullish(value)) return Infinity;
  const limit = requireInt32(value, 327391, '$filter: limit must be represented as a 32-bit integral value');
  if (limit < 1) throw storeError(327392, `$filter: limit must be greater than 0: ${limit}`);
  return limit;
}

// Sets a field by its exact name, which may contain dots and dollar signs.
function compileFieldChange(operator: string, { field, input, value }: Doc, scope: Scope): Evaluate {
  const name = evaluateConstantName(operator, field, 4161107, scope);
  const [from, evaluate] = [compileExpression(input, scope), compileExpression(value, scope)];
  return (doc) => {
    const before = from(doc);
    if (isNullish(before)) return null;
    if (!isDocument(before))
      throw storeError(4161105, `${operator} requires 'input' to evaluate to type Object, but got ${typeName(before)}`);
    const after = evaluate(doc);
    const changed: Doc = { ...before };
    if (after === undefined) delete changed[name];
    else setField(changed, name, after);
    return changed;
  };
}

function evaluateConstantName(operator: string, field: Value, code: number, scope: Scope): string {
  const name = compileExpression(field, scope)({});
  if (typeof name !== 'string')
    throw storeError(code, `${operator} requires 'field' to evaluate to a constant String, but got ${typeName(name)}`);
  return name;
}
