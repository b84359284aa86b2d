import { Int32 } from 'bson';
import { notImplemented, storeError } from '../protocol/errors.ts';
import { UNSUPPORTED_EXPRESSIONS } from '../protocol/supported-features.ts';
import { type Doc, getField, isDocument, setField, typeName, type Value } from '../values/bson.ts';
import { type Collation, compare } from '../values/compare.ts';
import { ARRAY_OPERATORS } from './expression-arrays.ts';
import { CONVERSIONS } from './expression-conversions.ts';
import { NUMBER_OPERATORS } from './expression-numbers.ts';
import {
  dollarName,
  type Evaluate,
  fieldPath,
  int32Of,
  isNullish,
  isTruthy,
  type Operator,
  type Operators,
  type Scope,
  takes,
  valueAt,
  withVariables,
} from './expression-scope.ts';
import { STRING_OPERATORS } from './expression-strings.ts';
import { namedArguments } from './named-arguments.ts';

export { dollarName, type Evaluate, fieldPath, isTruthy, type Scope } from './expression-scope.ts';

/** Compiles an aggregation expression; throws for operators that do not exist (168) and for bad arguments, as a server does before it reads a document. */
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
    throw storeError(
      15983,
      `an expression must have exactly one field, its operator; beside ${first} stands ${others.join()}`,
    );
  return compileOperator(first, expression[first], scope);
}

/** The scope of a command: its `let` variables, evaluated once, and its time. */
export function letScope(variables: Doc | undefined, { collation, now }: { collation?: Collation; now: Date }): Scope {
  const outer: Scope = { variables: new Map(), now, collation };
  if (!variables) return outer;
  const [scope, fill] = boundVariables(variables, outer);
  fill({});
  return scope;
}

/** The scope with the variables that a `$let` or its like binds to expressions, and what evaluates these for a document. */
export function boundVariables(bound: Doc, scope: Scope): [Scope, (doc: Doc) => void] {
  const [inner, cells] = withVariables(scope, Object.keys(bound));
  const expressions = compileAll(Object.values(bound), scope);
  const fill = (doc: Doc) => {
    const values = expressions.map((evaluate) => evaluate(doc));
    for (const [at, cell] of cells.entries()) cell.value = values[at];
  };
  return [inner, fill];
}

const compileAll = (expressions: Value[], scope: Scope): Evaluate[] =>
  expressions.map((one) => compileExpression(one, scope));

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
  if (Object.hasOwn(FORMS, name)) return FORMS[name]!(argument, scope);
  if (UNSUPPORTED_EXPRESSIONS.has(name)) throw notImplemented(`the expression ${name}`);
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!operator) throw storeError(168, `Unrecognized expression '${name}'`);
  if ('defaults' in operator) {
    const given = namedArguments(name, argument);
    const evaluations = Object.keys(given).map((field) => ({
      field,
      evaluate: compileExpression(given[field], scope),
    }));
    return (doc) => {
      const values = { ...operator.defaults };
      for (const { field, evaluate } of evaluations) values[field] = evaluate(doc);
      return operator.compute(values, scope);
    };
  }
  if ('fold' in operator) {
    const operands = compileAll(listOf(argument), scope);
    return (doc) => operator.fold(evaluated(operands, doc), scope);
  }
  const { least, most, compute } = operator;
  const operands = compileAll(operandsOf(name, argument, least, most), scope);
  const [first, second] = operands;
  if (operands.length === 1) return (doc) => compute([first!(doc)], scope);
  if (operands.length === 2) return (doc) => compute([first!(doc), second!(doc)], scope);
  return (doc) => compute([...evaluated(operands, doc)], scope);
}

function* evaluated(operands: Evaluate[], doc: Doc): Iterable<Value> {
  for (const operand of operands) yield operand(doc);
}

const listOf = (argument: Value): Value[] => (Array.isArray(argument) ? argument : [argument]);

function operandsOf(name: string, argument: Value, least: number, most: number): Value[] {
  const operands = listOf(argument);
  if (operands.length >= least && operands.length <= most) return operands;
  throw storeError(
    least === most ? 16020 : 28667,
    `Expression ${name} takes ${least} to ${most} arguments. ${operands.length} were passed in.`,
  );
}

const comparison = (answer: (order: number) => Value): Operator =>
  takes(2, 2, ([a, b], { collation }) => answer(compare(a, b, collation)));

// The operators that evaluate all their arguments.
const OPERATORS: Operators = {
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $cmp: comparison((order) => new Int32(Math.sign(order))),
  $not: takes(1, 1, ([value]) => !isTruthy(value)),
  ...NUMBER_OPERATORS,
  ...STRING_OPERATORS,
  ...ARRAY_OPERATORS,
  ...CONVERSIONS,
};

