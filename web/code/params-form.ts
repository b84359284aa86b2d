// Derives form fields from the JSON Schema (draft 2020-12) of a generator's parameters. Schemas without a matching
// field type become JSON text fields. The service validates the parameters in any case.
import { isObject } from '../shell/is-object.ts';

export type Choice = { value: unknown; label: string };
type CommonField = {
  /** The property name; empty for list items. */
  name: string;
  title: string;
  description: string | null;
  required: boolean;
  /** The value that the service uses if the parameter is missing. */
  defaultValue: unknown;
};
export type NumberField = CommonField & {
  kind: 'number';
  integer: boolean;
  unit: string | null;
  limits: Limits;
  step: number | null;
};
export type TextField = CommonField & {
  kind: 'text';
  minLength: number | null;
  maxLength: number | null;
  unit: string | null;
};
export type Field =
  | NumberField
  | TextField
  | (CommonField & { kind: 'boolean' })
  | (CommonField & { kind: 'choice'; choices: readonly Choice[] })
  | (CommonField & { kind: 'group'; fields: readonly Field[] })
  | (CommonField & { kind: 'list'; item: Field; minItems: number; maxItems: number | null })
  | (CommonField & { kind: 'json' });
/** The inclusive and exclusive limits of a number. */
export type Limits = {
  min: number | null;
  max: number | null;
  exclusiveMin: number | null;
  exclusiveMax: number | null;
};

type Schema = Readonly<Record<string, unknown>>;
type Context = { root: Schema; depth: number };

const MAX_DEPTH = 8; // deeper levels, e.g. of recursive schemas, become JSON fields
const NUMBER_TYPES = ['number', 'integer'];

/** Returns the fields of a parameters object, in the order of the schema. */
export function fieldsOf(schema: unknown): Field[] {
  const root = isObject(schema) ? schema : {};
  return objectFields(resolveReference(root, { root, depth: 0 }), { root, depth: 0 });
}

function objectFields(schema: Schema, context: Context): Field[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, property, required.includes(name), context),
  );
}

function fieldOf(name: string, property: unknown, required: boolean, { root, depth }: Context): Field {
  const context = { root, depth: depth + 1 };
  const schema = resolveReference(isObject(property) ? property : {}, context);
  const common = {
    name,
    title: textOf(schema.title) ?? name,
    description: textOf(schema.description),
    required,
    defaultValue: schema.default,
  };
  const choices = choicesOf(schema);
  if (choices) return { ...common, kind: 'choice', choices };
  const type = typeOf(schema);
  if (depth > MAX_DEPTH || COMPOSITION_KEYWORDS.some((keyword) => keyword in schema))
    return { ...common, kind: 'json' };
  if (type === 'boolean') return { ...common, kind: 'boolean' };
  if (type === 'string')
    return {
      ...common,
      kind: 'text',
      minLength: numberOf(schema.minLength),
      maxLength: numberOf(schema.maxLength),
      unit: textOf(schema.unit),
    };
  if (type !== null && NUMBER_TYPES.includes(type)) return numberField(common, schema, type === 'integer');
  if (type === 'object' && isObject(schema.properties))
    return { ...common, kind: 'group', fields: objectFields(schema, context) };
  if (type === 'array' && isObject(schema.items) && !('prefixItems' in schema)) {
    const item = fieldOf('', schema.items, true, context);
    return {
      ...common,
      kind: 'list',
      item,
      minItems: numberOf(schema.minItems) ?? 0,
      maxItems: numberOf(schema.maxItems),
    };
  }
  return { ...common, kind: 'json' };
}

// keywords that make a value depend on more than one schema
const COMPOSITION_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'patternProperties'];

function numberField(common: CommonField, schema: Schema, integer: boolean): NumberField {
  const limits = {
    min: numberOf(schema.minimum),
    max: numberOf(schema.maximum),
    exclusiveMin: numberOf(schema.exclusiveMinimum),
    exclusiveMax: numberOf(schema.exclusiveMaximum),
  };
  return {
    ...common,
    kind: 'number',
    integer,
    unit: textOf(schema.unit),
    limits,
    step: numberOf(schema.multipleOf) ?? (integer ? 1 : null),
  };
}

// the options of an enum, or of a oneOf or anyOf of constants
function choicesOf(schema: Schema): Choice[] | null {
  if (Array.isArray(schema.enum)) return schema.enum.map((value: unknown) => ({ value, label: labelOf(value) }));
  const options: unknown = [schema.oneOf, schema.anyOf].find(Array.isArray);
  if (!Array.isArray(options) || !options.length) return null;
  const choices = options.map((one: unknown) =>
    isObject(one) && 'const' in one ? { value: one.const, label: textOf(one.title) ?? labelOf(one.const) } : null,
  );
  return choices.every((choice) => choice !== null) ? choices : null;
}

const labelOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

// resolves a local $ref; keywords beside the reference take precedence
function resolveReference(schema: Schema, { root, depth }: Context): Schema {
  const path = textOf(schema.$ref);
  if (path === null || depth > MAX_DEPTH) return schema;
  let found: unknown = root;
  for (const part of path.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  const { $ref: _ref, ...siblings } = schema;
  return isObject(found) ? { ...resolveReference(found, { root, depth: depth + 1 }), ...siblings } : siblings;
}

function typeOf({ type, properties, items }: Schema): string | null {
  if (typeof type === 'string') return type;
  const types = Array.isArray(type) ? type.filter((each: unknown) => each !== 'null') : [];
  // nullable types become JSON fields: only the author knows whether the generator treats null like a missing value
  if (types.length === 1 && !(Array.isArray(type) && type.includes('null'))) return String(types[0]);
  if (type !== undefined) return null;
  if (properties) return 'object';
  return items ? 'array' : null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
