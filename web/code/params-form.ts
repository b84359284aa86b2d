// The parameters of a generator as a form: fields drawn from the JSON Schema (draft 2020-12) of its manifest. What a form has no field for is
// written as JSON; the service checks everything in any case.

export type Choice = { value: unknown; label: string };
type Common = {
  /** The name in its object; empty for an item of a list. */
  name: string;
  title: string;
  description: string | null;
  required: boolean;
  /** What the service takes when it is left out. */
  fallback: unknown;
};
export type NumberField = Common & {
  kind: 'number';
  whole: boolean;
  unit: string | null;
  limits: Limits;
  step: number | null;
};
export type TextField = Common & { kind: 'text'; shortest: number | null; longest: number | null; unit: string | null };
export type Field =
  | NumberField
  | TextField
  | (Common & { kind: 'flag' })
  | (Common & { kind: 'choice'; choices: readonly Choice[] })
  | (Common & { kind: 'group'; fields: readonly Field[] })
  | (Common & { kind: 'list'; item: Field; fewest: number; most: number | null })
  | (Common & { kind: 'json' });
/** `above` and `below` are not allowed themselves. */
export type Limits = { least: number | null; most: number | null; above: number | null; below: number | null };

type Schema = Readonly<Record<string, unknown>>;
type Inside = { root: Schema; depth: number };

const DEEPEST = 8; // below, a schema that names itself is JSON
const NUMBERS = ['number', 'integer'];

/** The fields of an object of parameters, in the order of the schema. */
export function fieldsOf(schema: unknown): Field[] {
  const root = isObject(schema) ? schema : {};
  return objectFields(resolved(root, { root, depth: 0 }), { root, depth: 0 });
}

function objectFields(schema: Schema, inside: Inside): Field[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).map(([name, property]) => fieldOf(name, property, required.includes(name), inside));
}

function fieldOf(name: string, given: unknown, required: boolean, { root, depth }: Inside): Field {
  const inside = { root, depth: depth + 1 };
  const schema = resolved(isObject(given) ? given : {}, inside);
  const common = {
    name,
    title: textOf(schema.title) ?? name,
    description: textOf(schema.description),
    required,
    fallback: schema.default,
  };
  const choices = choicesOf(schema);
  if (choices) return { ...common, kind: 'choice', choices };
  const type = typeOf(schema);
  if (depth > DEEPEST || COMBINED.some((keyword) => keyword in schema)) return { ...common, kind: 'json' };
  if (type === 'boolean') return { ...common, kind: 'flag' };
  if (type === 'string')
    return {
      ...common,
      kind: 'text',
      shortest: numberOf(schema.minLength),
      longest: numberOf(schema.maxLength),
      unit: textOf(schema.unit),
    };
  if (type !== null && NUMBERS.includes(type)) return numberField(common, schema, type === 'integer');
  if (type === 'object' && isObject(schema.properties))
    return { ...common, kind: 'group', fields: objectFields(schema, inside) };
  if (type === 'array' && isObject(schema.items) && !('prefixItems' in schema)) {
    const item = fieldOf('', schema.items, true, inside);
    return { ...common, kind: 'list', item, fewest: numberOf(schema.minItems) ?? 0, most: numberOf(schema.maxItems) };
  }
  return { ...common, kind: 'json' };
}

// what makes a value depend on more than one schema
const COMBINED = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'patternProperties'];

function numberField(common: Common, schema: Schema, whole: boolean): NumberField {
  const limits = {
    ...{ least: numberOf(schema.minimum), most: numberOf(schema.maximum) },
    ...{ above: numberOf(schema.exclusiveMinimum), below: numberOf(schema.exclusiveMaximum) },
  };
  return {
    ...common,
    kind: 'number',
    whole,
    unit: textOf(schema.unit),
    limits,
    step: numberOf(schema.multipleOf) ?? (whole ? 1 : null),
  };
}

// a list of values, or of constants with titles
function choicesOf(schema: Schema): Choice[] | null {
  if (Array.isArray(schema.enum)) return schema.enum.map((value: unknown) => ({ value, label: labelOf(value) }));
  const each = Array.isArray(schema.oneOf) ? schema.oneOf : Array.isArray(schema.anyOf) ? schema.anyOf : null;
  if (!each?.length) return null;
  const choices = each.map((one: unknown) =>
    isObject(one) && 'const' in one ? { value: one.const, label: textOf(one.title) ?? labelOf(one.const) } : null,
  );
  return choices.every((choice) => choice !== null) ? choices : null;
}

const labelOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

// what stands beside a reference counts more than what it names
function resolved(schema: Schema, { root, depth }: Inside): Schema {
  const path = textOf(schema.$ref);
  if (path === null || depth > DEEPEST) return schema;
  let found: unknown = root;
  for (const part of path.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  const { $ref: _named, ...beside } = schema;
  return isObject(found) ? { ...resolved(found, { root, depth: depth + 1 }), ...beside } : beside;
}

function typeOf({ type, properties, items }: Schema): string | null {
  if (typeof type === 'string') return type;
  const types = Array.isArray(type) ? type.filter((each: unknown) => each !== 'null') : [];
  // a value that may be null is left out instead, where that means the same to the generator only its author knows
  if (types.length === 1 && !(Array.isArray(type) && type.includes('null'))) return String(types[0]);
  return type === undefined ? (properties ? 'object' : items ? 'array' : null) : null;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
