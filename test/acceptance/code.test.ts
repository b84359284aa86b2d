// Code documents: the location of their generator, synchronizing it, and versions that freeze it.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArchive } from '../../subgraphs/core/domain/jobs/code-archive.ts';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { blockNextFetch, type Repository, repository } from '../support/git-server.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const MANIFEST = {
  name: 'rack',
  version: '1.2.0',
  entry: 'rack.mjs',
  params: { type: 'object', properties: { width: { type: 'number', default: 800 } } },
};

let pdm: Pdm;
let root: string;
let repo: Repository;
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pdm-repositories-')));
  repo = repository(root, 'rack');
  repo.commit({
    'gen/generator.json': JSON.stringify(MANIFEST),
    'gen/rack.mjs': 'export default () => [];',
    'readme.md': 'x',
  });
  pdm = await startPdm({ settings: { PDM_GIT_ALLOWED_FOLDERS: root } });
});
afterAll(async () => {
  await pdm.close();
  rmSync(root, { recursive: true });
});

const location = (more: object = {}) => ({ repoUrl: repo.folder, ref: 'main', path: 'gen', ...more });
const codeDocument = async () => {
  const { body } = await pdm.editor.post('/documents', { name: 'Rack', kind: 'code' });
  return {
    id: body.id as string,
    draft: body.workspaces[0].draftId as string,
    workspace: body.workspaces[0].id as string,
  };
};
const syncedDocument = async () => {
  const document = await codeDocument();
  await pdm.editor.put(`/versions/${document.draft}/code`, location());
  const response = await pdm.editor.post(`/versions/${document.draft}/code/sync`);
  expect(response.status).toBe(200);
  return document;
};

describe('the code location', () => {
  test('stores the location in the draft without a commit until the code is synchronized', async () => {
    const { draft } = await codeDocument();
    expect((await pdm.viewer.get(`/versions/${draft}`)).body.code).toBeNull();
    const { status, body } = await pdm.editor.put(`/versions/${draft}/code`, location());
    expect([status, body.code]).toEqual([200, { ...location(), commit: null, syncedAt: null }]);
    expect((await pdm.editor.put(`/versions/${draft}/code`, location())).status).toBe(200);
  });

  test('normalizes the location, so that another spelling of the same address keeps the code synchronized', async () => {
    const { draft } = await syncedDocument();
    const before = (await pdm.viewer.get(`/versions/${draft}`)).body.code;
    for (const repoUrl of [`file://${repo.folder}`, ` ${repo.folder} `])
      expect((await pdm.editor.put(`/versions/${draft}/code`, location({ repoUrl, path: 'gen/' }))).body.code).toEqual(
        before,
      );
    const { draft: other } = await codeDocument();
    const setCode = `mutation ($id: ID!) { setCode(versionId: $id, repoUrl: "https://Example.COM:443/team/p%61rts.git/", ref: "main") { code { repoUrl } } }`;
    expect((await pdm.editor.graphql(setCode, { id: other })).body.data.setCode.code.repoUrl).toBe(
      'https://example.com/team/parts.git',
    );
    const items = (await pdm.viewer.get(`/versions/${other}/audit`)).body.items;
    expect(items[0].changes.repoUrl.to).toBe('https://example.com/team/parts.git');
    const address = { repoUrl: 'https://EXAMPLE.com/team/parts.git', ref: 'main' };
    await pdm.editor.put(`/versions/${other}/code`, address);
    // The existing record may be sealed by now; no other record was added.
    const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);
    expect(idsOf((await pdm.viewer.get(`/versions/${other}/audit`)).body.items)).toEqual(idsOf(items));
  });

  test('updates the last change of the document when the location is set and when it is synchronized', async () => {
    const { id, draft } = await codeDocument();
    const changedBy = async () => (await pdm.viewer.get(`/documents/${id}`)).body.updatedBy.name;
    await pdm.admin.put(`/versions/${draft}/code`, location());
    expect(await changedBy()).toBe('Administrator');
    await pdm.editor.post(`/versions/${draft}/code/sync`);
    expect(await changedBy()).toBe('Ed Editor');
  });

  test('requires another synchronization after the address, the ref or the folder changes', async () => {
    for (const other of [{ path: '' }, { ref: 'next' }, { repoUrl: root }]) {
      const { draft } = await syncedDocument();
      const { status, body } = await pdm.editor.put(`/versions/${draft}/code`, location(other));
      expect([status, body.code]).toEqual([200, { ...location(other), commit: null, syncedAt: null }]);
    }
  });

  test('rejects an invalid location with all errors, other kinds of documents, and a draft reserved by another user', async () => {
    const { draft, workspace } = await codeDocument();
    const { status, body } = await pdm.editor.put(`/versions/${draft}/code`, {
      repoUrl: 'http://example.com/x',
      ref: '-x',
      path: '../x',
    });
    expect([status, body.code, body.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      'validation_failed',
      ['/repoUrl', '/ref', '/path'],
    ]);
    const model = (await pdm.editor.post('/documents', { name: 'Part', kind: 'model' })).body.workspaces[0].draftId;
    expect((await pdm.editor.put(`/versions/${model}/code`, location())).body.code).toBe('wrong_kind');
    await pdm.admin.post(`/workspaces/${workspace}/checkout`);
    expect((await pdm.editor.put(`/versions/${draft}/code`, location())).body.code).toBe('workspace_reserved');
    expect((await pdm.editor.post(`/versions/${draft}/code/sync`)).body.code).toBe('workspace_reserved');
  });

  test('discards a location that no version contains in a take-over only with force', async () => {
    const { draft, workspace } = await syncedDocument();
    const version = (await pdm.editor.post(`/workspaces/${workspace}/versions`)).body.id;
    const takeOver = (more: object = {}) =>
      pdm.editor.post(`/workspaces/${workspace}/take-over`, { versionId: version, ...more });
    expect((await takeOver()).status).toBe(200);
    await pdm.admin.put(`/versions/${draft}/code`, location({ ref: 'next' }));
    const { status, body } = await takeOver();
    expect([status, body.code, body.detail]).toEqual([
      409,
      'draft_would_lose',
      expect.stringContaining('contains a generator location that'),
    ]);
    expect(body.lost).toEqual([
      {
        what: 'code',
        kind: 'code',
        ...location({ ref: 'next' }),
        changedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        changedBy: { id: expect.stringMatching(/^usr_/), name: 'Administrator' },
      },
    ]);
    expect((await takeOver({ force: true })).body.code).toMatchObject(location());
  });
});