// The forms, which evaluate only what they need, or with variables of their own.
const FORMS: { [name: string]: (argument: Value, scope: Scope) => Evaluate } = {
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
    const given = isDocument(argument) ? namedArguments('$cond', argument) : undefined;
    const parts = given ? [given.if, given.then, given.else] : operandsOf('$cond', argument, 3, 3);
    const [condition, yes, no] = compileAll(parts, scope) as [Evaluate, Evaluate, Evaluate];
    return (doc) => (isTruthy(condition(doc)) ? yes(doc) : no(doc));
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
    const given = namedArguments('$switch', argument);
    if (!Array.isArray(given.branches))
      throw storeError(40061, `$switch expected an array for 'branches', found: ${typeName(given.branches)}`);
    if (given.branches.length === 0) throw storeError(40068, '$switch requires at least one branch.');
    const branches = given.branches.map((branch: Value) => {
      const { case: test, then } = namedArguments('a branch of $switch', branch);
      return { test: compileExpression(test, scope), answer: compileExpression(then, scope) };
    });
    const otherwise = Object.hasOwn(given, 'default') ? compileExpression(given.default, scope) : undefined;
    return (doc) => {
      const answer = branches.find(({ test }) => isTruthy(test(doc)))?.answer ?? otherwise;
      if (!answer)
        throw storeError(40066, '$switch could not find a matching branch for an input, and no default was specified.');
      return answer(doc);
    };
  },
  $let: (argument, scope) => {
    const given = namedArguments('$let', argument);
    if (!isDocument(given.vars)) throw storeError(10065, 'invalid parameter: expected an object (vars)');
    const [inner, fill] = boundVariables(given.vars, scope);
    const body = compileExpression(given.in, inner);
    return (doc) => {
      fill(doc);
      return body(doc);
    };
  },
  $map: (argument, scope) => {
    const { input, as, in: body } = namedArguments('$map', argument);
    const { items, each } = loop('$map', 16883, input, [as], body, scope);
    return (doc) => items(doc)?.map((item) => each(doc, item) ?? null) ?? null;
  },
  $filter: (argument, scope) => {
    const { input, as, cond, limit } = namedArguments('$filter', argument);
    const { items, each } = loop('$filter', 28651, input, [as], cond, scope);
    const most = compileExpression(limit ?? null, scope);
    return (doc) => {
      const found = items(doc);
      if (!found) return null;
      const room = filterLimit(most(doc));
      const kept: Value[] = [];
      for (const item of found) if (kept.length < room && isTruthy(each(doc, item))) kept.push(item);
      return kept;
    };
  },
  $reduce: (argument, scope) => {
    const { input, initialValue, in: body } = namedArguments('$reduce', argument);
    const initial = compileExpression(initialValue, scope);
    const { items, each } = loop('$reduce', 40080, input, ['this', 'value'], body, scope);
    return (doc) => items(doc)?.reduce((reduced, item) => each(doc, item, reduced), initial(doc)) ?? null;
  },
  $getField: (argument, scope) => {
    const long = isDocument(argument) && Object.hasOwn(argument, 'field');
    const { field, input } = long ? namedArguments('$getField', argument) : { field: argument, input: '$$CURRENT' };
    const name = constantName('$getField', field, 5654602, scope);
    const from = compileExpression(input, scope);
    return (doc) => {
      const value = from(doc);
      return isDocument(value) ? getField(value, name) : value === null ? null : undefined;
    };
  },
  $setField: (argument, scope) => fieldChange('$setField', namedArguments('$setField', argument), scope),
  $unsetField: (argument, scope) =>
    fieldChange('$unsetField', { ...namedArguments('$unsetField', argument), value: '$$REMOVE' }, scope),
};

// The items of an array, and the body for each of them: it sees the item, and of a reduction what was made so far, in its variables.
function loop(
  operator: string,
  code: number,
  input: Value,
  [as = 'this', ...more]: Value[],
  body: Value,
  scope: Scope,
) {
  if (typeof as !== 'string') throw storeError(14, `${operator}: 'as' must be a string`);
  const [inner, [cell, total]] = withVariables(scope, [as, ...more] as string[]);
  const [values, evaluate] = [compileExpression(input, scope), compileExpression(body, inner)];
  return {
    items: (doc: Doc): Value[] | undefined => {
      const value = values(doc);
      if (isNullish(value)) return undefined;
      if (!Array.isArray(value)) throw storeError(code, `input to ${operator} must be an array not ${typeName(value)}`);
      return value;
    },
    each: (doc: Doc, item: Value, reduced?: Value): Value => {
      cell!.value = item;
      if (total) total.value = reduced;
      return evaluate(doc);
    },
  };
}

function filterLimit(value: Value): number {
  if (isNullish(value)) return Infinity;
  const limit = int32Of(value, 327391, '$filter: limit must be represented as a 32-bit integral value');
  if (limit < 1) throw storeError(327392, `$filter: limit must be greater than 0: ${limit}`);
  return limit;
}

// A field by its exact name, which may hold dots and dollars.
function fieldChange(operator: string, { field, input, value }: Doc, scope: Scope): Evaluate {
  const name = constantName(operator, field, 4161107, scope);
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

function constantName(operator: string, field: Value, code: number, scope: Scope): string {
  const name = compileExpression(field, scope)({});
  if (typeof name !== 'string')
    throw storeError(code, `${operator} requires 'field' to evaluate to a constant String, but got ${typeName(name)}`);
  return name;
}
