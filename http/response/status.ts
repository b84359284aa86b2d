// Maps error codes to HTTP status codes.
import { CATALOGUE, type ErrorCode, type ErrorKind } from '../../subgraphs/core/domain/errors.ts';

/** The HTTP status of each kind of error. */
const STATUS: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'request-timeout': 408,
  conflict: 409,
  precondition: 412,
  'too-large': 413,
  'unsupported-media': 415,
  'range-not-satisfiable': 416,
  misdirected: 421,
  unprocessable: 422,
  locked: 423,
  'rate-limited': 429,
  'headers-too-large': 431,
  internal: 500,
  unavailable: 503,
  timeout: 504,
  'storage-full': 507,
};

// The codes of Apollo Server and the gateway.
const GATEWAY_CODES: Record<string, ErrorCode> = {
  GRAPHQL_VALIDATION_FAILED: 'validation_failed',
  GRAPHQL_PARSE_FAILED: 'validation_failed',
  QUERY_TOO_COSTLY: 'validation_failed',
  UNAUTHENTICATED: 'unauthenticated',
  SUBGRAPH_UNREACHABLE: 'unavailable',
  TIMEOUT: 'timeout',
};

/** Returns the catalogued code of an error; `internal` if the code is unknown. */
export function toErrorCode(code: unknown): ErrorCode {
  if (typeof code !== 'string') return 'internal';
  if (Object.hasOwn(CATALOGUE, code)) return code as ErrorCode;
  return Object.hasOwn(GATEWAY_CODES, code) ? GATEWAY_CODES[code]! : 'internal';
}

export function statusOf(code: ErrorCode): number {
  return STATUS[CATALOGUE[code].kind];
}
