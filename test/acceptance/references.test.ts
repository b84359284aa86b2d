// Assemblies and their references: storing an asm.json, resolving, freezing, rejecting.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violatedInvariants } from '../support/invariants.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(async () => {
  expect(await violatedInvariants({ db: pdm.services.mongo.db })).toEqual([]);
  await pdm.close();
});

type Place = { id: string; number: string; workspaceId: string; draftId: string };

async function created(kind: 'model' | 'assembly', number?: string): Promise<Place> {
  const { body } = await pdm.editor.post('/documents', { name: kind, kind, number });
  return { id: body.id, number: body.number, workspaceId: body.workspaces[0].id, draftId: body.workspaces[0].draftId };
}
const versionOf = async ({ workspaceId }: Place) =>
  (await pdm.editor.post(`/workspaces/${workspaceId}/versions`, {})).body;
const released = async (place: Place) => {
  const version = await versionOf(place);
  return { version, revision: (await pdm.editor.post(`/versions/${version.id}/release`, {})).body };
};
const using = (...addresses: string[]) =>
  JSON.stringify({ templates: addresses.map((location) => ({ reference: { location } })) });
const address = ({ number }: Place, at = '') => `pdm://documents/${number}${at}`;
const store = ({ draftId }: Place, asm: string) =>
  pdm.editor.upload(draftId, 'asm-json', asm, { fileName: 'asm.json' });
const references = async (id: string) => (await pdm.viewer.get(`/versions/${id}/references`)).body.items;

test('lists references in the order of the asm.json, even if an address has several occurrences', async () => {
  const [one, other, assembly] = [await created('model'), await created('model'), await created('assembly')];
  for (const part of [one, other]) await versionOf(part);
  const used = [one, other, one, other].map((part) => address(part));
  await store(assembly, using(...used));
  const version = await versionOf(assembly);
  for (const id of [assembly.draftId, version.id]) {
    const places = (await references(id)).map(({ path, location }: { path: string; location: string }) => [
      path,
      location,
    ]);
    expect(places).toEqual(used.map((location, i) => [`/templates/${i}/reference`, location]));
    const updates = (await pdm.viewer.get(`/versions/${id}/reference-updates`)).body.items;
    expect(updates.map(({ path }: { path: string }) => path)).toEqual(places.map(([path]: string[]) => path));
  }
});

describe('a bare address', () => {
  test('resolves a bare address to the newest non-obsolete release, else the newest release, else the newest version', async () => {
    const [part, assembly] = [await created('model'), await created('assembly')];
    await store(assembly, using(address(part)));
    const resolution = async () => (await references(assembly.draftId))[0];
    expect(await resolution()).toMatchObject({
      status: 'unresolved',
      resolution: null,
      reason: `Document ${part.number} has no version. Create one from its draft.`,
    });
    await versionOf(part);
    const second = await versionOf(part);
    expect(await resolution()).toMatchObject({
      status: 'resolved',
      resolution: { as: 'version', n: 2, versionId: second.id, label: null, pinned: false },
    });
    const { revision } = await released(part);
    await versionOf(part);
    expect(await resolution()).toMatchObject({ resolution: { as: 'revision', label: 'A', n: 3, obsolete: false } });
    await pdm.editor.post(`/revisions/${revision.id}/obsolete`);
    expect(await resolution()).toMatchObject({ resolution: { as: 'revision', label: 'A', n: 3, obsolete: true } });
    await released(part);
    expect(await resolution()).toMatchObject({ resolution: { label: 'B', n: 5, obsolete: false } });
  });

  test('returns the reason for which each version was or was not chosen', async () => {
    const part = await created('model');
    await released(part);
    await released(part);
    await versionOf(part);
    const { body } = await pdm.viewer.get(
      `/resolve?address=${encodeURIComponent(`pdm://documents/${part.number.toLowerCase()}`)}`,
    );
    expect(body).toMatchObject({
      address: address(part),
      documentId: part.id,
      status: 'resolved',
      resolution: { label: 'B', n: 2 },
    });
    expect(body.rejectedCandidates).toMatchObject([
      { n: 3, label: null, reason: 'it is not released' },
      { n: 1, label: 'A', reason: 'revision B is a later release' },
    ]);
  });

  test('resolves a bare address as soon as its document is created', async () => {
    const assembly = await created('assembly');
    await store(assembly, using('pdm://documents/LATER-1'));
    expect((await references(assembly.draftId))[0]).toMatchObject({
      status: 'unresolved',
      documentId: null,
      reason: 'There is no document LATER-1.',
    });
    await versionOf(await created('model', 'later-1'));
    expect((await references(assembly.draftId))[0]).toMatchObject({ status: 'resolved', number: 'LATER-1' });
  });
});

