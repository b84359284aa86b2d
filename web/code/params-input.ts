// Converts between the parameters of a generator and the input of its form.
import { isObject } from '../shell/is-object.ts';
import type { Field, NumberField, TextField } from './params-form.ts';

/** The input of a field: entered text, the index of a choice, a group or a list. Empty text means not set. */
export type FormInput = string | boolean | GroupInput | ListInput;
/** `included` is false for an optional group that is not set. */
export type GroupInput = { included: boolean; values: Readonly<Record<string, FormInput>> };
export type ListInput = { included: boolean; items: readonly FormInput[] };
/** `pointer` is a JSON pointer into the parameters. */
export type FieldError = { pointer: string; message: string };

/** Returns the input for parameters; uses the defaults of missing ones. */
export function inputFrom(fields: readonly Field[], params: unknown): GroupInput {
  const values = isObject(params) ? params : {};
  const entries = fields.map((field) => [
    field.name,
    inputOf(field, Object.hasOwn(values, field.name) ? values[field.name] : field.defaultValue),
  ]);
  return { included: true, values: Object.fromEntries(entries) };
}

function inputOf(field: Field, value: unknown): FormInput {
  switch (field.kind) {
    case 'number':
    case 'text':
      return value === undefined ? '' : String(value);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      return field.required ? false : '';
    case 'choice': {
      const index = field.choices.findIndex((choice) => isEqual(choice.value, value));
      return index < 0 ? '' : String(index);
    }
    case 'group':
      return {
        ...inputFrom(field.fields, value),
        included:
          value !== undefined || field.required || field.fields.some(({ defaultValue }) => defaultValue !== undefined),
      };
    case 'list':
      return {
        included: Array.isArray(value) || field.required,
        items: Array.isArray(value) ? value.map((item) => inputOf(field.item, item)) : emptyItems(field),
      };
    case 'json':
      return value === undefined ? '' : JSON.stringify(value, null, 2);
  }
}

const emptyItems = ({ item, minItems }: Extract<Field, { kind: 'list' }>): FormInput[] =>
  Array.from({ length: minItems }, () => inputOf(item, item.defaultValue));

/** Returns the input of a new list item, empty or with its default. */
export const newItem = ({ item }: Extract<Field, { kind: 'list' }>): FormInput => inputOf(item, item.defaultValue);

/** Returns the parameters for an input, and the errors found. */
export function parseInput(
  fields: readonly Field[],
  input: GroupInput,
): { params: Record<string, unknown>; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const params = readGroup(fields, input, '', (pointer, message) => errors.push({ pointer, message }));
  return { params, errors };
}

type ReportError = (pointer: string, message: string) => void;

function readGroup(
  fields: readonly Field[],
  { values }: GroupInput,
  parentPointer: string,
  report: ReportError,
): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const field of fields) {
    const pointer = pointerTo(parentPointer, field.name);
    const value = readField(field, values[field.name] ?? '', pointer, report);
    if (value !== undefined) entries.push([field.name, value]);
    else if (field.required && field.defaultValue === undefined && field.kind !== 'json')
      report(pointer, 'is required');
  }
  return Object.fromEntries(entries); // safe for a parameter named __proto__
}

function readField(field: Field, input: FormInput, pointer: string, report: ReportError): unknown {
  if (field.kind === 'group')
    return isGroup(input) && input.included ? readGroup(field.fields, input, pointer, report) : undefined;
  if (field.kind === 'list') return readList(field, input, pointer, report);
  if (field.kind === 'boolean') return typeof input === 'boolean' ? input : undefined;
  // empty text means not set, except for a required text field that can be empty
  if (
    typeof input !== 'string' ||
    (input.trim() === '' && !(field.kind === 'text' && input === '' && field.required && field.minLength === null))
  )
    return undefined;
  if (field.kind === 'choice') return field.choices[Number(input)]?.value;
  if (field.kind === 'number') return readNumber(field, input, pointer, report);
  if (field.kind === 'text') return readText(field, input, pointer, report);
  try {
    return JSON.parse(input);
  } catch {
    report(pointer, 'is not valid JSON');
    return undefined;
  }
}

