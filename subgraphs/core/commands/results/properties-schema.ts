// The fields of a `properties` artifact that the service and the web page know.
import type { Schema } from '@cfworker/json-schema';

const number: Schema = { type: ['number', 'null'] };
const text: Schema = { type: ['string', 'null'] };
const count: Schema = { type: ['integer', 'null'], minimum: 0 };
const vector: Schema = { type: ['array', 'null'], items: { type: 'number' }, minItems: 3, maxItems: 3 };

/** JSON Schema of the known fields, all of which are optional. Workers may add fields of any type. */
export const PROPERTIES_SCHEMA: Schema = {
  type: 'object',
  properties: {
    units: text,
    boundingBox: { type: ['object', 'null'], properties: { min: vector, max: vector, size: vector } },
    volume: number,
    area: number,
    mass: number,
    massUnits: text,
    massCentre: vector,
    occurrencesWithoutMass: count,
    materials: {
      type: ['array', 'null'],
      items: { type: 'object', properties: { name: text, density: number, occurrences: count, mass: number } },
    },
    density: number,
    centreOfMass: vector,
    solids: count,
    faces: count,
    definitions: count,
    occurrences: count,
    products: count,
    valid: { type: ['boolean', 'null'] },
    warnings: {
      type: ['array', 'null'],
      items: { type: ['string', 'object'], properties: { code: text, message: { type: 'string' } } },
    },
    engine: text,
  },
};