describe('synchronizing', () => {
  test('stores the commit, the files of the folder as one archive, and the manifest', async () => {
    const { draft } = await syncedDocument();
    const { code } = (await pdm.viewer.get(`/versions/${draft}`)).body;
    expect(code).toMatchObject({ ...location(), commit: repo.git('rev-parse', 'main') });
    const files = (await pdm.viewer.get(`/versions/${draft}/artifacts`)).body.items;
    expect(files.map(({ kind, fileName, generator }: Record<string, string>) => [kind, fileName, generator])).toEqual([
      ['code', 'code.tar', null],
      ['manifest', 'generator.json', null],
    ]);
    const archive = readArchive((await pdm.viewer.get(`/versions/${draft}/artifacts/code/file`)).bytes, {
      maxFiles: 9,
    });
    expect(archive.map(({ path }) => path)).toEqual(['generator.json', 'rack.mjs']);
    expect((await pdm.viewer.get(`/versions/${draft}/artifacts/manifest/file`)).body).toEqual(MANIFEST);
    expect(await violatedInvariants({ db: pdm.services.mongo.db })).toEqual([]);
  });

  test('rejects synchronization without a location, of an unreadable repository, and of an invalid manifest', async () => {
    const { draft } = await codeDocument();
    const refusedSync = async (newLocation: object | null) => {
      if (newLocation) await pdm.editor.put(`/versions/${draft}/code`, newLocation);
      const { status, body } = await pdm.editor.post(`/versions/${draft}/code/sync`);
      return [status, body.code, body.detail, body.errors?.map(({ path }: { path: string }) => path)];
    };
    expect((await refusedSync(null)).slice(0, 2)).toEqual([409, 'code_not_synced']);
    expect(await refusedSync(location({ ref: 'nowhere' }))).toEqual([
      422,
      'code_not_fetched',
      expect.stringContaining('no branch or tag "nowhere"'),
      undefined,
    ]);
    expect(await refusedSync(location({ path: '' }))).toEqual([
      422,
      'invalid_manifest',
      expect.stringContaining('no generator.json'),
      [''],
    ]);
    repo.git('checkout', '-q', '-b', 'faulty');
    repo.commit({
      'gen/generator.json': JSON.stringify({
        name: '',
        entry: 'x.mjs',
        params: { type: 'object', properties: { a: { type: 'nr' } } },
      }),
    });
    repo.git('checkout', '-q', '-b', 'garbled');
    repo.commit({ 'gen/generator.json': Buffer.from([0x22, 0x83, 0x75, 0x22]) });
    repo.git('checkout', '-q', 'main');
    expect(await refusedSync(location({ ref: 'garbled' }))).toEqual([
      422,
      'invalid_manifest',
      expect.stringContaining('not valid UTF-8'),
      [''],
    ]);
    expect(await refusedSync(location({ ref: 'faulty' }))).toEqual([
      422,
      'invalid_manifest',
      expect.any(String),
      ['/name', '/version', '/entry', '/params/properties/a/type'],
    ]);
    expect((await pdm.viewer.get(`/versions/${draft}/artifacts`)).body.items).toEqual([]);
  });

  test('rejects synchronization and stores nothing when the draft was reserved or its location changed during the fetch', async () => {
    const changeDuringFetch = async (
      change: (document: Awaited<ReturnType<typeof codeDocument>>) => Promise<{ status: number }>,
    ) => {
      const document = await syncedDocument();
      const before = (await pdm.viewer.get(`/versions/${document.draft}/artifacts`)).body.items;
      repo.commit({ 'gen/rack.mjs': `export default () => ['${document.id}'];` });
      const fetchStarted = blockNextFetch(repo);
      const response = pdm.editor.post(`/versions/${document.draft}/code/sync`);
      const resume = await fetchStarted;
      expect((await change(document)).status).toBeLessThan(300);
      await resume();
      const { status, body } = await response;
      const after = (await pdm.viewer.get(`/versions/${document.draft}/artifacts`)).body.items;
      const hashes = (items: { kind: string; sha256: string }[]) => items.map(({ kind, sha256 }) => [kind, sha256]);
      expect(hashes(after)).toEqual(hashes(before));
      expect(await collection({ db: pdm.services.mongo.db }, 'uploads').find().hint({ _id: 1 }).toArray()).toEqual([]);
      return [status, body.code];
    };
    expect(await changeDuringFetch(({ workspace }) => pdm.admin.post(`/workspaces/${workspace}/checkout`))).toEqual([
      423,
      'workspace_reserved',
    ]);
    for (const other of [{ path: '' }, { ref: 'next' }, { repoUrl: root }])
      expect(
        await changeDuringFetch(({ draft }) => pdm.editor.put(`/versions/${draft}/code`, location(other))),
      ).toEqual([409, 'code_not_synced']);
  });

  test('produces files that users cannot upload or remove', async () => {
    const { draft } = await syncedDocument();
    expect((await pdm.editor.upload(draft, 'code', 'x')).status).toBe(403);
    expect((await pdm.admin.upload(draft, 'code', 'x')).body).toMatchObject({ status: 403, code: 'forbidden' });
    expect((await pdm.editor.delete(`/versions/${draft}/artifacts/manifest`)).status).toBe(403);
  });
});

