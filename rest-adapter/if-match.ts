// If-Match: a write that is done only while what the client read is still there.
import type { DocumentNode } from 'graphql';
import type { Operation, RequestContext, Result } from '../gateway/execute.ts';
import { isStarOrTags, namesStrongTag } from '../http/response/etag.ts';
import { DomainError, refuse } from '../subgraphs/core/domain/errors.ts';
import { etagOfRow } from './answer.ts';
import { pathParameters, type Route } from './route.ts';

export type IfMatchPorts = {
  prepare(document: DocumentNode): Operation;
  execute(operation: Operation, variables: Record<string, unknown>, context: RequestContext): Promise<Result>;
  /** The record that addresses beginning with this word and this id lead to, as it is now; null when there is none. */
  look(word: string, id: string): Promise<RequestContext['expected'] | null>;
};

export type Guarded = {
  header: string;
  params: Readonly<Record<string, string>>;
  context: RequestContext;
  /** Whether the write was done before, under its Idempotency-Key: then there is nothing to be decided. */
  done(): Promise<boolean>;
  run(context: RequestContext): Promise<Result>;
  /** What is run reads a stream, and so cannot be run again. */
  runsOnce: boolean;
};

const TRIES = 5;

/**
 * Makes the guard of a row that writes. The tag is the one that a GET of the same address has, or of the record whose address the row's begins
 * with. The record is looked at before the answer whose tag is compared is made, and the transaction of the write refuses when it was written
 * since; then all is looked at again. So of two writers with the same tag one is refused, with `precondition_failed` and the present tag. Whoever may not
 * do the write is told that instead, whatever tag he names.
 */
export function ifMatch(
  row: Route,
  routes: readonly Route[],
  ports: IfMatchPorts,
): (write: Guarded) => Promise<Result> {
  const read = shownBy(row, routes);
  if (!read)
    return () =>
      refuse(
        'validation_failed',
        `If-Match has no meaning for ${row.method} ${row.path}: nothing there has an ETag. Leave it out.`,
      );
  const operation = ports.prepare(read.operation);
  const variables = (params: Guarded['params']) =>
    Object.fromEntries(pathParameters(read.path).map((name) => [name, params[name]]));

  return async ({ header, params, context, done, run, runsOnce }) => {
    if (!isStarOrTags(header))
      refuse('validation_failed', 'If-Match takes the ETag of what was read as it came, in its double quotes, or *.', {
        errors: [{ path: '/If-Match', message: 'must be an ETag in double quotes' }],
      });
    for (let left = runsOnce ? 1 : TRIES; ; left--) {
      const seen = await ports.look(read.path.split('/')[1] ?? '', params.id ?? '');
      const answer = await ports.execute(operation, variables(params), { ...context });
      if (answer.errors?.length) return answer;
      const etag = etagOfRow(read, answer.data);
      if (etag === null || !seen || header.trim() === '*' || (await done())) return run({ ...context });
      // and as seen in a state that never was: whoever passes over the word (an earlier version, while the service is updated) refuses it in the transaction
      if (!namesStrongTag(header, etag))
        return run({ ...context, staleTag: etag, expected: { ...seen, tag: 'another' } });
      const result = await run({ ...context, expected: seen });
      if (!result.errors?.some(({ extensions }) => extensions.code === 'precondition_failed')) return result;
      if (left === 1) throw changed(etag);
    }
  };
}

function changed(etag: string): DomainError {
  return new DomainError('precondition_failed', 'It has changed since it was read. Read it again, then decide anew.', {
    etag,
  });
}

/** The row whose answer shows what a row writes: the GET of its address, of its file, or of the record it belongs to. */
export function shownBy({ path }: Route, routes: readonly Route[]): Route | undefined {
  const steps = path.split('/');
  const owners = steps.map((_, i) => steps.slice(0, steps.length - i).join('/'));
  const reads = routes.filter(({ method, send }) => method === 'GET' && send !== 'events');
  return [path, `${path}/file`, ...owners]
    .map((at) => reads.find((read) => read.path === at && at.includes(':')))
    .find((read) => read !== undefined);
}
