import { operation } from '../generated/operations.ts';
import { DRAFT_ERRORS, PAGE_VARIABLES, type Route, route } from '../route.ts';

export const RUN_ROUTES: readonly Route[] = [
  route('PUT /versions/:id/code', {
    summary: 'Set the repository, ref and path of a generator in the draft of a code document',
    operation: operation(`
      mutation SetCode($id: ID!, $repoUrl: String!, $ref: String!, $path: String) {
        setCode(versionId: $id, repoUrl: $repoUrl, ref: $ref, path: $path) {
          ...Version
        }
      }
    `),
    pick: 'setCode',
    errors: [...DRAFT_ERRORS, 'not_a_draft', 'wrong_kind'],
    variables: {
      id: 'path',
      repoUrl: 'body.*',
      ref: 'body.*',
      path: 'body.*',
    },
    example: { repoUrl: 'https://example.com/parts/gears.git', ref: 'main', path: 'spur' },
  }),
  route('POST /versions/:id/code/sync', {
    summary: 'Fetch the code: resolve the ref to a commit, and store its files and manifest',
    operation: operation(`
      mutation SyncCode($id: ID!) {
        syncCode(versionId: $id, waitSeconds: 30) {
          ...Version
        }
      }
    `),
    pick: 'syncCode',
    errors: [...DRAFT_ERRORS, 'code_not_fetched', 'code_not_synced', 'invalid_manifest', 'not_a_draft', 'wrong_kind'],
    variables: {
      id: 'path',
    },
  }),
  route('POST /versions/:id/runs', {
    summary:
      'Run the generator. The same `params` on the same commit return the existing run (200) unless `force` is true',
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
    errors: [
      'code_not_synced',
      'document_archived',
      'invalid_manifest',
      'invalid_params',
      'workspace_archived',
      'wrong_kind',
    ],
    variables: { id: 'path', params: 'body.*', force: 'body.*' },
    example: { params: { width: 40, holes: 4 }, force: false },
    status: 201,
    createdFlag: 'created',
    location: '/runs/:id',
    inline: ['run'],
  }),
  route('GET /versions/:id/runs', {
    summary: 'List the runs of a draft or version, newest first',
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
    errors: ['wrong_kind'],
    variables: {
      id: 'path',
      ...PAGE_VARIABLES,
    },
    defaultSort: '-createdAt',
  }),
  route('GET /runs/:id', {
    summary: 'Read a run with its job and the documents it generated',
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
    summary: 'Read the provenance of a finished run: in-toto statement, SLSA provenance v1',
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
      'Submit the result of a run or split job as a tar archive with result.json and the files key/kind; completes the job',
    operation: operation(`
      mutation SubmitJobResult($id: ID!, $file: Upload!, $attempt: Int) {
        submitJobResult(id: $id, file: $file, attempt: $attempt) {
          ...Job
        }
      }
    `),
    pick: 'submitJobResult',
    errors: [
      ...DRAFT_ERRORS,
      'bad_address',
      'invalid_asm_json',
      'invalid_result',
      'lease_lost',
      'not_your_job',
      'number_taken',
      'reference_cycle',
      'stale_input',
      'unknown_artifact_kind',
      'unresolved_reference',
      'wrong_kind',
    ],
    variables: { id: 'path', file: 'file', attempt: 'header X-Job-Attempt' },
  }),
];
