import type { BomRow } from '../core/domain/assembly/bom.ts';
import {
  type Context,
  defineSubgraph,
  entityBy,
  entityOfOthers,
  mutation,
  mutationOutsideTransaction,
  query,
  type Subgraph,
  Upload,
} from '../core/graphql.ts';
import type { Services } from '../core/work.ts';
import { deleteArtifact } from './delete-artifact.ts';
import { download } from './download.ts';
import type { Resolvers } from './generated/resolvers.ts';
import { pageOfArtifacts } from './list-artifacts.ts';
import { type Loaders, loaders } from './loaders.ts';
import { newestThumbnail } from './newest-thumbnail.ts';
import { compareBomsOf } from './references/compare-boms.ts';
import { type BomOf, readBom } from './references/read-bom.ts';
import { readReferencePage, readReferences } from './references/read-references.ts';
import { readReferenceUpdates } from './references/reference-updates.ts';
import { releaseImpact } from './references/release-impact.ts';
import { replaceInDrafts } from './references/replace-in-drafts.ts';
import { explainAddress } from './references/resolve-address.ts';
import { resolvedAsmJson } from './references/resolved-asm-json.ts';
import { updateReferences } from './references/update-references.ts';
import { whereUsed } from './references/where-used.ts';
import { uploadArtifact } from './upload-artifact.ts';

type In = Context<Loaders>;

/** The files of drafts and versions. */
export function artifactsSubgraph(services: Services): Subgraph {
  return defineSubgraph<Loaders>({
    name: 'artifacts',
    schema: new URL('./schema.graphql', import.meta.url),
    services,
    resolvers,
    // a file that it stored or was given to work on, and whose it is
    shownToWorkers: ['Artifact', 'User'],
    loaders,
  });
}

const bomLinks = {
  document: ({ documentId }: BomOf) => ({ id: documentId }),
  version: ({ versionId }: BomOf) => ({ id: versionId }),
};
const rowLinks = {
  document: ({ documentId }: Pick<BomRow, 'documentId'>) => stub(documentId),
  version: ({ resolution }: Pick<BomRow, 'resolution'>) => stub(resolution?.versionId ?? null),
};

const placeLinks = {
  document: ({ documentId }: { documentId: string }) => ({ id: documentId }),
  version: ({ versionId }: { versionId: string }) => ({ id: versionId }),
};

const resolvers: Resolvers<In> = {
  Upload,
  Query: {
    references: query(readReferences),
    referencePage: query(readReferencePage),
    bom: query(readBom),
    compareBoms: query(compareBomsOf),
    resolveAddress: query(explainAddress),
    whereUsed: query(whereUsed),
    referenceUpdates: query(readReferenceUpdates),
    releaseImpact: query(releaseImpact),
    artifact: query(({ loaders }: In, { id }: { id: string }) => loaders.artifact.load(id)),
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
    __resolveReference: entityOfOthers<Loaders>(),
    thumbnail: ({ id }, _arguments, { loaders }) => loaders.newestThumbnail.load(id),
    thumbnailUrl: async ({ id }, _arguments, { loaders }) =>
      (await loaders.newestThumbnail.load(id)) ? `/api/v1/documents/${id}/thumbnail` : null,
    whereUsed: ({ id }, asked, context) => {
      context.loaders.whereUsedAllowance();
      return whereUsed(context, { documentId: id, ...asked });
    },
  },
  Version: {
    __resolveReference: entityOfOthers<Loaders>(),
    references: ({ id }, _arguments, { loaders }) => loaders.referencesOfVersion.load(id),
    bomLines: async ({ id }, { resolve }, { loaders }) => {
      const lines = await loaders.bomLines.load({ versionId: id, now: resolve === 'now' });
      loaders.bomAllowance(lines.length);
      return lines;
    },
    artifacts: ({ id }, _arguments, { loaders }) => loaders.artifactsOfVersion.load(id),
    artifactPage: async ({ id }, asked, { loaders }) =>
      pageOfArtifacts(id, await loaders.artifactsOfVersion.load(id), asked),
    artifact: async ({ id }, { kind }, { loaders }) =>
      (await loaders.artifactsOfVersion.load(id)).find((artifact) => artifact.kind === kind) ?? null,
    thumbnailUrl: async ({ id }, _arguments, { loaders }) =>
      (await loaders.thumbnailOfVersion.load(id)).length ? `/api/v1/versions/${id}/artifacts/thumbnail/file` : null,
  },
  Bom: bomLinks,
  ComparedBom: bomLinks,
  BomRow: rowLinks,
  BomLine: {
    ...rowLinks,
    outdatedBelow: ({ resolution, opens }, _arguments, { loaders }) =>
      resolution && opens ? loaders.outdatedIn.load(resolution.versionId) : false,
  },
  Reference: { document: ({ documentId }) => stub(documentId) },
  ReferenceUpdate: { document: ({ documentId }) => stub(documentId) },
  Use: { ...placeLinks, via: ({ via }) => via.map((id) => ({ id })) },
  Impact: placeLinks,
  DraftReplacement: placeLinks,
  ResolvedAddress: { document: ({ documentId }) => stub(documentId) },
  Resolution: { version: ({ versionId }) => ({ id: versionId }) },
  Artifact: {
    __resolveReference: entityBy((loaders: Loaders) => loaders.artifact),
    id: ({ _id }) => _id,
    version: ({ versionId }) => ({ id: versionId }),
  },
  User: {
    id: (id) => id,
    name: async (id, _arguments, { loaders }) => (await loaders.user.load(id))?.name ?? 'unknown',
  },
};

function stub(id: string | null): { id: string } | null {
  return id === null ? null : { id };
}
