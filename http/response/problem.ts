// Problem responses (RFC 9457).
import { CATALOGUE, type ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { statusOf, toErrorCode } from './status.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** The path of the pages that explain the error codes; `type` of a problem is the address of its page. */
export const PROBLEM_PATH = '/problems';

/** An error reported by an operation. */
export type ReportedError = { message: string; extensions?: Readonly<Record<string, unknown>> };

/**
 * The body of every error response (RFC 9457): the registered members, the code, the request id, and data of the error.
 */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  code: ErrorCode;
  requestId: string;
  [field: string]: unknown;
};

type Occurrence = { instance?: string; requestId: string };

/** Returns the problem of the error with the highest status. The text of an unexpected error is not exposed. */
export function problemFromErrors(errors: readonly ReportedError[], at: Occurrence): Problem {
  const worst = errors.reduce((one, other) => (statusOfError(other) > statusOfError(one) ? other : one));
  const { code: reported, ...data } = worst.extensions ?? {};
  const code = toErrorCode(reported);
  const isCatalogued = code === reported;
  const detail = publicDetail(code, isCatalogued ? worst.message : null, at);
  return createProblem(code, detail, at, isCatalogued && code !== 'internal' ? data : {});
}

/** Creates a problem. `data` cannot overwrite the standard members. */
export function createProblem(
  code: ErrorCode,
  detail: string,
  { instance, requestId }: Occurrence,
  data: Readonly<Record<string, unknown>> = {},
): Problem {
  const status = statusOf(code);
  const publicData = Object.fromEntries(Object.entries(data).filter(([name]) => !INTERNAL_FIELDS.has(name)));
  return {
    type: `${PROBLEM_PATH}/${code}`,
    title: CATALOGUE[code].title,
    status,
    detail,
    ...(instance ? { instance } : {}),
    code,
    requestId,
    ...publicData,
  };
}

// The standard members, and what gateways and frameworks add for their own use.
const INTERNAL_FIELDS = new Set([
  'serviceName',
  'service',
  'stacktrace',
  'exception',
  'http',
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'code',
  'requestId',
]);

function statusOfError({ extensions }: ReportedError): number {
  return statusOf(toErrorCode(extensions?.code));
}

// Messages of errors outside the catalogue may contain internal addresses and names.
function publicDetail(code: ErrorCode, message: string | null, { requestId }: Occurrence): string {
  if (code === 'internal') return internalErrorMessage(requestId);
  if (code === 'unavailable' && message === null)
    return 'A part of the service does not respond. Try again in a moment.';
  if (code === 'timeout' && message === null) return 'The request timed out. Try again, or request less data.';
  return message ?? `${CATALOGUE[code].title}.`;
}

/** The message of an unexpected error, whose cause is only in the log. */
export const internalErrorMessage = (requestId: string): string =>
  `An unexpected error occurred. The service log contains it under request id ${requestId}.`;
