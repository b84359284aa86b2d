// Problem responses in the OpenAPI description: the error codes of each status, and the statuses of each route.

import { createProblem, PROBLEM_TYPE } from '../../http/response/problem.ts';
import { statusOf } from '../../http/response/status.ts';
import { CATALOGUE, type ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { readRouteOf } from '../if-match.ts';
import type { Route } from '../route.ts';
import type { Schema } from './json-schema.ts';

/** Returns the response components: one per error status, with its codes and an example. */
export function problemResponses(): Record<string, Schema> {
  const byStatus = Map.groupBy(Object.keys(CATALOGUE) as ErrorCode[], statusOf);
  const described = [...byStatus].map(([status, codes]) => [`Problem${status}`, problemResponse(codes)]);
  return { Problem: { description: 'An error', content: problemContent() }, ...Object.fromEntries(described) };
}

function problemResponse(codes: readonly ErrorCode[]): Schema {
  const examples = codes.map((code) => {
    const { title } = CATALOGUE[code];
    return [
      code,
      {
        summary: title,
        value: createProblem(code, `${title}.`, {
          instance: '/api/v1/…',
          requestId: '4f6c2f0e-5d0e-4c46-9a5c-3c8d1f1f2a77',
        }),
      },
    ];
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${CATALOGUE[code].title}.`).join(' '),
    content: problemContent(Object.fromEntries(examples)),
  };
}

function problemContent(examples?: Schema): Schema {
  return { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' }, ...(examples ? { examples } : {}) } };
}

const COMMON_STATUSES = [400, 401, 403, 429, 500, 503, 504];

/** Returns the error responses of a route, derived from what it reads, writes and accepts. */
export function problemResponsesOf(row: Route, routes: readonly Route[]): Record<string, Schema> {
  const writes = row.method !== 'GET';
  const file = Object.values(row.sources).includes('file');
  const body = file || Object.values(row.sources).some((source) => source.startsWith('body'));
  const statuses = [
    ...COMMON_STATUSES,
    ...(row.path.includes(':') ? [404] : []),
    ...(writes ? [404, 409, 422, 423, 507] : []),
    ...(writes && readRouteOf(row, routes) ? [412] : []),
    ...(body ? [408, 413, 415] : []),
    ...(row.send === 'file' ? [404, 416] : []),
  ];
  const referred = [...new Set(statuses)]
    .sort()
    .map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]);
  return { ...Object.fromEntries(referred), default: { $ref: '#/components/responses/Problem' } };
}
