// The artifacts subgraph: files, references, BOMs and where-used.
import type { BomRow } from '../core/domain/assembly/bom.ts';
import {
  assertPermitted,
  type Context,
  defineSubgraph,
  entityBy,
  entityStub,
  lookup,
  mutation,
  mutationOutsideTransaction,
  query,
  type Subgraph,
  Upload,
  userResolvers,
} from '../core/graphql.ts';
import type { Services } from '../core/work.ts';
import { deleteArtifact } from './delete-artifact.ts';
import { download } from './download.ts';
import { findSources } from './find-sources.ts';
import type { Resolvers } from './generated/resolvers.ts';
import { pageOfArtifacts } from './list-artifacts.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import { newestThumbnail } from './newest-thumbnail.ts';
import { readMeasure } from './read-measure.ts';
import { readBomComparison } from './references/compare-boms.ts';
import { explainAddress } from './references/explain-address.ts';
import { isAssembly, readBom } from './references/read-bom.ts';
import { readReferencePage, readReferences } from './references/read-references.ts';
import { readReferenceUpdates } from './references/reference-updates.ts';
import { releaseImpact } from './references/release-impact.ts';
import { replaceInDrafts } from './references/replace-in-drafts.ts';
import { resolvedAsmJson } from './references/resolved-asm-json.ts';
import { updateReferences } from './references/update-references.ts';
import { isFirstPage, whereUsed } from './references/where-used.ts';
import { uploadArtifact } from './upload-artifact.ts';

type SubgraphContext = Context<Loaders>;

/** Creates the artifacts subgraph. */
export function artifactsSubgraph(services: Services): Subgraph {
  return defineSubgraph<Loaders>({
    name: 'artifacts',
    schema: new URL('./schema.graphql', import.meta.url),
    services,
    resolvers,
    // Workers see the files they store or process, and who created them.
    shownToWorkers: ['Artifact', 'User'],
    loaders: createLoaders,
  });
}

const rowLinks = {
  document: ({ documentId }: Pick<BomRow, 'documentId'>) => stubOf(documentId),
  version: ({ resolution }: Pick<BomRow, 'resolution'>) => stubOf(resolution?.versionId ?? null),
};

const versionLinks = {
  document: ({ documentId }: { documentId: string }) => ({ id: documentId }),
  version: ({ versionId }: { versionId: string }) => ({ id: versionId }),
};

const resolvers: Resolvers<SubgraphContext> = {
  Upload,
  Query: {
    references: query(readReferences),
    referencePage: query(readReferencePage),
    bom: query(readBom),
    measure: query(readMeasure),
    compareBoms: query(readBomComparison),
    resolveAddress: query(explainAddress),
    whereUsed: query(whereUsed),
    sourceFiles: query(findSources),
    referenceUpdates: query(readReferenceUpdates),
    releaseImpact: query(releaseImpact),
    artifact: lookup('file', ({ loaders }: SubgraphContext, { id }: { id: string }) => loaders.artifact.load(id)),
    download,
    resolvedAsmJson,
    thumbnail: query(newestThumbnail),
  },
  Mutation: {
    uploadArtifact,
    deleteArtifact: mutation(deleteArtifact),
    // Prepare the new file before the transaction that stores it.
    updateReferences: mutationOutsideTransaction(updateReferences),
    replaceInDrafts: mutationOutsideTransaction(replaceInDrafts),
  },
  Document: {
    __resolveReference: entityStub<Loaders>(),
    thumbnail: ({ id }, _arguments, { loaders }) => loaders.newestThumbnail.load(id),
    thumbnailUrl: async ({ id }, _arguments, { loaders }) =>
      (await loaders.newestThumbnail.load(id)) ? `/api/v1/documents/${id}/thumbnail` : null,
    whereUsed: ({ id }, input, { scope, loaders }) => {
      if (isFirstPage(input)) return loaders.firstUses.load({ documentId: id, ...input });
      loaders.assertWhereUsedLimit();
      return whereUsed({ scope }, { documentId: id, ...input });
    },
  },
  Version: {
    __resolveReference: entityStub<Loaders>(),
    references: ({ id }, _arguments, { loaders }) => loaders.referencesOfVersion.load(id),
    bomLines: async ({ id }, { resolve }, { loaders }) => {
      const lines = await loaders.bomLines.load({ versionId: id, now: resolve === 'now' });
      loaders.assertBomLineLimit(lines.length);
      return lines;
    },
    bom: async ({ id }, input, context) => {
      context.loaders.assertBomLimit();
      return (await isAssembly(context, id)) ? readBom(context, { versionId: id, ...input }) : null;
    },
    artifacts: ({ id }, _arguments, { loaders }) => loaders.artifactsOfVersion.load(id),
    artifactPage: async ({ id }, input, { loaders }) =>
      pageOfArtifacts(id, await loaders.artifactsOfVersion.load(id), input),
    artifact: async ({ id }, { kind }, { loaders }) =>
      (await loaders.artifactsOfVersion.load(id)).find((artifact) => artifact.kind === kind) ?? null,
    thumbnailUrl: async ({ id }, _arguments, { loaders }) =>
      (await loaders.thumbnailOfVersion.load(id)).length ? `/api/v1/versions/${id}/artifacts/thumbnail/file` : null,
  },
  Bom: versionLinks,
  ComparedBom: versionLinks,
  BomRow: rowLinks,
  BomLine: {
    ...rowLinks,
    outdatedBelow: ({ resolution, hasLines }, _arguments, { loaders }) =>
      resolution && hasLines ? loaders.outdatedIn.load(resolution.versionId) : false,
  },
  Reference: { document: ({ documentId }) => stubOf(documentId) },
  ReferenceUpdate: { document: ({ documentId }) => stubOf(documentId) },
  Use: { ...versionLinks, via: ({ via }) => via.map((id) => ({ id })) },
  Impact: versionLinks,
  ReleaseImpact: versionLinks,
  RejectedCandidate: { version: versionLinks.version },
  DraftReplacement: versionLinks,
  ResolvedAddress: { document: ({ documentId }) => stubOf(documentId) },
  Resolution: { version: ({ versionId }) => ({ id: versionId }) },
  Artifact: {
    __resolveReference: entityBy((loaders: Loaders) => loaders.artifact),
    id: ({ _id }) => _id,
    version: ({ versionId }) => ({ id: versionId }),
    job: ({ jobId }, _arguments, { request, loaders }) => {
      assertPermitted(request, 'read'); // the job of a file may be another worker's
      return loaders.linkToJob(jobId);
    },
    url: ({ _id }) => `/api/v1/artifacts/${_id}/file`,
  },
  User: userResolvers,
};

function stubOf(id: string | null): { id: string } | null {
  return id === null ? null : { id };
}
