// What is typed into the form of a generator, and the parameters that are made of it.
import { type Field, isObject, type NumberField, type TextField } from './params-form.ts';

/** As a field holds it: text as it was typed, the place of a choice, what a group and a list contain. Empty text is left out. */
export type Typed = string | boolean | TypedGroup | TypedList;
/** `there` is false for a group that is left out. */
export type TypedGroup = { there: boolean; values: Readonly<Record<string, Typed>> };
export type TypedList = { there: boolean; items: readonly Typed[] };
/** `pointer` is a JSON pointer into the parameters. */
export type Fault = { pointer: string; message: string };

/** The form filled with parameters, or with the defaults where `params` says nothing. */
export function typedFrom(fields: readonly Field[], params: unknown): TypedGroup {
  const given = isObject(params) ? params : {};
  const values = fields.map((field) => [
    field.name,
    typedOf(field, Object.hasOwn(given, field.name) ? given[field.name] : field.fallback),
  ]);
  return { there: true, values: Object.fromEntries(values) };
}

function typedOf(field: Field, value: unknown): Typed {
  switch (field.kind) {
    case 'number':
    case 'text':
      return value === undefined ? '' : String(value);
    case 'flag':
      return typeof value === 'boolean' ? value : field.required ? false : '';
    case 'choice': {
      const place = field.choices.findIndex((choice) => same(choice.value, value));
      return place < 0 ? '' : String(place);
    }
    case 'group':
      return {
        ...typedFrom(field.fields, value),
        there: value !== undefined || field.required || field.fields.some(({ fallback }) => fallback !== undefined),
      };
    case 'list':
      return {
        there: Array.isArray(value) || field.required,
        items: Array.isArray(value) ? value.map((item) => typedOf(field.item, item)) : emptyItems(field),
      };
    case 'json':
      return value === undefined ? '' : JSON.stringify(value, null, 2);
  }
}

const emptyItems = ({ item, fewest }: Extract<Field, { kind: 'list' }>): Typed[] =>
  Array.from({ length: fewest }, () => typedOf(item, item.fallback));

/** A further item of a list, as yet empty or with its default. */
export const newItem = ({ item }: Extract<Field, { kind: 'list' }>): Typed => typedOf(item, item.fallback);

/** The parameters of what was typed, or what is wrong with it, each with where. */
export function paramsOf(
  fields: readonly Field[],
  typed: TypedGroup,
): { params: Record<string, unknown>; faults: Fault[] } {
  const faults: Fault[] = [];
  const params = readGroup(fields, typed, '', (pointer, message) => faults.push({ pointer, message }));
  return { params, faults };
}

type Tell = (pointer: string, message: string) => void;

function readGroup(fields: readonly Field[], { values }: TypedGroup, at: string, tell: Tell): Record<string, unknown> {
  const read: [string, unknown][] = [];
  for (const field of fields) {
    const pointer = pointerTo(at, field.name);
    const value = readField(field, values[field.name] ?? '', pointer, tell);
    if (value !== undefined) read.push([field.name, value]);
    else if (field.required && field.fallback === undefined && field.kind !== 'json') tell(pointer, 'is needed');
  }
  return Object.fromEntries(read); // __proto__ too is only a name here
}

function readField(field: Field, typed: Typed, pointer: string, tell: Tell): unknown {
  if (field.kind === 'group')
    return isGroup(typed) && typed.there ? readGroup(field.fields, typed, pointer, tell) : undefined;
  if (field.kind === 'list') return readList(field, typed, pointer, tell);
  if (field.kind === 'flag') return typeof typed === 'boolean' ? typed : undefined;
  if (
    typeof typed !== 'string' ||
    (typed.trim() === '' && !(field.kind === 'text' && typed === '' && field.required && field.shortest === null))
  )
    return undefined;
  if (field.kind === 'choice') return field.choices[Number(typed)]?.value;
  if (field.kind === 'number') return readNumber(field, typed, pointer, tell);
  if (field.kind === 'text') return readText(field, typed, pointer, tell);
  try {
    return JSON.parse(typed);
  } catch (error) {
    tell(pointer, `is not JSON: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

function readList(
  field: Extract<Field, { kind: 'list' }>,
  typed: Typed,
  pointer: string,
  tell: Tell,
): unknown[] | undefined {
  if (!isList(typed) || !typed.there) return undefined;
  if (typed.items.length < field.fewest) tell(pointer, `needs at least ${field.fewest}`);
  if (field.most !== null && typed.items.length > field.most) tell(pointer, `has at most ${field.most}`);
  return typed.items.map((item, place) => {
    const value = readField(field.item, item, pointerTo(pointer, String(place)), tell);
    if (value === undefined) tell(pointerTo(pointer, String(place)), 'is needed');
    return value;
  });
}

function readNumber(
  { whole, limits, step, unit }: NumberField,
  typed: string,
  pointer: string,
  tell: Tell,
): number | undefined {
  const value = Number(typed);
  const say = (what: string, limit: number) => tell(pointer, `must be ${what} ${limit}${unit ? ` ${unit}` : ''}`);
  if (!Number.isFinite(value)) tell(pointer, 'must be a number');
  else if (whole && !Number.isInteger(value)) tell(pointer, 'must be a whole number');
  else if (limits.least !== null && value < limits.least) say('at least', limits.least);
  else if (limits.most !== null && value > limits.most) say('at most', limits.most);
  else if (limits.above !== null && value <= limits.above) say('more than', limits.above);
  else if (limits.below !== null && value >= limits.below) say('less than', limits.below);
  else if (step !== null && !whole && Math.abs(value / step - Math.round(value / step)) > 1e-9)
    say('a multiple of', step);
  else return value;
  return undefined;
}

function readText({ shortest, longest }: TextField, typed: string, pointer: string, tell: Tell): string {
  const length = [...typed].length;
  if (shortest !== null && length < shortest) tell(pointer, `must have at least ${shortest} characters`);
  if (longest !== null && length > longest) tell(pointer, `must have at most ${longest} characters`);
  return typed;
}

/** A JSON pointer one step further. */
export const pointerTo = (at: string, name: string): string =>
  `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The faults of an answer of the service, whose pointers begin with /params. */
export function faultsOf(errors: unknown): Fault[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((each: unknown) =>
    isObject(each) && typeof each.path === 'string'
      ? [{ pointer: each.path.replace(/^\/params/, ''), message: String(each.message) }]
      : [],
  );
}

/** Those at a field itself, and those below it that no field of it shows. */
export function faultsAt(faults: readonly Fault[], field: Field, pointer: string): Fault[] {
  return faults.filter(({ pointer: at }) => {
    if (at === pointer) return true;
    if (!at.startsWith(`${pointer}/`)) return false;
    if (field.kind === 'group') return !field.fields.some(({ name }) => begins(at, pointerTo(pointer, name)));
    return field.kind === 'json';
  });
}

/** Those that belong to none of the fields. */
export const faultsElsewhere = (faults: readonly Fault[], fields: readonly Field[]): Fault[] =>
  faults.filter(({ pointer }) => !fields.some(({ name }) => begins(pointer, pointerTo('', name))));

const begins = (pointer: string, with_: string) => pointer === with_ || pointer.startsWith(`${with_}/`);

/** Parameters in one line: "width 900 · bolt M6". */
export function paramsLine(params: unknown): string {
  if (!isObject(params)) return '';
  return Object.entries(params)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(' · ');
}

const isGroup = (typed: Typed): typed is TypedGroup => typeof typed === 'object' && 'values' in typed;
const isList = (typed: Typed): typed is TypedList => typeof typed === 'object' && 'items' in typed;

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
