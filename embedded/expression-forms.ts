import { asNumber, type Doc, isDocument, typeName, type Value } from './bson.ts';
import { notImplemented, storeError } from './errors.ts';
import { fieldsOf, list, operandsOf } from './expression-arguments.ts';
import { FIELD_FORMS } from './expression-fields.ts';
import { OPERATORS } from './expression-operators.ts';
import {
  type Cell,
  type Compile,
  checkVariableName,
  type Evaluate,
  type Form,
  isTruthy,
  type Operator,
  type Scope,
  withVariable,
} from './expression-scope.ts';
import { REFUSED_EXPRESSIONS } from './promise.ts';

/** Compiles `{$operator: argument}`: the forms that do not evaluate all their arguments, and the table of those that do. */
export function compileOperatorExpression(name: string, argument: Value, scope: Scope, compile: Compile): Evaluate {
  if (Object.hasOwn(FORMS, name)) return FORMS[name]!(argument, scope, compile);
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (REFUSED_EXPRESSIONS.has(name)) throw notImplemented(`the expression ${name}`);
  if (!operator) throw storeError(168, `Unrecognized expression '${name}'`);
  const context = { ...scope, present: [] };
  if ('fold' in operator) {
    const operands = list(argument).map((operand) => compile(operand, scope));
    return (doc) => operator.fold(lazily(operands, doc), context);
  }
  if ('fields' in operator) return namedArguments(name, operator, argument, scope, compile);
  const { compute } = operator;
  const operands = operandsOf(name, argument, operator.least, operator.most).map((operand) => compile(operand, scope));
  const [first, second] = operands;
  if (operands.length === 1) return (doc) => compute([first!(doc)], context);
  if (operands.length === 2) return (doc) => compute([first!(doc), second!(doc)], context);
  return (doc) =>
    compute(
      operands.map((operand) => operand(doc)),
      context,
    );
}

function* lazily(operands: Evaluate[], doc: Doc): Iterable<Value> {
  for (const operand of operands) yield operand(doc);
}

function namedArguments(name: string, operator: Extract<Operator, { fields: unknown }>, argument: Value, scope: Scope, compile: Compile): Evaluate {
  const given = fieldsOf(name, argument, operator.fields, operator.required);
  const present = operator.fields.map((field) => Object.hasOwn(given, field));
  const evaluations = operator.fields.map((field) => (Object.hasOwn(given, field) ? compile(given[field], scope) : () => undefined));
  return (doc) =>
    operator.compute(
      evaluations.map((evaluate) => evaluate(doc)),
      { ...scope, present },
    );
}

const FORMS: { [name: string]: Form } = {
  $literal: (argument) => () => argument,
  $and: (argument, scope, compile) => {
    const operands = list(argument).map((operand) => compile(operand, scope));
    return (doc) => operands.every((operand) => isTruthy(operand(doc)));
  },
  $or: (argument, scope, compile) => {
    const operands = list(argument).map((operand) => compile(operand, scope));
    return (doc) => operands.some((operand) => isTruthy(operand(doc)));
  },
  $cond: conditional,
  $ifNull: (argument, scope, compile) => {
    if (list(argument).length < 2) throw storeError(1257300, `$ifNull needs at least two arguments, had: ${list(argument).length}`);
    const operands = list(argument).map((operand) => compile(operand, scope));
    return (doc) => {
      let value: Value;
      for (const operand of operands) {
        value = operand(doc);
        if (value !== undefined && value !== null) return value;
      }
      return value;
    };
  },
  $switch: cases,
  $let: bindings,
  $map: (argument, scope, compile) => {
    const { input, as, ...fields } = fieldsOf('$map', argument, ['input', 'as', 'in'], ['input', 'in']);
    const { items, each, cell } = loop('$map', 16883, input, as, fields.in, scope, compile);
    return (doc) =>
      items(doc)?.map((item) => {
        cell.value = item;
        return each(doc) ?? null;
      }) ?? null;
  },
  $filter: (argument, scope, compile) => {
    const { input, as, cond, limit } = fieldsOf('$filter', argument, ['input', 'as', 'cond', 'limit'], ['input', 'cond']);
    const { items, each, cell } = loop('$filter', 28651, input, as, cond, scope, compile);
    const most = limit === undefined ? undefined : compile(limit, scope);
    return (doc) => {
      const kept: Value[] = [];
      const found = items(doc);
      if (!found) return null;
      const room = filterLimit(most?.(doc));
      for (const item of found) {
        cell.value = item;
        if (kept.length < room && isTruthy(each(doc))) kept.push(item);
      }
      return kept;
    };
  },
  $reduce: (argument, scope, compile) => {
    const fields = fieldsOf('$reduce', argument, ['input', 'initialValue', 'in'], ['input', 'initialValue', 'in']);
    const initial = compile(fields.initialValue, scope);
    const [withTotal, total] = withVariable(scope, 'value');
    const { items, each, cell } = loop('$reduce', 40080, fields.input, 'this', fields.in, withTotal, compile, scope);
    return (doc) => {
      const found = items(doc);
      if (!found) return null;
      let reduced = initial(doc);
      for (const item of found) {
        cell.value = item;
        total.value = reduced;
        reduced = each(doc);
      }
      return reduced ?? null;
    };
  },
  ...FIELD_FORMS,
};

