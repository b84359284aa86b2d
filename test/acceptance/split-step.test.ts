// Splits a STEP assembly into documents by an external worker; assembly-jobs.test.ts uses the built-in engine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeArchive } from '../../subgraphs/core/domain/jobs/code-archive.ts';
import { assemblies, type Item } from '../support/assemblies.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { resultFile } from '../support/result-files.ts';

let pdm: Pdm;
let make: ReturnType<typeof assemblies>;
beforeAll(async () => {
  pdm = await startPdm();
  make = assemblies(pdm.editor);
});
afterAll(async () => {
  expect(await violatedInvariants({ db: pdm.services.mongo.db })).toEqual([]);
  await pdm.close();
});

const storeAsm = async ({ draftId }: Item, asm: object) => {
  const answer = await pdm.editor.upload(draftId, 'asm-json', JSON.stringify(asm), { fileName: 'table.asm.json' });
  expect(answer.status).toBe(201);
  return answer.body;
};

describe('splitting a STEP assembly', () => {
  const stp = (name: string) => `ISO-10303-21; ${name}`;
  const worker = { workerId: 'splitter-1', types: ['convert'], environment: { split: 'step' } };
  const count = async () => (await pdm.viewer.get('/documents?limit=1&total=true')).body.total;

  /** Uploads an assembly and claims its job as a worker, with a function that delivers parts by name and the whole. */
  async function claimedSplit(parts: readonly string[], into?: Item, root = 'root') {
    const whole = into ?? (await make.draft([], { name: 'Whole' }));
    const { jobId, sha256 } = (
      await pdm.editor.upload(whole.draftId, 'source', stp(`the whole of ${parts}`), { query: '&split=true' })
    ).body;
    expect((await pdm.worker.post('/jobs/claim', { ...worker, environment: { engine: 'occt' } })).status).toBe(204);
    expect((await pdm.worker.post('/jobs/claim', worker)).body).toMatchObject({ id: jobId, format: 'SPLIT' });
    const keys = parts.map((_, i) => `part-${i}`);
    const asm = { templates: keys.map((key) => ({ ident: key, reference: { location: `generated:${key}` } })) };
    const documents = [
      { key: root, kind: 'assembly', name: 'Whole' },
      ...keys.map((key, i) => ({ key, kind: 'model', name: parts[i] })),
    ];
    const files = new Map(keys.map((key, i) => [`${key}/stp`, stp(parts[i] ?? '')]));
    files
      .set(`${root}/asm-json`, JSON.stringify(asm))
      .set('result.json', JSON.stringify({ engine: 'test/1', isolation: 'none', documents }));
    const archive = writeArchive([...files].map(([path, text]) => ({ path, bytes: Buffer.from(text) })));
    const deliver = async () => {
      const headers = { authorization: `Bearer ${pdm.tokens.worker}`, 'content-type': 'application/x-tar' };
      const answer = await fetch(`${pdm.url}/api/v1/jobs/${jobId}/result`, {
        method: 'POST',
        headers,
        body: new Uint8Array(archive),
      });
      return { status: answer.status, code: ((await answer.json()) as { code?: string }).code };
    };
    return { whole, jobId, sha256, deliver };
  }

  test('creates a model for each different part and the asm.json of the draft when a worker supports the job', async () => {
    const [before, { whole, jobId, deliver }] = [await count(), await claimedSplit(['rod', 'nut', 'nut'])];
    await pdm.admin.patch(`/documents/${whole.id}`, { description: 'changed meanwhile' });
    expect((await pdm.worker.post(`/jobs/${jobId}/complete`, {})).body.code).toBe('result_missing');
    // as by a worker whose connection timed out before the response
    expect([...(await Promise.all([deliver(), deliver()])), await deliver()]).toMatchObject(
      Array(3).fill({ status: 200 }),
    );
    expect(await count()).toBe(before + 3);
    expect((await pdm.viewer.get(`/documents/${whole.id}`)).body.updatedBy.name).toBe('Ed Editor');
    const rows = (await pdm.viewer.get(`/versions/${whole.draftId}/bom`)).body.items;
    expect(
      rows.map(({ name, quantity, address }: { name: string; quantity: number; address: string }) => [
        name,
        quantity,
        address.slice(-3),
      ]),
    ).toEqual([
      ['rod', 1, '@v1'],
      ['nut', 2, '@v1'],
    ]);
    const rod = (await pdm.viewer.get(`/documents/${rows[0].documentId}`)).body;
    expect([rod.importedFrom.jobId, rod.createdBy.name, rod.versions[0].createdBy.name]).toEqual([
      jobId,
      'Ed Editor',
      'Ed Editor',
    ]);
  });

  test('does not repeat a split when the draft is restored, because users may have changed the result', async () => {
    const { whole, deliver } = await claimedSplit(['bracket']);
    await deliver();
    const { jobId } = await storeAsm(whole, { templates: [], changed: 'by hand' });
    await pdm.editor.post(`/jobs/${jobId}/cancel`);
    const version = await make.version(whole);
    await storeAsm(whole, { templates: [] });
    expect((await pdm.editor.post(`/workspaces/${whole.workspaceId}/restore`, { versionId: version.id })).status).toBe(
      200,
    );
    const jobs = (await pdm.viewer.get(`/versions/${whole.draftId}/jobs`)).body.items.filter(
      ({ status }: { status: string }) => status === 'waiting',
    );
    expect(jobs.map(({ type }: { type: string }) => type)).toEqual(['assemble']);
    await pdm.editor.post(`/jobs/${jobs[0].id}/cancel`);
  });

  test('replaces an asm.json: its results become outdated, and pending ones are no longer awaited', async () => {
    const whole = await make.draft([], { name: 'Whole' });
    const { jobId, sha256 } = await storeAsm(whole, { templates: [] });
    const { workspaces } = (await pdm.editor.post(`/documents/${whole.id}/copy`)).body;
    await pdm.worker.post('/jobs/claim', { workerId: 'w', types: ['assemble'] });
    const headers = { 'x-generator': 'test/1', 'x-input-sha256': sha256 };
    expect((await pdm.worker.upload(whole.draftId, 'glb', resultFile('glb', 'whole'), { headers })).status).toBe(201);
    expect((await pdm.worker.post(`/jobs/${jobId}/give-back`, {})).status).toBe(200);
    const copy = { ...whole, draftId: workspaces[0].draftId };
    expect((await (await claimedSplit(['axle'], copy)).deliver()).status).toBe(200);
    const { items } = (await pdm.viewer.get(`/versions/${copy.draftId}/artifacts`)).body;
    expect(items.find(({ kind }: { kind: string }) => kind === 'glb')).toMatchObject({
      stale: true,
      inputSha256: sha256,
    });
    // nothing waits for this job any more: a newer one replaces it
    await pdm.editor.post(`/jobs/${(await storeAsm(whole, { templates: [], changed: 'meanwhile' })).jobId}/cancel`);
    expect((await pdm.viewer.get(`/jobs/${jobId}`)).body).toMatchObject({
      status: 'cancelled',
      error: { code: 'superseded' },
    });
  });

  test('requires an assembly and an explicit request', async () => {
    const [model, assembly] = [await make.model(), await make.draft([])];
    const upload = (into: Item, kind: string, query = '') => pdm.editor.upload(into.draftId, kind, stp('x'), { query });
    expect((await upload(assembly, 'source')).body).toMatchObject({
      code: 'wrong_kind',
      split: true,
      detail: expect.stringContaining('?split=true'),
    });
    expect((await upload(model, 'source', '&split=true')).body.code).toBe('wrong_kind');
    expect((await upload(assembly, 'asm-json', '&split=true')).body.code).toBe('wrong_kind');
  });

  test('reuses existing documents unless they are archived', async () => {
    const first = await claimedSplit(['bolt', 'pin']);
    await first.deliver();
    const [bolt, pin] = (await pdm.viewer.get(`/versions/${first.whole.draftId}/bom`)).body.items;
    await pdm.editor.post(`/documents/${pin.documentId}/archive`);
    const second = await claimedSplit(['bolt', 'pin', 'plate']);
    const before = await count();
    await second.deliver();
    const used = (await pdm.viewer.get(`/versions/${second.whole.draftId}/bom`)).body.items.map(
      ({ documentId }: { documentId: string }) => documentId,
    );
    expect([used[0] === bolt.documentId, used.includes(pin.documentId), (await count()) - before]).toEqual([
      true,
      false,
      2,
    ]);
  });

  test('creates nothing when the draft changed, another user holds it, or the whole is missing', async () => {
    const replaced = await claimedSplit(['cap']);
    const { jobId: assembling } = await storeAsm(replaced.whole, { templates: [] });
    await pdm.editor.post(`/jobs/${assembling}/cancel`);
    const reserved = await claimedSplit(['lid']);
    const before = await count();
    await pdm.admin.post(`/workspaces/${reserved.whole.workspaceId}/checkout`, {});
    expect([await replaced.deliver(), await reserved.deliver()]).toEqual([
      { status: 409, code: 'stale_input' },
      { status: 423, code: 'workspace_reserved' },
    ]);
    expect(await count()).toBe(before);
    const headless = await claimedSplit(['hat'], undefined, 'whole');
    expect(await headless.deliver()).toEqual({ status: 400, code: 'validation_failed' });
    for (const { jobId } of [replaced, reserved, headless])
      await pdm.worker.post(`/jobs/${jobId}/fail`, { error: { message: 'refused' }, final: true });
  });
});