test('resolves @ to a release (label in upper case), a version number or a version id, and the document number in any case', async () => {
  const [part, assembly] = [await created('model'), await created('assembly')];
  await released(part);
  await versionOf(part);
  const lower = part.number.toLowerCase();
  await store(
    assembly,
    using(
      address(part, '@A'),
      address(part, '@v2'),
      `pdm://documents/${lower}@v2`,
      `pdm://documents/${part.id}`,
      address(part, '@a'),
      address(part, '@v9'),
    ),
  );
  expect(await references(assembly.draftId)).toMatchObject([
    { path: '/templates/0/reference', resolution: { as: 'revision', label: 'A', n: 1, pinned: true } },
    { path: '/templates/1/reference', resolution: { as: 'version', n: 2, pinned: true } },
    { path: '/templates/2/reference', location: address(part, '@v2'), resolution: { n: 2 } },
    { path: '/templates/3/reference', documentId: part.id, resolution: { label: 'A', pinned: false } },
    {
      path: '/templates/4/reference',
      status: 'unresolved',
      reason: `Document ${part.number} has no revision a. Labels are case-sensitive. Did you mean A?`,
    },
    { path: '/templates/5/reference', status: 'unresolved', reason: `Document ${part.number} has no version 9.` },
  ]);
  expect((await pdm.viewer.get('/resolve?address=https://example.com/x')).body).toMatchObject({
    status: 400,
    code: 'bad_address',
  });
});

test('freezes the version of every reference, with a digest of the whole structure', async () => {
  const [part, inner, outer] = [await created('model'), await created('assembly'), await created('assembly')];
  await versionOf(part);
  await store(inner, using(address(part)));
  const first = await versionOf(inner);
  await store(outer, using(address(inner)));
  const before = await versionOf(outer);
  expect(first.bomDigest).toMatch(/^[0-9a-f]{64}$/);

  await versionOf(part);
  expect(await references(first.id)).toMatchObject([
    { resolution: { n: 1, pinned: true }, reason: 'frozen when the version was created' },
  ]);
  expect(await references(inner.draftId)).toMatchObject([{ resolution: { n: 2, pinned: false } }]);
  const same = await versionOf(outer);
  expect(same.bomDigest).toBe(before.bomDigest);
  await versionOf(inner);
  expect((await versionOf(outer)).bomDigest).not.toBe(before.bomDigest);
  expect((await versionOf(part)).bomDigest).toBeNull();
});

test('assembles the draft and the version again when its references changed since the last assembly', async () => {
  const [part, assembly] = [await created('model'), await created('assembly')];
  await versionOf(part);
  await store(assembly, using(address(part)));
  const jobs = async (id: string) =>
    (await pdm.viewer.get(`/versions/${id}/jobs`)).body.items.map(
      ({ type, status }: { type: string; status: string }) => `${type} ${status}`,
    );
  expect(await jobs(assembly.draftId)).toEqual(['assemble waiting']);
  expect(await jobs((await versionOf(assembly)).id)).toEqual([]);
  await versionOf(part);
  expect(await jobs((await versionOf(assembly)).id)).toEqual(['assemble waiting']);
});

test('rejects a version while references are unresolved, and lists all of them', async () => {
  const [part, assembly] = [await created('model'), await created('assembly')];
  await store(assembly, using(address(part), 'pdm://documents/NOWHERE'));
  const { body } = await pdm.editor.post(`/workspaces/${assembly.workspaceId}/versions`, {});
  expect(body).toMatchObject({
    status: 422,
    code: 'unresolved_reference',
    references: [{ location: address(part), code: 'no_versions' }, { code: 'no_such_document' }],
  });
});

