// Formats values for messages.

import type { Doc, Value } from './bson.ts';

/** Formats a value as MongoDB does in its messages, e.g. `{ name: "a", n: 1 }`. */
export function formatValue(value: Value): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (Array.isArray(value)) return value.length ? `[ ${value.map(formatValue).join(', ')} ]` : '[]';
  if ('_bsontype' in value) return formatBsonType(value as { _bsontype: unknown; toString(): string });
  const fields = Object.entries(value as Doc).map(([name, inner]) => `${name}: ${formatValue(inner)}`);
  return fields.length ? `{ ${fields.join(', ')} }` : '{}';
}

function formatBsonType(value: { _bsontype: unknown; toString(): string }): string {
  switch (value._bsontype) {
    case 'ObjectId':
      return `ObjectId('${value.toString()}')`;
    case 'Int32':
    case 'Long':
    case 'Double':
    case 'Decimal128':
      return value.toString();
    default:
      return `${value._bsontype}(${value.toString()})`;
  }
}
