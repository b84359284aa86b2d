// Runs with parameters, executed by a worker that delivers the results of the generator. The test itself is the worker.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { runWorker } from '../../worker-sdk/index.ts';
import { type Repository, repository } from '../support/git-server.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { archive, assembly, part, RACK } from '../support/run-archive.ts';

const PARAMS = {
  type: 'object',
  additionalProperties: false,
  properties: {
    width: { type: 'number', minimum: 200, maximum: 3000, default: 800 },
    colour: { enum: ['oak', 'ash'], default: 'oak' },
    tag: { type: 'string', pattern: '^(a+)+$' },
  },
};
const MANIFEST = { name: 'rack', version: '1.2.0', entry: 'rack.mjs', params: PARAMS };

let pdm: Pdm;
let root: string;
let repo: Repository;
let code: { id: string; number: string; draft: string; workspace: string; folder: string; commit: string };
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pdm-repositories-')));
  repo = repository(root, 'rack');
  const commit = repo.commit({ 'generator.json': JSON.stringify(MANIFEST), 'rack.mjs': 'export default () => [];' });
  pdm = await startPdm({ settings: { PDM_GIT_ALLOWED_FOLDERS: root } });
  const folder = (await pdm.editor.post('/folders', { name: 'Racks' })).body.id;
  const { body } = await pdm.editor.post('/documents', { name: 'Rack generator', kind: 'code', folderId: folder });
  code = {
    id: body.id,
    number: body.number,
    draft: body.workspaces[0].draftId,
    workspace: body.workspaces[0].id,
    folder,
    commit,
  };
  await pdm.editor.put(`/versions/${code.draft}/code`, { repoUrl: repo.folder, ref: 'main' });
});
afterAll(async () => {
  await pdm.close();
  rmSync(root, { recursive: true });
});

// allows for a busy machine
const PATIENCE = { timeout: 20_000 };
const ask = (params: object | undefined, more: object = {}, where = code.draft) =>
  pdm.editor.post(`/versions/${where}/runs`, { params, ...more });
const claim = async () =>
  (await pdm.worker.post('/jobs/claim', { workerId: 'w', types: ['run'], environment: { engine: 'occt' } })).body;
const deliver = (job: string, bytes: Uint8Array, headers: Record<string, string> = {}) =>
  pdm.worker.send('POST', `/jobs/${job}/result`, bytes, headers);

test('rejects runs of unsynchronized code and of models', async () => {
  expect((await ask({})).body).toMatchObject({ status: 409, code: 'code_not_synced' });
  const model = (await pdm.editor.post('/documents', { name: 'Part', kind: 'model' })).body.workspaces[0].draftId;
  expect((await ask({}, {}, model)).body).toMatchObject({ status: 422, code: 'wrong_kind' });
  expect((await pdm.viewer.get(`/versions/${model}/runs`)).body).toMatchObject({ status: 422, code: 'wrong_kind' });
  const { errors } = (await pdm.viewer.graphql(`{ version(id: "${model}") { runs { items { id } } } }`)).body;
  expect(errors[0].extensions.code).toBe('wrong_kind');
  expect((await pdm.editor.post(`/versions/${code.draft}/code/sync`)).status).toBe(200);
});

describe('parameters', () => {
  test.each([
    [{ width: 100 }, ['/params/width']],
    [{ width: 'x', colour: 'red' }, ['/params/width', '/params/colour']],
    [{ height: 1 }, ['/params/height']],
    [[1], ['/params']],
    [{ '\ud800': 1 }, ['/params']],
    [{ tag: '\ud800' }, ['/params/tag']],
  ])('rejects %j with a pointer to each error', async (params, paths) => {
    const { status, body } = await ask(params);
    expect([status, body.code, body.errors.map(({ path }: { path: string }) => path)]).toEqual([
      422,
      'invalid_params',
      paths,
    ]);
  });

  test('rejects a number outside of the double range in REST and GraphQL, also without limits in the manifest', async () => {
    const asJson = { 'content-type': 'application/json' };
    const params = '{"width": 800, "any": [1e400]}';
    const errors = [{ path: '', message: 'must not contain a number beyond 1.8e308' }];
    const { status, body } = await pdm.editor.send(
      'POST',
      `/versions/${code.draft}/runs`,
      Buffer.from(`{"params": ${params}}`),
      asJson,
    );
    expect([status, body.code, body.errors]).toEqual([400, 'validation_failed', errors]);

    const query = 'mutation ($id: ID!, $params: JSON!) { requestRun(versionId: $id, params: $params) { id } }';
    const request = `{"query": "${query}", "variables": {"id": "${code.draft}", "params": ${params}}}`;
    const headers = { ...asJson, authorization: `Bearer ${pdm.tokens.editor}` };
    const response = await fetch(`${pdm.url}/graphql`, { method: 'POST', headers, body: request });
    expect((await response.json()).errors[0].extensions).toMatchObject({ code: 'validation_failed', errors });
  });

  test('aborts the evaluation of a pattern that takes too long', async () => {
    expect((await ask({ tag: `${'a'.repeat(40)}!` })).body).toMatchObject({
      status: 422,
      code: 'invalid_params',
      detail: expect.stringContaining('took too long'),
    });
  });
});

