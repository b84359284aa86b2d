import { page, pageSize, readCursor } from '../core/domain/paging.ts';
import type { Context } from '../core/graphql.ts';
import type { DocumentRecord, RunRecord } from '../core/store/collections.ts';
import { runsOf } from '../core/store/runs.ts';
import type { Loaders } from './loaders.ts';
import type { RunPage } from './sources.ts';

/** A page of the runs that were asked for in a draft or version, newest first. */
export async function readRuns(
  { scope, loaders }: Pick<Context<Loaders>, 'scope' | 'loaders'>,
  versionId: string,
  { limit, cursor }: { limit?: number | null; cursor?: string | null },
): Promise<RunPage> {
  loaders.runListAllowance();
  const size = pageSize(limit);
  const list = `runs:${versionId}`;
  const [at, id] = readCursor(list, cursor) ?? [];
  const before = at === undefined ? undefined : { at: new Date(Number(at)), id: String(id ?? '') };
  const found = await runsOf(scope, versionId, { limit: size + 1, before });
  for (const run of found) loaders.run.prime(run._id, run);
  return page(found, size, ({ createdAt, _id }) => [createdAt.getTime(), _id], list);
}

/** The run that made a document; null for what people made. */
export async function runOf(loaders: Loaders, document: DocumentRecord | null): Promise<RunRecord | null> {
  return document?.generated ? loaders.run.load(document.generated.runId) : null;
}

/** The parameters of a run as a value; stored is their canonical text. */
export function parsedParams({ params }: RunRecord): Record<string, unknown> {
  return JSON.parse(params);
}
