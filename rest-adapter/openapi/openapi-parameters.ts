// Header parameters shared by routes, for the OpenAPI description.
import { readRouteOf } from '../if-match.ts';
import type { Route } from '../route.ts';
import type { Schema } from './json-schema.ts';

const textSchema = { type: 'string' };

/** The parameter components. */
export const COMMON_PARAMETERS: Record<string, Schema> = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Identifies the request in logs and audit records, and is returned in the response. Generated if absent or malformed.',
    schema: textSchema,
    example: 'import-2025-06-01.17',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a retry safe: a request repeated with the same key within 24 hours returns the first response (`Idempotency-Replayed: true`) and has no further effect. 1–255 visible ASCII characters.',
    schema: textSchema,
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'Performs the write only if the record still has this ETag; otherwise 412 with the current ETag.',
    schema: textSchema,
    example: '"xW0GYf4pRr3c0mVQ0S1n2kqA8m1bZc7d"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'Returns 304 if the record still has this ETag.',
    schema: textSchema,
    example: '"xW0GYf4pRr3c0mVQ0S1n2kqA8m1bZc7d"',
  },
};

/** Returns the shared header parameters of a route. */
export function commonParameters(row: Route, routes: readonly Route[]): Schema[] {
  const names =
    row.method === 'GET'
      ? [...(row.send === 'events' ? [] : ['IfNoneMatch']), 'RequestId']
      : [...(readRouteOf(row, routes) ? ['IfMatch'] : []), 'IdempotencyKey', 'RequestId'];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
