// The headers that every route takes, or every one of a sort, in the OpenAPI description.
import { shownBy } from '../if-match.ts';
import type { Route } from '../route.ts';
import type { Schema } from './json-schema.ts';

const text = { type: 'string' };

/** The parameters of the components. */
export const COMMON_PARAMETERS: Record<string, Schema> = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Comes back in the answer; made up when left out or when it is no id.',
    schema: text,
    example: 'import-2025-06-01.17',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the write happen once: repeated within 24 hours with the same key, it answers as it did the first time (`Idempotency-Replayed: true`). 1 to 255 visible ASCII characters.',
    schema: text,
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'Does the write only while the ETag of what was read is still the same; otherwise 412 with the present one.',
    schema: text,
    example: '"xW0GYf4pRr3c0mVQ0S1n2kqA8m1bZc7d"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'Answers 304 while the ETag is still the same.',
    schema: text,
    example: '"xW0GYf4pRr3c0mVQ0S1n2kqA8m1bZc7d"',
  },
};

/** The common headers that a row takes. */
export function commonParameters(row: Route, routes: readonly Route[]): Schema[] {
  const names =
    row.method === 'GET'
      ? [...(row.send === 'events' ? [] : ['IfNoneMatch']), 'RequestId']
      : [...(shownBy(row, routes) ? ['IfMatch'] : []), 'IdempotencyKey', 'RequestId'];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
