import { CATALOGUE, type ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { catalogued, statusOf } from './status.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** An error as an operation or a refusal reports it. */
export type Fault = { message: string; extensions?: Readonly<Record<string, unknown>> };

/** The body of every error (RFC 9457): the registered members, then the code, the request, and the case's own data. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  code: ErrorCode;
  requestId: string;
  [own: string]: unknown;
};

type At = { instance?: string; requestId: string };

/** The problem of some errors: of several the worst decides, that is the one with the highest status. A bug's own text is never shown. */
export function problemOf(faults: readonly Fault[], at: At): Problem {
  const worst = faults.reduce((one, other) => (statusOfFault(other) > statusOfFault(one) ? other : one));
  const { code: given, ...data } = worst.extensions ?? {};
  const code = catalogued(given);
  const ours = code === given;
  return problem(code, shownDetail(code, ours ? worst.message : null, at), at, ours && code !== 'internal' ? data : {});
}

/** A problem with its own data; data never overwrites a member that every problem has. */
export function problem(
  code: ErrorCode,
  detail: string,
  { instance, requestId }: At,
  data: Readonly<Record<string, unknown>> = {},
): Problem {
  const status = statusOf(code);
  const own = Object.fromEntries(Object.entries(data).filter(([name]) => !HIDDEN.has(name)));
  return {
    type: `/problems/${code}`,
    title: CATALOGUE[code].title,
    status,
    detail,
    ...(instance ? { instance } : {}),
    code,
    requestId,
    ...own,
  };
}

// What a gateway or a framework adds for its own use.
const HIDDEN = new Set([
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

function statusOfFault({ extensions }: Fault): number {
  return statusOf(catalogued(extensions?.code));
}

// a text that is not ours may hold addresses and names of the inside
function shownDetail(code: ErrorCode, ours: string | null, { requestId }: At): string {
  if (code === 'internal') return `Something went wrong; the log has it under ${requestId}.`;
  if (code === 'unavailable' && ours === null) return 'A part of the service does not answer. Try again in a moment.';
  if (code === 'timeout' && ours === null) return 'The service took too long to answer. Try again, or ask for less.';
  return ours ?? `${CATALOGUE[code].title}.`;
}
