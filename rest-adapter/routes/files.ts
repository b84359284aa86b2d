import { isObject } from '../../subgraphs/core/domain/text/is-object.ts';
import { operation } from '../generated/operations.ts';
import { DRAFT_ERRORS, PAGE_VARIABLES, type Route, route } from '../route.ts';

const UPLOAD_VARIABLES = {
  id: 'path',
  kind: 'query',
  file: 'file',
  generator: 'header X-Generator',
  inputSha256: 'header X-Input-Sha256',
  attempt: 'header X-Job-Attempt',
  split: 'query',
} as const;

// Derived files change in the background and do not invalidate If-Match.
function userFilesOnly(body: unknown): unknown {
  const files =
    isObject(body) && Array.isArray(body.items)
      ? body.items.filter((file) => isObject(file) && file.generator === null)
      : [];
  return files.map(({ id, sha256 }) => ({ id, sha256 }));
}

export const FILE_ROUTES: readonly Route[] = [
  route('GET /versions/:id/artifacts', {
    summary: 'List the files of a draft or version, ordered by kind',
    operation: operation(`
      query ListArtifacts(
        $id: ID!, $sort: ArtifactSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean
      ) {
        version(id: $id) {
          artifactPage(sort: $sort, descending: $descending, limit: $limit, cursor: $cursor, total: $total) {
            items {
              ...Artifact
            }
            nextCursor
            total
          }
        }
      }
    `),
    pick: 'version.artifactPage',
    variables: {
      id: 'path',
      ...PAGE_VARIABLES,
    },
    defaultSort: 'kind',
    editablePart: userFilesOnly,
  }),
  route('POST /versions/:id/artifacts', {
    summary: 'Upload a file to a draft: the body is the content, the header X-File-Name is the name',
    operation: operation(`
      mutation UploadArtifact(
        $id: ID!, $kind: String!, $file: Upload!, $generator: String, $inputSha256: String, $attempt: Int
        $split: Boolean
      ) {
        uploadArtifact(
          versionId: $id, kind: $kind, file: $file, generator: $generator, inputSha256: $inputSha256
          attempt: $attempt, split: $split
        ) {
          ...Artifact
        }
      }
    `),
    pick: 'uploadArtifact',
    errors: [
      ...DRAFT_ERRORS,
      'bad_address',
      'invalid_asm_json',
      'invalid_result',
      'lease_lost',
      'not_a_draft',
      'not_your_job',
      'reference_cycle',
      'stale_input',
      'unknown_artifact_kind',
      'wrong_kind',
    ],
    variables: UPLOAD_VARIABLES,
    status: 201,
    location: '/artifacts/:id',
  }),
  route('GET /versions/:id/artifacts/:kind/file', {
    summary: 'Download the file of a kind',
    description:
      'Returns the bytes of the file, or a range of them. Users may download any file, a worker the inputs of its job.',
    operation: operation(`
      query DownloadVersionArtifact($id: ID!, $kind: String!) {
        download(versionId: $id, kind: $kind) {
          ...Artifact
        }
      }
    `),
    pick: 'download',
    errors: ['not_your_job', 'stale_input', 'unknown_artifact_kind'],
    variables: { id: 'path', kind: 'path' },
    send: 'file',
  }),
  route('DELETE /versions/:id/artifacts/:kind', {
    summary: 'Delete a file from a draft',
    operation: operation(`
      mutation DeleteArtifact($id: ID!, $kind: String!) {
        deleteArtifact(versionId: $id, kind: $kind)
      }
    `),
    pick: 'deleteArtifact',
    errors: [...DRAFT_ERRORS, 'not_a_draft', 'unknown_artifact_kind', 'wrong_kind'],
    variables: { id: 'path', kind: 'path' },
    status: 204,
  }),
  route('GET /source-files', {
    summary: 'Find source files by their SHA-256, to find out which files already exist',
    operation: operation(`
      query FindSourceFiles($sha256: [String!]!) {
        sourceFiles(sha256: $sha256) {
          ...Artifact
        }
      }
    `),
    pick: 'sourceFiles',
    variables: { sha256: 'query' },
  }),
  route('GET /artifacts/:id', {
    summary: 'Read the metadata of a file',
    operation: operation(`
      query ReadArtifact($id: ID!) {
        artifact(id: $id) {
          ...Artifact
        }
      }
    `),
    pick: 'artifact',
    variables: { id: 'path' },
  }),
  route('GET /artifacts/:id/file', {
    summary: 'Download a file',
    description:
      'Returns the bytes of the file, or a range of them. Users may download any file, a worker the inputs of its job.',
    operation: operation(`
      query DownloadArtifact($id: ID!) {
        download(artifactId: $id) {
          ...Artifact
        }
      }
    `),
    pick: 'download',
    errors: ['not_your_job', 'stale_input'],
    variables: { id: 'path' },
    send: 'file',
  }),
];
