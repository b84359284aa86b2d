// Problem responses in the OpenAPI description: the error codes of each status, and the statuses of each route.

import { createProblem, PROBLEM_TYPE } from '../../http/response/problem.ts';
import { statusOf } from '../../http/response/status.ts';
import { CATALOGUE, type ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { readRouteOf } from '../if-match.ts';
import type { Route } from '../route.ts';
import type { Schema } from './json-schema.ts';

/** Returns the response components: one per error status that an operation can have, with its codes and an example. */
export function problemResponses(): Record<string, Schema> {
  const byStatus = Map.groupBy(Object.keys(CATALOGUE) as ErrorCode[], statusOf);
  // An operation that exists supports its method.
  byStatus.delete(statusOf('method_not_allowed'));
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
    description: describeCodes(codes),
    content: problemContent(Object.fromEntries(examples)),
  };
}

function problemContent(examples?: Schema): Schema {
  return { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' }, ...(examples ? { examples } : {}) } };
}

// Errors of every request, before it reaches its operation or regardless of what that does.
const EVERYWHERE = ['headers_too_large', 'unknown_host'] as const;
const SIGNED_IN = [
  ...EVERYWHERE,
  'validation_failed',
  'unauthenticated',
  'forbidden',
  'cross_site_request',
  'rate_limited',
  'internal',
  'unavailable',
  'overloaded',
  'timeout',
] as const;
const WRITES = [
  'idempotency_mismatch',
  'response_not_replayable',
  'request_timeout',
  'file_too_large',
  'unsupported_media_type',
  'storage_full',
] as const;

/** Returns the error responses of a route: of its own errors and those that follow from what it reads and writes. */
export function problemResponsesOf(row: Route, routes: readonly Route[]): Record<string, Schema> {
  const writes = row.method !== 'GET';
  return problemsWith([
    ...SIGNED_IN,
    ...row.errors,
    ...(row.path.includes(':') ? (['not_found'] as const) : []),
    ...('cursor' in row.sources ? (['bad_cursor'] as const) : []),
    ...(writes ? WRITES : []),
    ...(row.send !== 'events' && (!writes || readRouteOf(row, routes)) ? (['precondition_failed'] as const) : []),
    ...(row.send === 'file' ? (['range_not_satisfiable'] as const) : []),
  ]);
}

/** Returns the error responses of an operation without a route row. Public operations need no token. */
export function serviceProblems(codes: readonly ErrorCode[], { isPublic = false } = {}): Record<string, Schema> {
  return problemsWith([...(isPublic ? EVERYWHERE : SIGNED_IN), ...codes]);
}

function problemsWith(codes: readonly ErrorCode[]): Record<string, Schema> {
  const byStatus = Map.groupBy([...new Set(codes)], statusOf);
  const responses = [...byStatus].map(([status, codes]) => [
    status,
    { $ref: `#/components/responses/Problem${status}`, description: describeCodes(codes) },
  ]);
  return { ...Object.fromEntries(responses), default: { $ref: '#/components/responses/Problem' } };
}

const describeCodes = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `\`${code}\`: ${CATALOGUE[code].title}.`).join(' ');
