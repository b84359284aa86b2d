import { isObject } from '../../subgraphs/core/domain/text/is-object.ts';
import {
  DeleteArtifactDocument,
  DownloadArtifactDocument,
  DownloadVersionArtifactDocument,
  ListArtifactsDocument,
  ReadArtifactDocument,
  UploadArtifactDocument,
} from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

const UPLOAD = {
  id: 'path',
  kind: 'query',
  file: 'file',
  generator: 'header X-Generator',
  inputSha256: 'header X-Input-Sha256',
  attempt: 'header X-Job-Attempt',
  split: 'query',
} as const;

// what an engine makes of a source comes and goes without whoever uploads the next one having to know
function filesOfPeople(body: unknown): unknown {
  const files =
    isObject(body) && Array.isArray(body.items)
      ? body.items.filter((file) => isObject(file) && file.generator === null)
      : [];
  return files.map(({ id, sha256 }) => ({ id, sha256 }));
}

export const FILE_ROUTES: readonly Route[] = [
  route(
    'GET /versions/:id/artifacts',
    'The files of a draft or version, by kind',
    ListArtifactsDocument,
    'version.artifactPage',
    {
      id: 'path',
      ...PAGE,
    },
    { usualSort: 'kind', own: filesOfPeople },
  ),
  route(
    'POST /versions/:id/artifacts',
    'Upload a file: the body is its content, X-File-Name its name',
    UploadArtifactDocument,
    'uploadArtifact',
    UPLOAD,
    { status: 201, location: '/artifacts/:id' },
  ),
  route(
    'GET /versions/:id/artifacts/:kind/file',
    'Download the file of a kind',
    DownloadVersionArtifactDocument,
    'download',
    { id: 'path', kind: 'path' },
    { send: 'file' },
  ),
  route(
    'DELETE /versions/:id/artifacts/:kind',
    'Remove a file from a draft',
    DeleteArtifactDocument,
    'deleteArtifact',
    { id: 'path', kind: 'path' },
    { status: 204 },
  ),
  route('GET /artifacts/:id', 'Read the record of a file', ReadArtifactDocument, 'artifact', { id: 'path' }),
  route(
    'GET /artifacts/:id/file',
    'Download a file',
    DownloadArtifactDocument,
    'download',
    { id: 'path' },
    { send: 'file' },
  ),
];