describe('versions of a code document', () => {
  test('freezes the location, the commit and the files in a version', async () => {
    const { draft, workspace } = await syncedDocument();
    const one = (await pdm.editor.post(`/workspaces/${workspace}/versions`)).body;
    const first = repo.git('rev-parse', 'main');
    const second = repo.commit({ 'gen/rack.mjs': 'export default () => [1];' });
    await pdm.editor.post(`/versions/${draft}/code/sync`);
    expect((await pdm.viewer.get(`/versions/${one.id}`)).body.code.commit).toBe(first);
    expect((await pdm.viewer.get(`/versions/${draft}`)).body.code.commit).toBe(second);
    const { fields, files } = (await pdm.viewer.get(`/versions/${one.id}/compare?with=${draft}`)).body;
    expect(fields).toContainEqual({ field: 'commit', from: first, to: second });
    expect(files.map(({ kind }: { kind: string }) => kind)).toEqual(['code']);
    const two = (await pdm.editor.post(`/workspaces/${workspace}/versions`)).body;
    expect(two.contentHash).not.toBe(one.contentHash);
    expect((await pdm.editor.put(`/versions/${one.id}/code`, location())).body.code).toBe('not_a_draft');

    const restored = (await pdm.editor.post(`/workspaces/${workspace}/restore`, { versionId: one.id })).body;
    expect(restored.code.commit).toBe(first);
    expect(
      (await pdm.editor.post(`/workspaces/${workspace}/undo`, { auditId: restored.auditId })).body.code.commit,
    ).toBe(second);
    const branch = (
      await pdm.editor.post(`/documents/${one.documentId}/workspaces`, { name: 'side', fromVersionId: one.id })
    ).body;
    expect((await pdm.viewer.get(`/versions/${branch.draftId}`)).body.code.commit).toBe(first);
    const copy = (await pdm.editor.post(`/documents/${one.documentId}/copy`)).body;
    expect((await pdm.viewer.get(`/versions/${copy.workspaces[0].draftId}`)).body.code.commit).toBe(second);
  });

  test('rejects a version before the code is synchronized, and marks the files stale until then', async () => {
    const { draft, workspace } = await syncedDocument();
    await pdm.editor.put(`/versions/${draft}/code`, location({ ref: 'faulty' }));
    expect((await pdm.editor.post(`/workspaces/${workspace}/versions`)).body).toMatchObject({
      status: 409,
      code: 'code_not_synced',
    });
    expect((await pdm.editor.get(`/workspaces/${workspace}/permissions`)).body.canCreateVersion).toMatchObject({
      allowed: false,
      code: 'code_not_synced',
    });
    expect(
      (await pdm.viewer.get(`/versions/${draft}/artifacts`)).body.items.map(({ stale }: { stale: boolean }) => stale),
    ).toEqual([true, true]);
    await pdm.editor.put(`/versions/${draft}/code`, location());
    await pdm.editor.post(`/versions/${draft}/code/sync`);
    expect(
      (await pdm.viewer.get(`/versions/${draft}/artifacts`)).body.items.map(({ stale }: { stale: boolean }) => stale),
    ).toEqual([false, false]);
    expect((await pdm.editor.post(`/workspaces/${workspace}/versions`)).status).toBe(201);
  });
});