describe('a run', () => {
  test('applies defaults and treats equal parameters in any notation as the same run', async () => {
    const first = await ask({ width: 900 });
    expect([first.status, first.headers.get('location')]).toEqual([201, `/api/v1/runs/${first.body.id}`]);
    expect(first.body).toMatchObject({
      params: { width: 900, colour: 'oak' },
      commit: code.commit,
      generator: { name: 'rack', version: '1.2.0' },
      documents: [],
    });
    const again = await ask({ colour: 'oak', width: 900.0 });
    expect([again.status, again.body.id, again.body.created]).toEqual([200, first.body.id, false]);
    const version = (await pdm.editor.post(`/workspaces/${code.workspace}/versions`)).body;
    expect((await ask({ width: 900 }, {}, version.id)).body.id).toBe(first.body.id);
    const forced = await ask({ width: 900 }, { force: true });
    expect([forced.status, forced.body.forced]).toEqual([201, true]);
    expect((await ask({ width: 900 })).body.id).toBe(forced.body.id);
    const listed = async (where: string) =>
      (await pdm.viewer.get(`/versions/${where}/runs`)).body.items.map(({ id }: { id: string }) => id);
    expect(await listed(code.draft)).toEqual([forced.body.id, first.body.id]);
    expect(await listed(version.id)).toEqual([first.body.id]);
    const page = (await pdm.viewer.get(`/versions/${code.draft}/runs?limit=1`)).body;
    expect((await pdm.viewer.get(`/versions/${code.draft}/runs?limit=1&cursor=${page.nextCursor}`)).body).toMatchObject(
      {
        items: [{ id: first.body.id }],
        nextCursor: null,
      },
    );
    for (const { body } of [first, forced]) await pdm.editor.post(`/jobs/${body.job.id}/cancel`);
  });

  test('creates one run for concurrent equal requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ width: 1000 })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    await pdm.editor.post(`/jobs/${answers[0]?.body.job.id}/cancel`);
  });

  test('validates the parameters with the code that it runs, also when the code is replaced meanwhile', async () => {
    const own = repository(root, 'table');
    const { draftId: draft } = (await pdm.editor.post('/documents', { name: 'Table generator', kind: 'code' })).body
      .workspaces[0];
    await pdm.editor.put(`/versions/${draft}/code`, { repoUrl: own.folder, ref: 'main' });
    const fetched = async (width: number): Promise<string> => {
      const params = { ...PARAMS, properties: { ...PARAMS.properties, width: { type: 'number', default: width } } };
      const commit = own.commit({
        'generator.json': JSON.stringify({ ...MANIFEST, params }),
        'rack.mjs': 'export default () => [];',
      });
      expect((await pdm.editor.post(`/versions/${draft}/code/sync`)).status).toBe(200);
      return commit;
    };
    let commit = await fetched(100);
    let width = 100;
    // Slow validations make room for the replacement; repeats until one happens during the validation.
    for (let replaced = false; !replaced; ) {
      const endless = Array.from({ length: 8 }, () => ask({ tag: `${'a'.repeat(40)}!` }));
      const request = ask({}, {}, draft);
      const former = commit;
      width += 1;
      commit = await fetched(width);
      const { status, body } = await request;
      replaced = status === 409;
      if (replaced) expect(body.code).toBe('code_not_synced');
      else {
        expect([former, commit]).toContain(body.commit);
        await pdm.editor.post(`/jobs/${body.job.id}/cancel`);
      }
      await Promise.all(endless);
    }
    const { body } = await ask({}, {}, draft);
    expect([body.commit, body.params.width]).toEqual([commit, width]);
    await pdm.editor.post(`/jobs/${body.job.id}/cancel`);
  });

  test.each(['document', 'workspace'])(
    'creates nothing when the %s of its generator was archived meanwhile, and cannot be requested again',
    async (what) => {
      const { id, workspaces } = (await pdm.editor.post('/documents', { name: 'Generator', kind: 'code' })).body;
      const [{ id: workspaceId, draftId: draft }] = workspaces;
      await pdm.editor.put(`/versions/${draft}/code`, { repoUrl: repo.folder, ref: 'main' });
      await pdm.editor.post(`/versions/${draft}/code/sync`);
      const run = (await ask({}, {}, draft)).body;
      const job = await claim();
      expect(job.runId).toBe(run.id);
      expect(
        (await pdm.editor.post(what === 'document' ? `/documents/${id}/archive` : `/workspaces/${workspaceId}/archive`))
          .status,
      ).toBe(200);
      const before = (await pdm.viewer.get('/documents?total=true')).body.total;
      expect((await deliver(job.id, RACK)).body).toMatchObject({ status: 409, code: `${what}_archived` });
      expect((await ask({}, {}, draft)).body).toMatchObject({ status: 409, code: `${what}_archived` });
      expect((await pdm.viewer.get('/documents?total=true')).body.total).toBe(before);
      expect(await collection({ db: pdm.services.mongo.db }, 'uploads').find().hint({ _id: 1 }).toArray()).toEqual([]);
      await pdm.worker.post(`/jobs/${job.id}/fail`, { error: { message: 'refused' }, final: true });
    },
  );

  test('creates no document for a failed or cancelled run and does not reuse it', async () => {
    const run = (await ask({ width: 700 })).body;
    const before = (await pdm.viewer.get('/documents?total=true')).body.total;
    const job = await claim();
    expect(job).toMatchObject({ type: 'run', runId: run.id });
    const noParts = archive([{ key: 'rack', kind: 'assembly', name: 'Rack' }], [assembly('rack', ['side'])]);
    expect((await deliver(job.id, noParts)).body).toMatchObject({ status: 400, code: 'validation_failed' });
    const side = { key: 'side', kind: 'model', name: 'Side' };
    const another = archive([side], part('side'), { generator: { name: 'rack', version: '1.3.0' } });
    expect((await deliver(job.id, another)).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
      errors: [{ path: '/generator' }],
    });
    const lost = archive([{ ...side, files: ['stp', 'glb', 'properties', 'thumbnail'] }], part('side').slice(0, 2));
    expect((await deliver(job.id, lost)).body).toMatchObject({ status: 400, errors: [{ path: '/documents/0/files' }] });
    expect((await pdm.worker.post(`/jobs/${job.id}/complete`, { attempt: 1 })).body).toMatchObject({
      status: 409,
      code: 'result_missing',
      jobId: job.id,
    });
    expect((await pdm.viewer.get(`/jobs/${job.id}`)).body.status).toBe('running');
    await pdm.worker.post(`/jobs/${job.id}/fail`, {
      error: { code: 'generator_failed', message: 'the generator failed' },
      final: true,
    });
    expect((await pdm.viewer.get('/documents?total=true')).body.total).toBe(before);
    expect((await pdm.viewer.get(`/runs/${run.id}`)).body).toMatchObject({
      documents: [],
      job: { status: 'failed' },
      isolation: null,
    });
    expect((await pdm.viewer.get(`/runs/${run.id}/provenance`)).body).toMatchObject({
      status: 404,
      detail: expect.stringContaining('or it is not done'),
    });
    const next = await ask({ width: 700 });
    expect([next.status, next.body.id === run.id]).toEqual([201, false]);
    await pdm.editor.post(`/jobs/${next.body.job.id}/cancel`);
    const last = await ask({ width: 700 });
    expect([last.status, last.body.id === next.body.id]).toEqual([201, false]);
    await pdm.editor.post(`/jobs/${last.body.job.id}/cancel`);
  });

  test('fails with a specific error when its worker completes it without a result', async () => {
    const { job } = (await ask({ width: 600 })).body;
    const stop = new AbortController();
    const worker = runWorker({
      baseUrl: pdm.url,
      token: pdm.tokens.worker,
      types: ['run'],
      environment: { engine: 'occt' },
      signal: stop.signal,
      log: () => {},
      handler: async () => {},
    });
    await expect
      .poll(async () => (await pdm.viewer.get(`/jobs/${job.id}`)).body.error?.code, PATIENCE)
      .toBe('result_missing');
    stop.abort();
    await worker;
    expect((await pdm.viewer.get(`/jobs/${job.id}`)).body).toMatchObject({ status: 'failed', attempt: 1 });
  });

  test('passes parameters and code to its worker, and creates its documents together, in their folder, with versions and origin', async () => {
    const run = (await ask({})).body;
    const job = await claim();
    const context = (await pdm.worker.get(`/jobs/${job.id}/context`)).body;
    expect(context.params).toEqual({ width: 800, colour: 'oak' });
    expect(context.files.map(({ kind }: { kind: string }) => kind)).toEqual(['code', 'manifest']);
    for (const { url } of context.files) expect((await pdm.worker.get(url.replace('/api/v1', ''))).status).toBe(200);
    expect((await deliver(job.id, RACK, { 'x-job-attempt': '7' })).body.code).toBe('lease_lost');

    const done = await deliver(job.id, RACK, { 'x-job-attempt': '1' });
    expect([done.status, done.body.status]).toEqual([200, 'done']);
    expect((await deliver(job.id, RACK, { 'x-job-attempt': '1' })).status).toBe(200);
    expect((await pdm.worker.post(`/jobs/${job.id}/complete`, { attempt: 1 })).status).toBe(200);

    const { documents, isolation } = (await pdm.viewer.get(`/runs/${run.id}`)).body;
    expect([documents.map(({ name }: { name: string }) => name), isolation]).toEqual([
      ['Side', 'Board', 'Rack 800'],
      'strict',
    ]);
    for (const { id } of documents) {
      const document = (await pdm.viewer.get(`/documents/${id}`)).body;
      expect(document).toMatchObject({
        folderId: code.folder,
        generator: { id: code.id, number: code.number, name: 'Rack generator' },
        generatorVersion: { id: code.draft, n: null, commit: code.commit },
        run: { id: run.id },
        runParameters: { width: 800, colour: 'oak' },
        createdBy: { name: 'Ed Editor' },
        updatedBy: { name: 'Ed Editor' },
        workspaces: [{ createdBy: { name: 'Ed Editor' } }],
        versions: [{ n: 1, comment: 'Created by rack 1.2.0.', createdBy: { name: 'Ed Editor' } }],
      });
      const by = { role: 'worker', onBehalfOf: document.createdBy.id };
      expect((await pdm.viewer.get(`/documents/${id}/audit`)).body.items).toMatchObject([
        { action: 'version.created', by },
        { action: 'document.generated', by },
      ]);
    }
    const [side, , rack] = documents;
    const files = (await pdm.viewer.get(`/documents/${side.id}`)).body.drafts[0].id;
    const artifacts = (await pdm.viewer.get(`/versions/${files}/artifacts`)).body.items;
    expect(artifacts.map(({ kind, generator }: Record<string, string>) => [kind, generator])).toEqual([
      ['glb', 'test/1.0.0'],
      ['properties', 'test/1.0.0'],
      ['source', 'rack/1.2.0'],
      ['stp', 'test/1.0.0'],
      ['thumbnail', 'test/1.0.0'],
    ]);
    const version = (await pdm.viewer.get(`/documents/${rack.id}`)).body.versions[0];
    expect(version.bomDigest).toMatch(/^[0-9a-f]{64}$/);
    const used = (await pdm.viewer.get(`/versions/${version.id}/references`)).body.items;
    expect(used.map(({ documentId, status }: Record<string, string>) => [documentId, status])).toEqual(
      documents.slice(0, 2).map(({ id }: { id: string }) => [id, 'resolved']),
    );
    expect((await pdm.viewer.get('/jobs?status=waiting')).body.items).toEqual([]);
    expect(await violatedInvariants({ db: pdm.services.mongo.db })).toEqual([]);
  });

  test('shows the origin of its documents, from a BOM line to the commit in one query and as an in-toto statement', async () => {
    const { documents, id } = (await ask({})).body;
    const rack = documents.at(-1);
    const version = (await pdm.viewer.get(`/documents/${rack.id}`)).body.versions[0].id;
    const lineage = '{ document { number generator { name } generatorVersion { commit } run { id params } } }';
    const { data } = (
      await pdm.viewer.graphql(`query ($version: ID!) { bom(versionId: $version) { items ${lineage} } }`, { version })
    ).body;
    const [{ document: side }] = data.bom.items;
    expect(side).toMatchObject({
      generator: { name: 'Rack generator' },
      generatorVersion: { commit: code.commit },
      run: { id, params: { width: 800 } },
    });
    const statement = (await pdm.viewer.get(`/runs/${id}/provenance`)).body;
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://slsa.dev/provenance/v1',
    });
    expect(statement.subject.map(({ digest }: { digest: { sha256: string } }) => digest.sha256.length)).toEqual([
      64, 64, 64,
    ]);
    expect(statement.predicate.buildDefinition.externalParameters.params).toEqual({ width: 800, colour: 'oak' });
    expect(statement.predicate.buildDefinition.resolvedDependencies[0].digest).toEqual({ gitCommit: code.commit });
    expect(statement.predicate.runDetails.metadata.invocationId).toBe(id);
    const refused = await pdm.editor.delete(`/documents/${code.id}`);
    expect([refused.body.code, refused.body.users.length]).toEqual(['document_in_use', 3]);
    expect((await pdm.editor.get(`/documents/${code.id}/permissions`)).body.canDelete.code).toBe('document_in_use');
  });

  test('cancels a run when its code is replaced before a worker reads it, unless it belongs to a version', async () => {
    const inDraft = (await ask({ width: 1500 })).body;
    const version = (await pdm.editor.post(`/workspaces/${code.workspace}/versions`)).body;
    const inVersion = (await ask({ width: 1600 }, {}, version.id)).body;
    const commit = repo.commit({ 'rack.mjs': 'export default () => [1];' });
    await pdm.editor.post(`/versions/${code.draft}/code/sync`);
    const contexts = [];
    for (let i = 0; i < 2; i++) {
      const job = await claim();
      contexts.push([job.runId, (await pdm.worker.get(`/jobs/${job.id}/context`)).status]);
      await pdm.worker.post(`/jobs/${job.id}/fail`, { error: { code: 'stale_input', message: 'replaced' } });
    }
    // the version created meanwhile has the code of the first one
    expect(contexts).toEqual([
      [inDraft.id, 200],
      [inVersion.id, 200],
    ]);
    const next = await ask({ width: 1500 });
    expect([next.status, next.body.commit]).toEqual([201, commit]);
    await pdm.editor.post(`/versions/${code.draft}/code/sync`);
    repo.commit({ 'rack.mjs': 'export default () => [2];' });
    await pdm.editor.post(`/versions/${code.draft}/code/sync`);
    const job = await claim();
    expect((await pdm.worker.get(`/jobs/${job.id}/context`)).body.code).toBe('stale_input');
    await pdm.worker.post(`/jobs/${job.id}/fail`, { error: { code: 'stale_input', message: 'replaced' } });
    expect((await pdm.viewer.get(`/runs/${next.body.id}`)).body.job).toMatchObject({
      status: 'cancelled',
      error: { code: 'superseded' },
    });
  });

  test('hides a run in copies of a document after its generator was deleted', async () => {
    const { body } = await pdm.editor.post('/documents', { name: 'Short-lived', kind: 'code' });
    const draft = body.workspaces[0].draftId;
    await pdm.editor.put(`/versions/${draft}/code`, { repoUrl: repo.folder, ref: 'main' });
    await pdm.editor.post(`/versions/${draft}/code/sync`);
    const run = (await ask({}, {}, draft)).body;
    const copy = (await pdm.editor.post(`/documents/${body.id}/copy`)).body;
    expect((await pdm.editor.delete(`/documents/${body.id}`)).status).toBe(204);
    expect((await pdm.viewer.get(`/runs/${run.id}`)).status).toBe(404);
    expect((await pdm.viewer.get(`/versions/${copy.workspaces[0].draftId}/jobs`)).body.items).toEqual([]);
    expect((await ask({}, {}, copy.workspaces[0].draftId)).status).toBe(201);
    expect(await violatedInvariants({ db: pdm.services.mongo.db })).toEqual([]);
  });
});