test('rejects an invalid asm.json with a pointer to each error, and stores nothing', async () => {
  const [part, assembly] = [await created('model'), await created('assembly')];
  await store(assembly, using(address(part)));
  const bad = JSON.stringify({
    templates: [{ reference: { location: 'https://example.com' } }, {}],
    instances: [{ ident: 'a', template: 'x' }],
  });
  const { body } = await store(assembly, bad);
  expect(body).toMatchObject({ status: 422, code: 'invalid_asm_json' });
  expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([
    '/templates/0/ident',
    '/templates/0/reference/location',
    '/templates/1/ident',
    '/templates/1',
    '/instances/0/template',
  ]);
  expect((await store(assembly, '{"templates": [')).body).toMatchObject({ code: 'invalid_asm_json' });
  expect(await references(assembly.draftId)).toHaveLength(1);
  const { body: wrong } = await store(part, using(address(assembly)));
  expect(wrong).toMatchObject({ status: 422, code: 'wrong_kind' });
  expect((await pdm.viewer.get(`/versions/${part.draftId}/references`)).body).toMatchObject({
    status: 422,
    code: 'wrong_kind',
  });
});

test('rejects cycles with the chain of documents: direct, through versions, and through drafts', async () => {
  const [top, middle, bottom] = [await created('assembly'), await created('assembly'), await created('assembly')];
  expect((await store(top, using(address(top)))).body).toMatchObject({
    status: 422,
    code: 'reference_cycle',
    chain: [{ number: top.number }, { number: top.number }],
  });
  await store(top, using(address(middle)));
  await store(middle, using(address(bottom)));
  const { body } = await store(bottom, using(address(top)));
  expect(body.code).toBe('reference_cycle');
  expect(body.chain.map(({ number }: Place) => number)).toEqual([
    bottom.number,
    top.number,
    middle.number,
    bottom.number,
  ]);
  await versionOf(bottom);
  await versionOf(middle);
  await pdm.editor.delete(`/versions/${middle.draftId}/artifacts/asm-json`);
  await versionOf(top);
  expect((await store(bottom, using(address(top)))).body.code).toBe('reference_cycle');
});

test('copies references with the content into branches, copies, restored and undone drafts, and deletes them with the file', async () => {
  const [part, assembly] = [await created('model'), await created('assembly')];
  await versionOf(part);
  await store(assembly, using(address(part)));
  const version = await versionOf(assembly);
  const branch = (
    await pdm.editor.post(`/documents/${assembly.id}/workspaces`, { name: 'b', fromVersionId: version.id })
  ).body;
  const copy = (await pdm.editor.post(`/documents/${assembly.id}/copy`, {})).body;
  expect(await references(branch.draftId)).toMatchObject([{ resolution: { n: 1, pinned: false } }]);
  expect(await references(copy.workspaces[0].draftId)).toHaveLength(1);
  expect((await pdm.editor.delete(`/versions/${assembly.draftId}/artifacts/asm-json`)).status).toBe(204);
  expect(await references(assembly.draftId)).toEqual([]);
  const { auditId } = (await pdm.editor.post(`/workspaces/${assembly.workspaceId}/restore`, { versionId: version.id }))
    .body;
  expect(await references(assembly.draftId)).toHaveLength(1);
  await pdm.editor.post(`/workspaces/${assembly.workspaceId}/undo`, { auditId });
  expect(await references(assembly.draftId)).toEqual([]);
});

test('lets twenty assemblies start to use a part concurrently', async () => {
  const part = await created('model');
  await versionOf(part);
  const assemblies = await Promise.all(Array.from({ length: 20 }, () => created('assembly')));
  const answers = await Promise.all(assemblies.map((assembly) => store(assembly, using(address(part)))));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
  for (const { draftId } of assemblies)
    expect(await references(draftId)).toMatchObject([{ number: part.number, status: 'resolved' }]);
});
