// Lists the runs of a generator.
import { notFound } from '../core/domain/errors.ts';
import { assertCodeDocument } from '../core/domain/jobs/code-state.ts';
import { decodePosition, type PageInput, page, pageSize, resolveOrder } from '../core/domain/text/paging.ts';
import type { Context } from '../core/graphql.ts';
import { countRuns, runsOf } from '../core/store/jobs/runs.ts';
import { datePosition } from '../core/store/query/page-request.ts';
import type { DocumentRecord, RunRecord } from '../core/store/schema/collections.ts';
import type { Loaders } from './loaders.ts';
import type { RunPage } from './sources.ts';

/**
 * Returns a page of the runs of a code draft or version, by default newest first. Throws `wrong_kind` for other kinds
 * of document.
 */
export async function readRuns(
  { scope, loaders }: Pick<Context<Loaders>, 'scope' | 'loaders'>,
  versionId: string,
  input: PageInput<'createdAt'>,
): Promise<RunPage> {
  loaders.assertRunListLimit();
  const limit = pageSize(input.limit);
  const { descending } = resolveOrder(input, { sort: 'createdAt', descending: true });
  const list = `runs:${versionId}:${descending}`;
  const after = datePosition(decodePosition(list, input.cursor));
  const version = await loaders.version.load(versionId);
  const document = version && (await loaders.document.load(version.documentId));
  if (!document) throw notFound('version', versionId);
  assertCodeDocument(document);
  const [found, total] = await Promise.all([
    runsOf(scope, versionId, { descending, limit: limit + 1, after }),
    input.total ? countRuns(scope, versionId) : null,
  ]);
  for (const run of found) loaders.run.prime(run._id, run);
  return { ...page(found, limit, ({ createdAt, _id }) => [createdAt.getTime(), _id], list), total };
}

/** Returns the run that created a document; null for documents that users created. */
export async function runOf(loaders: Loaders, document: DocumentRecord | null): Promise<RunRecord | null> {
  return document?.generated ? loaders.run.load(document.generated.runId) : null;
}

/** Returns the parameters of a run, which are stored as canonical JSON. */
export function parsedParams({ params }: RunRecord): Record<string, unknown> {
  return JSON.parse(params);
}
