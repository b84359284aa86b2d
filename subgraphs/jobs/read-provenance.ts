// Builds the provenance statement of a run.
import { provenanceStatement } from '../core/domain/jobs/provenance.ts';
import type { Context } from '../core/graphql.ts';
import { version } from '../core/platform/version.ts';
import { ASM_JSON } from '../core/store/assembly/references.ts';
import { artifactsOfKind } from '../core/store/files/artifacts.ts';
import type { RunRecord } from '../core/store/schema/collections.ts';
import { versionsOf } from '../core/store/versions.ts';
import type { Loaders } from './loaders.ts';
import { parsedParams } from './read-runs.ts';

/**
 * Returns the in-toto statement of a run, or null until it is done. Its subjects are the files of the created
 * documents.
 */
export async function readProvenance(
  run: RunRecord,
  _arguments: unknown,
  { scope, loaders }: Context<Loaders>,
): Promise<object | null> {
  const { result, code, codeSha256, generator } = run;
  if (!result) return null;
  loaders.assertProvenanceLimit();
  const job = await loaders.job.load(run.jobId);
  const generatorDocument = await loaders.document.load(run.documentId);
  const firstVersions = (await versionsOf(scope, result.documentIds)).filter(({ n }) => n === 1);
  const ids = firstVersions.map(({ _id }) => _id);
  const files = [...(await artifactsOfKind(scope, ids, 'source')), ...(await artifactsOfKind(scope, ids, ASM_JSON))];
  const records = await loaders.document.loadMany(result.documentIds);
  const documents = records.flatMap((document) => {
    const file =
      document && !(document instanceof Error) && files.find(({ documentId }) => documentId === document._id);
    if (!file) return [];
    const { number, _id: documentId } = document;
    return [{ number, documentId, versionId: file.versionId, fileName: file.fileName, sha256: file.sha256 }];
  });
  return provenanceStatement({
    serviceVersion: version,
    run: {
      id: run._id,
      params: parsedParams(run),
      requestedAt: run.createdAt,
      startedAt: job?.startedAt ?? null,
      finishedAt: result.at,
      engine: result.engine,
      isolation: result.isolation,
    },
    code: { ...code, archiveSha256: codeSha256 },
    generator: { documentId: run.documentId, number: generatorDocument?.number ?? null, ...generator },
    documents,
  });
}