function conditional(argument: Value, scope: Scope, compile: Compile): Evaluate {
  const parts = isDocument(argument)
    ? ((given) => [given.if, given.then, given.else])(fieldsOf('$cond', argument, ['if', 'then', 'else'], ['if', 'then', 'else']))
    : operandsOf('$cond', argument, 3, 3);
  const [condition, yes, no] = parts.map((part) => compile(part, scope)) as [Evaluate, Evaluate, Evaluate];
  return (doc) => (isTruthy(condition(doc)) ? yes(doc) : no(doc));
}

function cases(argument: Value, scope: Scope, compile: Compile): Evaluate {
  const given = fieldsOf('$switch', argument, ['branches', 'default'], []);
  if (!Array.isArray(given.branches)) throw storeError(40061, `$switch expected an array for 'branches', found: ${typeName(given.branches)}`);
  if (given.branches.length === 0) throw storeError(40068, '$switch requires at least one branch.');
  const branches = given.branches.map((branch: Value) => {
    const fields = fieldsOf('$switch', branch, ['case', 'then'], ['case', 'then']);
    return { test: compile(fields.case, scope), answer: compile(fields.then, scope) };
  });
  const otherwise = Object.hasOwn(given, 'default') ? compile(given.default, scope) : undefined;
  return (doc) => {
    const branch = branches.find(({ test }) => isTruthy(test(doc)));
    if (branch) return branch.answer(doc);
    if (!otherwise) throw storeError(40066, '$switch could not find a matching branch for an input, and no default was specified.');
    return otherwise(doc);
  };
}

function bindings(argument: Value, scope: Scope, compile: Compile): Evaluate {
  const given = fieldsOf('$let', argument, ['vars', 'in'], ['vars', 'in']);
  if (!isDocument(given.vars)) throw storeError(10065, `invalid parameter: expected an object (vars)`);
  let inner = scope;
  const variables: { evaluate: Evaluate; cell: Cell }[] = [];
  for (const [name, expression] of Object.entries(given.vars)) {
    checkVariableName(name);
    const [wider, cell] = withVariable(inner, name);
    inner = wider;
    variables.push({ evaluate: compile(expression, scope), cell });
  }
  const body = compile(given.in, inner);
  return (doc) => {
    const values = variables.map(({ evaluate }) => evaluate(doc));
    for (const [at, { cell }] of variables.entries()) cell.value = values[at];
    return body(doc);
  };
}

type Loop = { items: (doc: Doc) => Value[] | undefined; each: Evaluate; cell: Cell };

function loop(operator: string, code: number, input: Value, as: Value, body: Value, scope: Scope, compile: Compile, outer = scope): Loop {
  const name = as === undefined ? 'this' : as;
  if (typeof name !== 'string') throw storeError(14, `${operator}: 'as' must be a string`);
  checkVariableName(name);
  const [inner, cell] = withVariable(scope, name);
  const values = compile(input, outer);
  const items = (doc: Doc) => {
    const value = values(doc);
    if (value === null || value === undefined) return undefined;
    if (!Array.isArray(value)) throw storeError(code, `input to ${operator} must be an array not ${typeName(value)}`);
    return value as Value[];
  };
  return { items, each: compile(body, inner), cell };
}

function filterLimit(value: Value): number {
  if (value === undefined || value === null) return Infinity;
  const limit = asNumber(value);
  if (limit === undefined || !Number.isInteger(limit) || Math.abs(limit) > 0x7fffffff)
    throw storeError(327391, '$filter: limit must be represented as a 32-bit integral value');
  if (limit < 1) throw storeError(327392, `$filter: limit must be greater than 0: ${limit}`);
  return limit;
}
