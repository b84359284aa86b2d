// Compares results with the expectations of the unified test format.
import assert from 'node:assert';
import { Binary, EJSON } from 'bson';
import type { ClientSession, Document } from 'mongodb';

/** Resolves the entities that special operators refer to. */
export type Entities = { entity(id: string): unknown; session(id: string): ClientSession };

/**
 * Asserts that a result meets an expectation: numbers by value regardless of type, documents field by field. Further
 * fields are allowed only with `open`. Fails with the path of the first difference.
 */
export function assertMatches(
  expected: unknown,
  actual: unknown,
  entities: Entities,
  { open = false, at = '' } = {},
): void {
  const difference = `expected ${formatValue(expected)}, got ${formatValue(actual)}`;
  const where = at || 'the result';
  if (isPlain(expected)) {
    const [first = ''] = Object.keys(expected);
    if (first.startsWith('$$')) matchSpecial(first, expected[first], actual, entities, { open, at });
    else {
      assert.ok(isPlain(actual), `${where}: not a document: ${difference}`);
      for (const [field, expectedField] of Object.entries(expected))
        matchField(field, expectedField, actual, entities, `${at}.${field}`);
      const more = open
        ? undefined
        : Object.keys(actual).find((field) => actual[field] !== undefined && !(field in expected));
      assert.ok(!more, `${where}: unexpected field ${more}: ${difference}`);
    }
  } else if (Array.isArray(expected)) {
    assert.ok(
      Array.isArray(actual) && actual.length === expected.length,
      `${where}: different number of elements: ${difference}`,
    );
    for (const [index, expectedField] of expected.entries())
      assertMatches(expectedField, actual[index], entities, { open, at: `${at}[${index}]` });
  } else if (expected === null || expected === undefined) {
    assert.ok(actual === null || actual === undefined, `${where}: not null: ${difference}`);
  } else {
    const number = numberOf(expected);
    assert.ok(
      number === undefined ? formatValue(expected) === formatValue(actual) : number === numberOf(actual),
      `${where}: different value: ${difference}`,
    );
  }
}

function matchField(field: string, expectedField: unknown, actual: Document, entities: Entities, at: string): void {
  const present = actual[field] !== undefined;
  if (isPlain(expectedField) && '$$exists' in expectedField)
    assert.equal(present, expectedField.$$exists, `${at}: presence differs`);
  else if (isPlain(expectedField) && '$$unsetOrMatches' in expectedField) {
    if (present) assertMatches(expectedField.$$unsetOrMatches, actual[field], entities, { at });
  } else {
    assert.ok(present, `${at}: missing`);
    assertMatches(expectedField, actual[field], entities, { at });
  }
}

function matchSpecial(
  operator: string,
  argument: unknown,
  actual: unknown,
  entities: Entities,
  where: { open: boolean; at: string },
): void {
  const { at } = where;
  switch (operator) {
    case '$$unsetOrMatches':
      if (actual !== null && actual !== undefined) assertMatches(argument, actual, entities, where);
      break;
    case '$$type':
      assert.ok(
        [argument].flat().includes(typeOf(actual)) || isNumberNamed(argument, actual),
        `${at}: the type of ${formatValue(actual)} is not ${argument}`,
      );
      break;
    case '$$matchesEntity':
      assertMatches(entities.entity(String(argument)), actual, entities, { at });
      break;
    case '$$matchesHexBytes':
      assert.ok(actual instanceof Uint8Array, `${at}: not binary`);
      assert.equal(Buffer.from(actual).toString('hex'), argument, at);
      break;
    case '$$sessionLsid':
      assert.equal(formatValue(actual), formatValue(entities.session(String(argument)).id), `${at}: different session`);
      break;
    default:
      throw new Error(`unknown matching operator ${operator}`);
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (typeof value !== 'object') return typeof value === 'boolean' ? 'bool' : typeof value;
  if (value instanceof Uint8Array || value instanceof Binary) return 'binData';
  const tag: unknown = '_bsontype' in value ? value._bsontype : 'object';
  return tag === 'ObjectId' ? 'objectId' : String(tag).toLowerCase();
}

const isNumberNamed = (names: unknown, value: unknown): boolean =>
  numberOf(value) !== undefined &&
  [names].flat().some((name) => ['int', 'long', 'double', 'number'].includes(String(name)));

const isPlain = (value: unknown): value is Document =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !('_bsontype' in value) &&
  !(value instanceof Date || value instanceof Uint8Array || value instanceof RegExp);

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const tag = typeof value === 'object' && value !== null && '_bsontype' in value ? value._bsontype : '';
  return ['Int32', 'Double', 'Long'].includes(String(tag)) ? Number(value) : undefined;
}

const formatValue = (value: unknown): string => EJSON.stringify({ value }).slice(0, 400);
