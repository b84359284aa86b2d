import { type Doc, getField, isDocument, setField, typeName, type Value } from './bson.ts';
import { storeError } from './errors.ts';
import { fieldsOf } from './expression-arguments.ts';
import type { Compile, Form, Scope } from './expression-scope.ts';

/** The forms that reach a field by its exact name, which may hold dots and dollars. */
export const FIELD_FORMS: { [name: string]: Form } = {
  $getField: (argument, scope, compile) => {
    const long = isDocument(argument) && Object.hasOwn(argument, 'field');
    const { field, input } = long ? fieldsOf('$getField', argument, ['field', 'input'], ['field', 'input']) : { field: argument, input: '$$CURRENT' };
    const name = constantName('$getField', field, 5654602, scope, compile);
    const from = compile(input, scope);
    return (doc) => {
      const value = from(doc);
      return isDocument(value) ? getField(value, name) : value === null ? null : undefined;
    };
  },
  $setField: (argument, scope, compile) => {
    const { field, input, value } = fieldsOf('$setField', argument, ['field', 'input', 'value'], ['field', 'input', 'value']);
    return fieldChange('$setField', field, input, value, scope, compile);
  },
  $unsetField: (argument, scope, compile) => {
    const { field, input } = fieldsOf('$unsetField', argument, ['field', 'input'], ['field', 'input']);
    return fieldChange('$unsetField', field, input, '$$REMOVE', scope, compile);
  },
};

function fieldChange(operator: string, field: Value, input: Value, value: Value, scope: Scope, compile: Compile): (doc: Doc) => Value {
  const name = constantName(operator, field, 4161107, scope, compile);
  const [from, evaluate] = [compile(input, scope), compile(value, scope)];
  return (doc) => {
    const before = from(doc);
    if (before === null || before === undefined) return null;
    if (!isDocument(before)) throw storeError(4161105, `${operator} requires 'input' to evaluate to type Object, but got ${typeName(before)}`);
    const after = evaluate(doc);
    const changed: Doc = {};
    for (const key of Object.keys(before)) if (key !== name || after !== undefined) setField(changed, key, before[key]);
    if (after !== undefined) setField(changed, name, after);
    return changed;
  };
}

function constantName(operator: string, field: Value, code: number, scope: Scope, compile: Compile): string {
  const name = compile(field, scope)({});
  if (typeof name !== 'string') throw storeError(code, `${operator} requires 'field' to evaluate to a constant String, but got ${typeName(name)}`);
  return name;
}
