// Reference updates of assemblies: listing them, applying them to a draft, and replacing a document in every draft.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf, assemblies, type Item } from '../support/assemblies.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

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

const text = async (id: string) => (await pdm.viewer.get(`/versions/${id}/artifacts/asm-json/file`)).bytes.toString();
const updates = async (id: string) => (await pdm.viewer.get(`/versions/${id}/reference-updates`)).body.items;
const take = (item: Item, body: unknown = {}) => pdm.editor.post(`/versions/${item.draftId}/reference-updates`, body);
const replace = (of: Item, body: unknown) => pdm.editor.post(`/documents/${of.id}/replace-in-drafts`, body);
const newestAudit = async (id: string) => (await pdm.viewer.get(`/documents/${id}/audit`)).body.items[0];

/** A part with releases A and B and a third version. */
async function partWithStates(): Promise<Item> {
  const part = await make.model();
  await make.release(part);
  await make.release(part);
  await make.version(part);
  return part;
}

describe('updates of references', () => {
  test('lists possible updates by occurrence, in drafts and versions', async () => {
    const part = await partWithStates();
    const item = await make.assembly([[addressOf(part, '@A'), 2], [part], [addressOf(part, '@v3')]]);
    const [pinned, floating, last] = await updates(item.draftId);
    expect(pinned).toMatchObject({
      path: '/templates/0/reference',
      location: addressOf(part, '@A'),
      quantity: 2,
      number: part.number,
      pinned: true,
      current: { label: 'A', n: 1 },
      newestRelease: { label: 'B', n: 2 },
      newestVersion: { label: null, n: 3 },
      toRelease: addressOf(part, '@B'),
      toVersion: addressOf(part, '@v3'),
    });
    expect(floating).toMatchObject({ pinned: false, current: { label: 'B' }, toRelease: null, toVersion: null });
    expect(last).toMatchObject({ pinned: true, toRelease: null, toVersion: null });
    const { versions } = (await pdm.viewer.get(`/documents/${item.id}`)).body;
    expect(await updates(versions[0].id)).toMatchObject([
      { current: { label: 'A' }, newestRelease: { label: 'B' } },
      { pinned: false },
      {},
    ]);
    expect(await pdm.viewer.get(`/versions/${part.draftId}/reference-updates`)).toMatchObject({
      status: 422,
      body: { code: 'wrong_kind' },
    });
  });

  test('changes only the addresses in the file, and queues a job like an upload', async () => {
    const part = await partWithStates();
    const item = await make.draft([]);
    const asm = (first: string, second: string) =>
      `{\r\n\t"note" : "kept, ${addressOf(part, '@A')} too",\r\n\t"templates":[ {"reference":{"x":1,"location":"${first}" }, "extra":[1.50,2e3]},\r\n{"reference": {"location" :"${second}"}} ]\r\n}\r\n`;
    await pdm.editor.upload(item.draftId, 'asm-json', asm(addressOf(part, '@A'), addressOf(part, '@v1')), {
      fileName: 'Tisch.asm.json',
    });
    const { status, body } = await take(item);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      changed: [
        { path: '/templates/0/reference', from: addressOf(part, '@A'), to: addressOf(part, '@B') },
        { path: '/templates/1/reference', from: addressOf(part, '@v1'), to: addressOf(part, '@v3') },
      ],
      unchanged: [],
      artifact: { kind: 'asm-json', fileName: 'Tisch.asm.json', stale: false },
    });
    expect(await text(item.draftId)).toBe(asm(addressOf(part, '@B'), addressOf(part, '@v3')));
    expect((await pdm.viewer.get(`/jobs/${body.artifact.jobId}`)).body).toMatchObject({
      type: 'assemble',
      status: 'waiting',
      inputSha256: body.artifact.sha256,
    });
    expect(await newestAudit(item.id)).toMatchObject({
      action: 'references.updated',
      versionId: item.draftId,
      jobId: body.artifact.jobId,
      changes: {
        references: {
          from: [addressOf(part, '@A'), addressOf(part, '@v1')],
          to: [addressOf(part, '@B'), addressOf(part, '@v3')],
        },
        'asm-json': { to: { sha256: body.artifact.sha256 } },
      },
    });
    expect((await take(item)).body).toMatchObject({
      changed: [],
      unchanged: [{ code: 'up_to_date' }, { code: 'up_to_date' }],
      artifact: null,
    });
  });

  test('updates only the named occurrences, to the named targets', async () => {
    const part = await partWithStates();
    const item = await make.draft([[addressOf(part, '@A')], [addressOf(part, '@A')], [part]]);
    const { body } = await take(item, { paths: ['/templates/1/reference', '/templates/2/reference'], to: 'version' });
    expect(body.changed).toEqual([
      { path: '/templates/1/reference', from: addressOf(part, '@A'), to: addressOf(part, '@v3') },
    ]);
    expect(body.unchanged).toMatchObject([{ path: '/templates/2/reference', code: 'floating' }]);
    expect((await updates(item.draftId)).map(({ location }: { location: string }) => location)).toEqual(
      ['@A', '@v3', ''].map((at) => addressOf(part, at)),
    );
  });

  test('rejects updates of unknown paths, versions, archived documents and drafts that another user holds', async () => {
    const part = await partWithStates();
    const item = await make.assembly([[addressOf(part, '@A')]]);
    expect(await take(item, { paths: ['/templates/7/reference'] })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: '/paths/0' }] },
    });
    const { versions } = (await pdm.viewer.get(`/documents/${item.id}`)).body;
    expect(await pdm.editor.post(`/versions/${versions[0].id}/reference-updates`, {})).toMatchObject({
      status: 422,
      body: { code: 'not_a_draft' },
    });
    expect(await pdm.editor.post(`/versions/${part.draftId}/reference-updates`, {})).toMatchObject({
      status: 422,
      body: { code: 'wrong_kind' },
    });
    await pdm.admin.post(`/workspaces/${item.workspaceId}/checkout`, {});
    expect(await take(item)).toMatchObject({ status: 423, body: { code: 'workspace_reserved' } });
    await pdm.admin.post(`/workspaces/${item.workspaceId}/checkin`, {});
    await pdm.editor.post(`/documents/${item.id}/archive`);
    expect(await take(item)).toMatchObject({ status: 409, body: { code: 'document_archived' } });
    expect(await text(item.draftId)).toContain('@A');
  });

  test('rejects updates that would create a cycle, and leaves the file unchanged', async () => {
    const [inner, outer] = [await make.assembly([]), await make.draft([])];
    await make.use(outer, [[addressOf(inner, '@v1')]]);
    await make.version(outer);
    await make.use(inner, [[outer]]).then(
      () => expect.unreachable('the circle over drafts was stored'),
      (error: Error) => expect(error.message).toContain('reference_cycle'),
    );
    await make.use(outer, []);
    await make.version(outer);
    // inner v2 uses outer v2, which uses nothing; outer may use inner v1 and not v2
    await make.use(inner, [[addressOf(outer, '@v2')]]);
    await make.version(inner);
    await make.use(inner, []);
    await make.use(outer, [[addressOf(inner, '@v1')]]);
    expect(await take(outer)).toMatchObject({ status: 422, body: { code: 'reference_cycle' } });
    expect(await text(outer.draftId)).toContain('@v1');
  });

  test('applies updates once when two requests send them concurrently during a release', async () => {
    const part = await partWithStates();
    const item = await make.draft([[addressOf(part, '@A')]]);
    const [one, two] = await Promise.all([take(item), take(item), make.release(part)]);
    expect([one.status, two.status]).toEqual([200, 200]);
    const all = [...one.body.changed, ...two.body.changed];
    // either may have been first
    expect(all.filter(({ from }) => from === addressOf(part, '@A'))).toHaveLength(1);
    expect((await take(item)).status).toBe(200);
    expect(await text(item.draftId)).toContain(addressOf(part, '@C'));
  });
});

