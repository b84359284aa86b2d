// Generates requests from the OpenAPI description: valid, nearly valid and hostile ones.
import fc from 'fast-check';

type Json = { [key: string]: unknown };
/** Draws a value; the type of `fc.gen()`. */
export type Draw = <T>(make: () => fc.Arbitrary<T>) => T;
/** Existing ids, by the first segment of their addresses. */
export type Ids = Map<string, string[]>;
export type Described = { method: string; path: string; operation: Json };
export type Generated = { method: string; url: string; headers: Record<string, string>; body?: string };

const HOSTILE = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '..%2f..%2fetc%2fpasswd',
  '../../../etc/passwd',
  '{"$gt":""}',
  '$where',
  '__proto__',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '‮ right to left',
  '🦊'.repeat(60),
  'x'.repeat(5000),
  'PRT-000001',
  '$ne',
  '%00',
  'pdm://documents/x@v1',
  '1e309',
  '٣',
  'İ',
  'a\u0301'.repeat(100),
  '0'.repeat(5000),
  '(a+)+$',
  '[',
  '\\',
  'attachment.x',
  'unfiled',
  'V1',
  'main',
  '2026-01-01',
  'NaN',
  '1e999',
  '-1',
  'null',
  'constructor',
];
const KINDS = [
  'source',
  'attachment.note',
  'asm-json',
  'code',
  'manifest',
  'params',
  'glb',
  'stp',
  'thumbnail',
  'properties',
];
const NOUN_OF_FIELD: Readonly<Record<string, string>> = {
  versionId: 'versions',
  fromVersionId: 'versions',
  with: 'versions',
  documentId: 'documents',
  ids: 'documents',
  folderId: 'folders',
  parentId: 'folders',
  userId: 'users',
};

/** Draws a request for an operation. About half of them are valid; the others deviate in one or several places. */
export function generatedRequest(
  draw: Draw,
  { method, path, operation }: Described,
  ids: Ids,
  components: Json,
): Generated {
  const askew = draw(() => fc.constantFrom(0, 0, 0.15, 0.5));
  const maker = { draw, ids, components, askew };
  const noun = path.split('/')[1] ?? '';
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath(name, noun, maker)));
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const { name, in: where, required, schema } of parametersOf(operation, components)) {
    // a random If-Match matches nothing
    if (where === 'path' || !(required || chance(draw, name === 'If-Match' ? 0.03 : 0.3))) continue;
    const text = textOf(valueFor(schema, name, maker));
    if (where === 'query') query.append(name, text);
    else if (/^[\x20-\x7e]*$/.test(text)) headers[name] = text;
  }
  if (chance(draw, askew))
    query.append(
      draw(() => fc.constantFrom('unknown', 'limit', 'cursor', 'sort', '$where')),
      textOf(odd(draw)),
    );
  const search = [...query].length ? `?${query}` : '';
  return { method: method.toUpperCase(), url: url + search, ...bodyOf(operation, headers, maker) };
}

type Maker = { draw: Draw; ids: Ids; components: Json; askew: number };

function inPath(name: string, noun: string, { draw, ids, askew }: Maker): string {
  const value = name === 'kind' ? draw(() => fc.constantFrom(...KINDS)) : known(noun, { draw, ids });
  return chance(draw, askew)
    ? wellFormed(
        chance(draw, 0.5)
          ? textOf(odd(draw))
          : known(
              draw(() => fc.constantFrom(...ids.keys())),
              { draw, ids },
            ),
      )
    : value;
}

