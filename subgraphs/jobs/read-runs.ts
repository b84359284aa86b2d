import { notFound } from '../core/domain/errors.ts';
import { isCodeDocument } from '../core/domain/jobs/code-state.ts';
import { resolveOrder, type PageInput, page, pageSize, decodePosition } from '../core/domain/text/paging.ts';
import type { Context } from '../core/graphql.ts';
import { countRuns, runsOf } from '../core/store/jobs/runs.ts';
import { datePosition } from '../core/store/query/page-request.ts';
import type { DocumentRecord, RunRecord } from '../core/store/schema/collections.ts';
import type { Loaders } from './loaders.ts';
import type { RunPage } from './sources.ts';

/**
 * A page of the runs that were asked for in a draft or version, newest first unless told otherwise. Refuses with `wrong_kind` what is no
 * code document's.
 */
export async function readRuns(
  { scope, loaders }: Pick<Context<Loaders>, 'scope' | 'loaders'>,
  versionId: string,
  input: PageInput<'createdAt'>,
): Promise<RunPage> {
  loaders.runListAllowance();
  const limit = pageSize(input.limit);
  const { descending } = resolveOrder(input, { sort: 'createdAt', descending: true });
  const list = `runs:${versionId}:${descending}`;
  const after = datePosition(decodePosition(list, input.cursor));
  const version = await loaders.version.load(versionId);
  const document = version && (await loaders.document.load(version.documentId));
  if (!document) throw notFound('version', versionId);
  isCodeDocument(document);
  const [found, total] = await Promise.all([
    runsOf(scope, versionId, { descending, limit: limit + 1, after }),
    input.total ? countRuns(scope, versionId) : null,
  ]);
  for (const run of found) loaders.run.prime(run._id, run);
  return { ...page(found, limit, ({ createdAt, _id }) => [createdAt.getTime(), _id], list), total };
}

/** The run that made a document; null for what people made. */
export async function runOf(loaders: Loaders, document: DocumentRecord | null): Promise<RunRecord | null> {
  return document?.generated ? loaders.run.load(document.generated.runId) : null;
}

/** The parameters of a run as a value; stored is their canonical text. */
export function parsedParams({ params }: RunRecord): Record<string, unknown> {
  return JSON.parse(params);
}
