// Provenance of generated documents as in-toto statements (v1) with SLSA provenance (v1), which supply-chain tools
// read.

export type Provenance = {
  serviceVersion: string;
  run: {
    id: string;
    params: object;
    requestedAt: Date;
    finishedAt: Date;
    startedAt: Date | null;
    engine: string;
    isolation: string;
  };
  code: { repoUrl: string; ref: string; path: string; commit: string; archiveSha256: string };
  generator: { documentId: string; number: string | null; name: string; version: string };
  /** The generated documents with their main file. */
  documents: { number: string; documentId: string; versionId: string | null; fileName: string; sha256: string }[];
};

const BUILD_TYPE = 'urn:pdm:generator-run:v1';

/**
 * Returns the statement about a finished run. docs/generators.md describes the `buildType`, which defines the
 * `externalParameters`.
 */
export function provenanceStatement({ serviceVersion, run, code, generator, documents }: Provenance): object {
  const { repoUrl, ref, path, commit, archiveSha256 } = code;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: documents.map(({ number, documentId, versionId, fileName, sha256 }) => ({
      name: `${number}/${fileName}`,
      uri: `pdm://documents/${documentId}@v1`,
      digest: { sha256 },
      annotations: { documentId, versionId },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { repository: repoUrl, ref, path, params: run.params },
        internalParameters: { generator, engine: run.engine, isolation: run.isolation },
        resolvedDependencies: [
          { uri: `git+${repoUrl}@${ref}`, digest: { gitCommit: commit }, annotations: { path } },
          { name: 'code.tar', digest: { sha256: archiveSha256 } },
        ],
      },
      runDetails: {
        builder: { id: `urn:pdm:builder:${run.isolation}`, version: { pdm: serviceVersion, engine: run.engine } },
        metadata: {
          invocationId: run.id,
          startedOn: (run.startedAt ?? run.requestedAt).toISOString(),
          finishedOn: run.finishedAt.toISOString(),
        },
      },
    },
  };
}