function readList(
  field: Extract<Field, { kind: 'list' }>,
  input: FormInput,
  pointer: string,
  report: ReportError,
): unknown[] | undefined {
  if (!isList(input) || !input.included) return undefined;
  if (input.items.length < field.minItems) report(pointer, `must have at least ${field.minItems} items`);
  if (field.maxItems !== null && input.items.length > field.maxItems)
    report(pointer, `must have at most ${field.maxItems} items`);
  return input.items.map((item, index) => {
    const value = readField(field.item, item, pointerTo(pointer, String(index)), report);
    if (value === undefined) report(pointerTo(pointer, String(index)), 'is required');
    return value;
  });
}

function readNumber(
  { integer, limits, step, unit }: NumberField,
  text: string,
  pointer: string,
  report: ReportError,
): number | undefined {
  const value = Number(text);
  const reportLimit = (condition: string, limit: number) =>
    report(pointer, `must be ${condition} ${limit}${unit ? ` ${unit}` : ''}`);
  if (!Number.isFinite(value)) report(pointer, 'must be a number');
  else if (integer && !Number.isInteger(value)) report(pointer, 'must be a whole number');
  else if (limits.min !== null && value < limits.min) reportLimit('at least', limits.min);
  else if (limits.max !== null && value > limits.max) reportLimit('at most', limits.max);
  else if (limits.exclusiveMin !== null && value <= limits.exclusiveMin) reportLimit('more than', limits.exclusiveMin);
  else if (limits.exclusiveMax !== null && value >= limits.exclusiveMax) reportLimit('less than', limits.exclusiveMax);
  else if (step !== null && !integer && Math.abs(value / step - Math.round(value / step)) > 1e-9)
    reportLimit('a multiple of', step);
  else return value;
  return undefined;
}

function readText({ minLength, maxLength }: TextField, text: string, pointer: string, report: ReportError): string {
  const length = [...text].length;
  if (minLength !== null && length < minLength) report(pointer, `must have at least ${minLength} characters`);
  if (maxLength !== null && length > maxLength) report(pointer, `must have at most ${maxLength} characters`);
  return text;
}

/** Returns the JSON pointer of a child. */
export const pointerTo = (at: string, name: string): string =>
  `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Returns the field errors of an error response, whose paths start with /params. */
export function parseFieldErrors(errors: unknown): FieldError[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((each: unknown) =>
    isObject(each) && typeof each.path === 'string'
      ? [{ pointer: each.path.replace(/^\/params/, ''), message: String(each.message) }]
      : [],
  );
}

/** Returns the errors of a field, and those below it that no nested field shows. */
export function errorsAt(errors: readonly FieldError[], field: Field, pointer: string): FieldError[] {
  return errors.filter(({ pointer: at }) => {
    if (at === pointer) return true;
    if (!at.startsWith(`${pointer}/`)) return false;
    if (field.kind === 'group') return !field.fields.some(({ name }) => isAtOrBelow(at, pointerTo(pointer, name)));
    return field.kind === 'json';
  });
}

/** Returns the errors that belong to none of the fields. */
export const otherErrors = (errors: readonly FieldError[], fields: readonly Field[]): FieldError[] =>
  errors.filter(({ pointer }) => !fields.some(({ name }) => isAtOrBelow(pointer, pointerTo('', name))));

const isAtOrBelow = (pointer: string, parent: string) => pointer === parent || pointer.startsWith(`${parent}/`);

/** Formats parameters in one line, e.g. "width 900 · bolt M6 · keyway (width 4, depth 2)". */
export const paramsLine = (params: unknown): string => (isObject(params) ? namesAndValues(params, ' · ') : '');

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  return isObject(value) ? `(${namesAndValues(value, ', ')})` : String(value);
}

const namesAndValues = (values: Record<string, unknown>, separator: string): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${valueText(value)}`)
    .join(separator);

const isGroup = (input: FormInput): input is GroupInput => typeof input === 'object' && 'values' in input;
const isList = (input: FormInput): input is ListInput => typeof input === 'object' && 'items' in input;

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
