import { provenanceStatement } from '../core/domain/jobs/provenance.ts';
import type { Context } from '../core/graphql.ts';
import { version } from '../core/platform/version.ts';
import { ASM_JSON } from '../core/store/assembly/references.ts';
import { artifactsOfKind } from '../core/store/files/artifacts.ts';
import type { RunRecord } from '../core/store/schema/collections.ts';
import { versionsOf } from '../core/store/versions.ts';
import type { Loaders } from './loaders.ts';
import { parsedParams } from './read-runs.ts';

/** The in-toto statement about a run; null until it is done. Its subjects are the files that the first versions of its documents were made of. */
export async function readProvenance(
  run: RunRecord,
  _arguments: unknown,
  { scope, loaders }: Context<Loaders>,
): Promise<object | null> {
  const { result, code, codeSha256, generator } = run;
  if (!result) return null;
  loaders.provenanceAllowance();
  const [job, source] = [await loaders.job.load(run.jobId), await loaders.document.load(run.documentId)];
  const firsts = (await versionsOf(scope, result.documentIds)).filter(({ n }) => n === 1);
  const ids = firsts.map(({ _id }) => _id);
  const files = [...(await artifactsOfKind(scope, ids, 'source')), ...(await artifactsOfKind(scope, ids, ASM_JSON))];
  const documents = await loaders.document.loadMany(result.documentIds);
  const made = documents.flatMap((document) => {
    const file =
      document && !(document instanceof Error) && files.find(({ documentId }) => documentId === document._id);
    if (!file) return [];
    const { number, _id: documentId } = document;
    return [{ number, documentId, versionId: file.versionId, fileName: file.fileName, sha256: file.sha256 }];
  });
  return provenanceStatement({
    serviceVersion: version,
    run: {
      ...{ id: run._id, params: parsedParams(run), requestedAt: run.createdAt, startedAt: job?.startedAt ?? null },
      ...{ finishedAt: result.at, engine: result.engine, isolation: result.isolation },
    },
    code: { ...code, archiveSha256: codeSha256 },
    generator: { documentId: run.documentId, number: source?.number ?? null, ...generator },
    made,
  });
}