function bodyOf(operation: Json, headers: Record<string, string>, maker: Maker): Pick<Generated, 'headers' | 'body'> {
  const { draw, askew } = maker;
  const content = of(of(operation.requestBody).content);
  if (!Object.keys(content).length) return { headers };
  if (!content['application/json']) return { headers, body: draw(() => fc.string({ maxLength: 200 })) };
  const body = chance(draw, askew / 4) ? odd(draw) : valueFor(of(of(content['application/json']).schema), '', maker);
  const text = chance(draw, askew / 4)
    ? draw(() => fc.constantFrom('{', '[1,]', '{"a":1}{', '"\\ud800"', '\u0000', ''))
    : JSON.stringify(body);
  const type = chance(draw, askew / 4)
    ? draw(() => fc.constantFrom('text/plain', 'application/xml', 'nonsense'))
    : 'application/json';
  return { headers: { ...headers, 'content-type': type }, body: text ?? '' };
}

function valueFor(schema: Json, name: string, maker: Maker): unknown {
  const { draw, ids, askew } = maker;
  if (chance(draw, askew)) return odd(draw);
  if (name === 'waitSeconds') return draw(() => fc.constantFrom(0, -1, 51));
  const { oneOf, pattern } = schema;
  if (Array.isArray(oneOf)) return valueFor(of(draw(() => fc.constantFrom(...oneOf))), name, maker);
  const types = [schema.type].flat().filter((type) => type !== 'null');
  if (types.length < [schema.type].flat().length && chance(draw, 0.15)) return null;
  if (Array.isArray(schema.enum)) return draw(() => fc.constantFrom(...(schema.enum as unknown[])));
  if (name in NOUN_OF_FIELD && types[0] === 'string') return known(NOUN_OF_FIELD[name] ?? '', { draw, ids });
  switch (types[0]) {
    case 'integer':
      return draw(() => fc.integer({ min: Number(schema.minimum ?? 0), max: Number(schema.maximum ?? 1000) }));
    case 'number':
      return draw(() => fc.double({ min: 0, max: 100, noNaN: true }));
    case 'boolean':
      return draw(() => fc.boolean());
    case 'array':
      return Array.from({ length: draw(() => fc.nat(3)) }, () => valueFor(of(schema.items), name, maker));
    case 'object':
      return objectOf(schema, maker);
    case 'string':
      if (typeof pattern === 'string') return draw(() => fc.stringMatching(new RegExp(pattern)));
      return schema.format === 'date-time'
        ? draw(() => fc.date({ noInvalidDate: true })).toISOString()
        : draw(() => fc.string({ minLength: 1, maxLength: 30 }));
    default:
      return draw(() => fc.jsonValue({ maxDepth: 2 }));
  }
}

function objectOf(schema: Json, maker: Maker): Json {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(of(schema.properties)).filter(([name]) =>
    required.includes(name) ? !chance(maker.draw, maker.askew / 2) : chance(maker.draw, 0.5),
  );
  const values = Object.fromEntries(fields.map(([name, field]) => [name, valueFor(of(field), name, maker)]));
  return chance(maker.draw, maker.askew / 3)
    ? { ...values, [maker.draw(() => fc.constantFrom('unknown', '$set', 'constructor'))]: odd(maker.draw) }
    : values;
}

function odd(draw: Draw): unknown {
  return draw(() =>
    fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.constantFrom(null, true, -1, 1e308, 2 ** 53, [], {}, { $ne: null }, [[[]]]),
      fc.string(),
      fc.jsonValue({ maxDepth: 3 }),
    ),
  );
}

function known(noun: string, { draw, ids }: Pick<Maker, 'draw' | 'ids'>): string {
  const some = ids.get(noun);
  return some?.length ? draw(() => fc.constantFrom(...some)) : 'none';
}

type Parameter = { name: string; in: string; required: boolean; schema: Json };

function parametersOf(operation: Json, components: Json): Parameter[] {
  const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
  return parameters.map(
    (one) =>
      ('$ref' in one ? of(of(components.parameters)[String(one.$ref).split('/').at(-1) ?? '']) : one) as Parameter,
  );
}

// without the bias of fast-check toward small values, which would choose nearly every alternative
const chance = (draw: Draw, share: number): boolean => draw(() => fc.noBias(fc.nat(9999))) < share * 10_000;
const of = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const textOf = (value: unknown): string =>
  wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const wellFormed = (text: string): string => text.toWellFormed();
