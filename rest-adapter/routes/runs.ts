import { operation } from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

export const RUN_ROUTES: readonly Route[] = [
  route('PUT /versions/:id/code', {
    summary: 'Name where the generator of a code draft lives',
    operation: operation(`
      mutation SetCode($id: ID!, $repoUrl: String!, $ref: String!, $path: String) {
        setCode(versionId: $id, repoUrl: $repoUrl, ref: $ref, path: $path) {
          ...Version
        }
      }
    `),
    pick: 'setCode',
    variables: {
      id: 'path',
      repoUrl: 'body.*',
      ref: 'body.*',
      path: 'body.*',
    },
    example: { repoUrl: 'https://example.com/parts/gears.git', ref: 'main', path: 'spur' },
  }),
  route('POST /versions/:id/code/sync', {
    summary: 'Fetch the code: the ref becomes a commit, its files and its manifest are stored',
    operation: operation(`
      mutation SyncCode($id: ID!) {
        syncCode(versionId: $id, waitSeconds: 30) {
          ...Version
        }
      }
    `),
    pick: 'syncCode',
    variables: {
      id: 'path',
    },
  }),
  route('POST /versions/:id/runs', {
    summary:
      'Run the generator; the same params on the same commit answer with the run that is there (200) unless force is set',
    operation: operation(`
      mutation RequestRun($id: ID!, $params: JSON, $force: Boolean) {
        requestRun(versionId: $id, params: $params, force: $force) {
          run {
            ...Run
          }
          created
        }
      }
    `),
    pick: 'requestRun',
    variables: { id: 'path', params: 'body.*', force: 'body.*' },
    example: { params: { width: 40, holes: 4 }, force: false },
    status: 201,
    existing: 'created',
    location: '/runs/:id',
    spread: ['run'],
  }),
  route('GET /versions/:id/runs', {
    summary: 'The runs that were asked for in a draft or version, newest first',
    operation: operation(`
      query ListRuns($id: ID!, $sort: RunSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean) {
        version(id: $id) {
          runs(sort: $sort, descending: $descending, limit: $limit, cursor: $cursor, total: $total) {
            items {
              ...Run
            }
            nextCursor
            total
          }
        }
      }
    `),
    pick: 'version.runs',
    variables: {
      id: 'path',
      ...PAGE,
    },
    usualSort: '-createdAt',
  }),
  route('GET /runs/:id', {
    summary: 'Read a run with its job and the documents it made',
    operation: operation(`
      query ReadRun($id: ID!) {
        run(id: $id) {
          ...Run
        }
      }
    `),
    pick: 'run',
    variables: { id: 'path' },
  }),
  route('GET /runs/:id/provenance', {
    summary: 'How the documents of a finished run came about: in-toto statement, SLSA provenance v1',
    operation: operation(`
      query ReadProvenance($id: ID!) {
        run(id: $id) {
          provenance
        }
      }
    `),
    pick: 'run.provenance',
    variables: {
      id: 'path',
    },
  }),
  route('POST /jobs/:id/result', {
    summary:
      'What a run made, from the worker that holds it: a tar archive with result.json and the files key/kind; ends the job as done',
    operation: operation(`
      mutation SubmitJobResult($id: ID!, $file: Upload!, $attempt: Int) {
        submitJobResult(id: $id, file: $file, attempt: $attempt) {
          ...Job
        }
      }
    `),
    pick: 'submitJobResult',
    variables: { id: 'path', file: 'file', attempt: 'header X-Job-Attempt' },
  }),
];
