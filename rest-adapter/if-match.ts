// If-Match: performs a write only if the record is unchanged since the client read it.
import type { DocumentNode } from 'graphql';
import type { Operation, RequestContext, Result } from '../gateway/execute.ts';
import { isValidIfMatch, matchesIfMatch } from '../http/response/etag.ts';
import { DomainError, refuse } from '../subgraphs/core/domain/errors.ts';
import { routeEtag } from './response.ts';
import { pathParameters, type Route } from './route.ts';

export type IfMatchPorts = {
  prepare(document: DocumentNode): Operation;
  execute(operation: Operation, variables: Record<string, unknown>, context: RequestContext): Promise<Result>;
  /** Returns the current tag of the record at `/<segment>/<id>`; null if there is none. */
  findCurrent(segment: string, id: string): Promise<RequestContext['expected'] | null>;
};

export type ConditionalWrite = {
  header: string;
  params: Readonly<Record<string, string>>;
  context: RequestContext;
  /** Whether the write was already performed under its Idempotency-Key; the precondition then no longer matters. */
  isDone(): Promise<boolean>;
  run(context: RequestContext): Promise<Result>;
  /** Whether the write reads a stream and therefore cannot be repeated. */
  runsOnce: boolean;
};

const MAX_ATTEMPTS = 5;
const IMPOSSIBLE_TAG = 'another';

/**
 * Creates the guard of a route that writes. The tag is that of the GET route with the same path, or of the record that
 * the path belongs to. The record's state is read before the tag is computed, and the transaction fails if the record
 * has changed since; the check then runs again. Of two writers with the same tag, one gets `precondition_failed` with
 * the current tag. Authorization is checked first: 403 takes precedence over 412.
 */
export function ifMatchGuard(
  row: Route,
  routes: readonly Route[],
  ports: IfMatchPorts,
): (write: ConditionalWrite) => Promise<Result> {
  const read = readRouteOf(row, routes);
  if (!read)
    return () =>
      refuse(
        'validation_failed',
        `If-Match is not supported by ${row.method} ${row.path}, which has no ETag. Omit the header.`,
      );
  const operation = ports.prepare(read.operation);
  const variables = (params: ConditionalWrite['params']) =>
    Object.fromEntries(pathParameters(read.path).map((name) => [name, params[name]]));

  return async ({ header, params, context, isDone, run, runsOnce }) => {
    if (!isValidIfMatch(header))
      refuse('validation_failed', 'If-Match must be an ETag as received, in double quotes, or *.', {
        errors: [{ path: '/If-Match', message: 'must be an ETag in double quotes' }],
      });
    for (let attemptsLeft = runsOnce ? 1 : MAX_ATTEMPTS; ; attemptsLeft--) {
      const current = await ports.findCurrent(read.path.split('/')[1] ?? '', params.id ?? '');
      const readResult = await ports.execute(operation, variables(params), { ...context });
      // a record that does not exist has no tag; the write reports that it does not exist
      if (readResult.errors?.some(({ extensions }) => extensions.code !== 'not_found')) return readResult;
      const etag = routeEtag(read, readResult.data);
      if (etag === null || !current || header.trim() === '*' || (await isDone())) return run({ ...context });
      // The impossible tag makes processes of an earlier version, which do not know `currentTagIfStale`, reject the
      // write in its transaction.
      if (!matchesIfMatch(header, etag))
        return run({ ...context, currentTagIfStale: etag, expected: { ...current, tag: IMPOSSIBLE_TAG } });
      const result = await run({ ...context, expected: current });
      if (!result.errors?.some(({ extensions }) => extensions.code === 'precondition_failed')) return result;
      if (attemptsLeft === 1) throw preconditionFailed(etag);
    }
  };
}

function preconditionFailed(etag: string): DomainError {
  return new DomainError(
    'precondition_failed',
    'The record has changed since it was read. Read it again and repeat the change if it still applies.',
    {
      etag,
    },
  );
}

/**
 * Returns the GET route that shows what a route writes: the one at its path, of its file, or of the record it belongs
 * to.
 */
export function readRouteOf({ path }: Route, routes: readonly Route[]): Route | undefined {
  const steps = path.split('/');
  const owners = steps.map((_, i) => steps.slice(0, steps.length - i).join('/'));
  const reads = routes.filter(({ method, send }) => method === 'GET' && send !== 'events');
  return [path, `${path}/file`, ...owners]
    .map((at) => reads.find((read) => read.path === at && at.includes(':')))
    .find((read) => read !== undefined);
}
