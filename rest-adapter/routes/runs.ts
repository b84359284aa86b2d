import {
  SubmitJobResultDocument,
  ListRunsDocument,
  ReadProvenanceDocument,
  ReadRunDocument,
  RequestRunDocument,
  SetCodeDocument,
  SyncCodeDocument,
} from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

export const RUN_ROUTES: readonly Route[] = [
  route('PUT /versions/:id/code', 'Name where the generator of a code draft lives', SetCodeDocument, 'setCode', {
    id: 'path',
    repoUrl: 'body.*',
    ref: 'body.*',
    path: 'body.*',
  }),
  route(
    'POST /versions/:id/code/sync',
    'Fetch the code: the ref becomes a commit, its files and its manifest are stored',
    SyncCodeDocument,
    'syncCode',
    {
      id: 'path',
    },
  ),
  route(
    'POST /versions/:id/runs',
    'Run the generator; the same params on the same commit answer with the run that is there (200) unless force is set',
    RequestRunDocument,
    'requestRun',
    { id: 'path', params: 'body.*', force: 'body.*' },
    { status: 201, existing: 'created', location: '/runs/:id', spread: ['run'] },
  ),
  route(
    'GET /versions/:id/runs',
    'The runs that were asked for in a draft or version, newest first',
    ListRunsDocument,
    'version.runs',
    {
      id: 'path',
      ...PAGE,
    },
    { usualSort: '-createdAt' },
  ),
  route('GET /runs/:id', 'Read a run with its job and the documents it made', ReadRunDocument, 'run', { id: 'path' }),
  route(
    'GET /runs/:id/provenance',
    'How the documents of a finished run came about: in-toto statement, SLSA provenance v1',
    ReadProvenanceDocument,
    'run.provenance',
    {
      id: 'path',
    },
  ),
  route(
    'POST /jobs/:id/result',
    'What a run made, from the worker that holds it: a tar archive with result.json and the files key/kind; ends the job as done',
    SubmitJobResultDocument,
    'submitJobResult',
    { id: 'path', file: 'file', attempt: 'header X-Job-Attempt' },
  ),
];