describe('replacing a document', () => {
  test('changes every writable draft as the dry run reported', async () => {
    const [old, fresh] = [await partWithStates(), await partWithStates()];
    const floating = await make.draft([[old, 3]]);
    const pinned = await make.assembly([[addressOf(old, '@A')], [`pdm://documents/${old.id}@v1`], [fresh]]);
    const held = await make.draft([[old]]);
    await pdm.admin.post(`/workspaces/${held.workspaceId}/checkout`, {});
    const archived = await make.draft([[old]]);
    await pdm.editor.post(`/documents/${archived.id}/archive`);
    const below = await make.draft([[old]]);
    await make.version(below);
    await make.use(below, [[old]]);

    const preview = (await replace(old, { with: fresh.number, dryRun: true })).body;
    expect(await text(floating.draftId)).toContain(old.number);
    const { status, body } = await replace(old, { with: fresh.number });
    expect(status).toBe(200);
    type Replacement = { artifact: unknown } & Record<string, unknown>;
    const withoutArtifact = ({ items }: { items: Replacement[] }) =>
      items.map(({ artifact: _artifact, ...item }) => item);
    expect(withoutArtifact(preview)).toEqual(withoutArtifact(body));
    expect(preview.items.map(({ artifact }: Replacement) => artifact)).toEqual(preview.items.map(() => null));

    const of = ({ id }: Item) => body.items.find(({ documentId }: { documentId: string }) => documentId === id);
    expect(of(floating)).toMatchObject({
      outcome: 'replaced',
      document: { number: floating.number },
      version: { id: floating.draftId, type: 'draft', workspace: { name: 'main' } },
      changed: [{ path: '/templates/0/reference', from: addressOf(old), to: addressOf(fresh) }],
      artifact: { kind: 'asm-json' },
    });
    expect(of(pinned).changed.map(({ to }: { to: string }) => to)).toEqual([
      addressOf(fresh, '@B'),
      `pdm://documents/${fresh.id}@B`,
    ]);
    expect(of(held)).toMatchObject({ outcome: 'skipped', code: 'workspace_reserved', changed: [], artifact: null });
    expect(of(archived)).toMatchObject({ outcome: 'skipped', code: 'document_archived' });
    expect(of(below)).toMatchObject({ outcome: 'replaced' });
    expect(await newestAudit(floating.id)).toMatchObject({
      action: 'references.replaced',
      changes: { references: { from: [addressOf(old)], to: [addressOf(fresh)] } },
    });
    const left = (await replace(old, { with: fresh.id })).body.items.map(
      ({ documentId }: { documentId: string }) => documentId,
    );
    expect(left.sort()).toEqual([held.id, archived.id].sort());
    const versions = (await pdm.viewer.get(`/documents/${old.id}/where-used?drafts=false`)).body.items;
    expect(versions.length).toBe(3); // versions stay unchanged
  });

  test('rejects a replacement that would create a cycle, also in the dry run', async () => {
    const old = await make.part();
    const user = await make.assembly([[old]]);
    const fresh = await make.assembly([[user]]);
    for (const dryRun of [true, false])
      expect((await replace(old, { with: fresh.id, dryRun })).body).toMatchObject({
        dryRun,
        items: [{ documentId: user.id, outcome: 'skipped', code: 'reference_cycle' }],
      });
  });

  test('continues a replacement with a cursor', async () => {
    const [old, fresh] = [await make.part(), await make.part()];
    for (let i = 0; i < 3; i++) await make.draft([[old], [addressOf(old, '@v1')]]);
    const first = await pdm.editor.post(`/documents/${old.id}/replace-in-drafts?limit=2`, { with: fresh.id });
    expect(first.body.items.length).toBe(2);
    const next = await pdm.editor.post(
      `/documents/${old.id}/replace-in-drafts?limit=2&cursor=${first.body.nextCursor}`,
      { with: fresh.id },
    );
    expect(next.body).toMatchObject({ items: [{ outcome: 'replaced' }], nextCursor: null });
    expect((await pdm.viewer.get(`/documents/${old.id}/where-used`)).body.items).toEqual([]);
  });

  test('changes each draft once when two requests run concurrently, and reports it in one of them', async () => {
    const [old, fresh] = [await make.part(), await make.part()];
    const drafts: string[] = [];
    for (let i = 0; i < 6; i++) drafts.push((await make.draft([[old]])).draftId);
    const answers = await Promise.all([1, 2].map(() => replace(old, { with: fresh.id })));
    const items = answers.flatMap(({ body }) => body.items);
    expect(items.map(({ outcome, changed }) => [outcome, changed.length])).toEqual(drafts.map(() => ['replaced', 1]));
    expect(new Set(items.map(({ version }) => version.id))).toEqual(new Set(drafts));
  });

  test('requires another existing document with geometry', async () => {
    const old = await make.part();
    const code = (await pdm.editor.post('/documents', { name: 'Code', kind: 'code' })).body;
    expect(await replace(old, { with: 'NOT-1' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await replace(old, { with: old.number })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: '/with' }] },
    });
    expect(await replace(old, { with: code.id })).toMatchObject({ status: 422, body: { code: 'wrong_kind' } });
  });
});
