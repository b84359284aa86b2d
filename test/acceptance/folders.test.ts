import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// Folders: tree, names, moving and deletion.
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import type { Answer } from '../support/client.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

const statusAndCode = ({ status, body }: Answer) => [status, body?.code];
const create = async (fields: object = {}) =>
  (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model', ...fields })).body;
const folder = async (name: string, parentId?: string) => (await pdm.editor.post('/folders', { name, parentId })).body;

test('rejects an empty string as the id of a folder or version', async () => {
  const { id } = await create();
  const { id: folderId } = await folder('Unmoved');
  const notFound = [404, 'not_found'];
  expect(statusAndCode(await pdm.editor.post('/documents', { name: 'X', kind: 'model', folderId: '' }))).toEqual(
    notFound,
  );
  expect(statusAndCode(await pdm.editor.post('/documents/move', { ids: [id], folderId: '' }))).toEqual(notFound);
  expect(statusAndCode(await pdm.editor.post('/folders', { name: 'X', parentId: '' }))).toEqual(notFound);
  expect(statusAndCode(await pdm.editor.patch(`/folders/${folderId}`, { parentId: '' }))).toEqual(notFound);
  expect(statusAndCode(await pdm.editor.post(`/documents/${id}/copy`, { versionId: '' }))).toEqual(notFound);
});

describe('folders', () => {
  test('returns the path of a folder and its document count without archived documents', async () => {
    const parent = await folder('Machines');
    const { status, body, headers } = await pdm.editor.post('/folders', { name: 'Presses', parentId: parent.id });
    expect([status, headers.get('location')]).toEqual([201, `/api/v1/folders/${body.id}`]);
    expect(body).toMatchObject({ name: 'Presses', parentId: parent.id, path: 'Machines/Presses', documentCount: 0 });
    const { id } = await create({ folderId: body.id });
    await create({ folderId: body.id });
    await pdm.editor.post(`/documents/${id}/archive`);
    const { items, nextCursor } = (await pdm.viewer.get('/folders')).body;
    expect(nextCursor).toBeNull();
    expect(items.find((item: { id: string }) => item.id === body.id)).toEqual({ ...body, documentCount: 1 });
    expect((await pdm.viewer.get(`/folders/${body.id}`)).body.documentCount).toBe(1);
  });

  test('rejects the name of a sibling folder in any case', async () => {
    const { id } = await folder('Twins');
    await folder('One', id);
    const two = await folder('Two', id);
    expect(statusAndCode(await pdm.editor.post('/folders', { name: 'ONE', parentId: id }))).toEqual([
      409,
      'name_taken',
    ]);
    expect(statusAndCode(await pdm.editor.patch(`/folders/${two.id}`, { name: 'one' }))).toEqual([409, 'name_taken']);
    expect((await pdm.editor.patch(`/folders/${two.id}`, { name: 'TWO' })).body.name).toBe('TWO');
    expect((await pdm.editor.post('/folders', { name: 'One' })).status).toBe(201);
  });

  test('distinguishes folder names by accents', async () => {
    const { id } = await folder('Makers');
    await folder('Müller', id);
    expect((await pdm.editor.post('/folders', { name: 'Muller', parentId: id })).status).toBe(201);
    expect(statusAndCode(await pdm.editor.post('/folders', { name: 'MU\u0308LLER', parentId: id }))).toEqual([
      409,
      'name_taken',
    ]);
  });

  test.each([
    ['10 µm', '10 μM', 'the micro sign and the letter'],
    ['ΟΔΟΣ', 'οδοσ', 'a sigma at the end'],
    ['STRAẞE', 'straße', 'the sharp s as a capital'],
  ])('treats %s and %s as the same name: %s', async (name, same) => {
    const { id } = await folder(`One ${name}`);
    const first = await folder(name, id);
    const taken = { code: 'name_taken', holder: { folderId: first.id } };
    expect(await pdm.editor.post('/folders', { name: same, parentId: id })).toMatchObject({ status: 409, body: taken });
    const other = await folder('Other', id);
    expect(await pdm.editor.patch(`/folders/${other.id}`, { name: same })).toMatchObject({ status: 409, body: taken });
    expect((await pdm.editor.patch(`/folders/${first.id}`, { name: same })).body.name).toBe(same);
  });

  test('distinguishes superscripts, ß and ss, and ı and i', async () => {
    const { id } = await folder('Measures');
    for (const name of ['Maße', 'Masse', 'kapı', 'kapi', 'm²', 'm2'])
      expect([name, (await folder(name, id)).name]).toEqual([name, name]);
  });

  test('reads, moves and renames folders with equal names from older data', async () => {
    const { id } = await folder('Before');
    const [, other] = [await folder('5 µm', id), await folder('other', id)];
    await collection({ db: pdm.services.mongo.db }, 'folders').updateOne(
      { _id: other.id },
      { $set: { name: '5 μm', nameKey: '5 μm' } },
    );
    expect((await pdm.editor.patch(`/folders/${other.id}`, { name: '5 μm', parentId: id })).body.path).toBe(
      'Before/5 μm',
    );
    expect((await pdm.editor.patch(`/folders/${other.id}`, { parentId: null })).body.path).toBe('5 μm');
    expect(statusAndCode(await pdm.editor.patch(`/folders/${other.id}`, { parentId: id }))).toEqual([
      409,
      'name_taken',
    ]);
    expect((await pdm.editor.patch(`/folders/${other.id}`, { name: '6 μm', parentId: id })).body.path).toBe(
      'Before/6 μm',
    );
  });

  test('moves a folder to the top level with null, and never into itself', async () => {
    const outer = await folder('Outer');
    const inner = await folder('Inner', outer.id);
    for (const parentId of [outer.id, inner.id])
      expect(statusAndCode(await pdm.editor.patch(`/folders/${outer.id}`, { parentId }))).toEqual([
        422,
        'folder_cycle',
      ]);
    expect((await pdm.editor.patch(`/folders/${inner.id}`, { parentId: null })).body).toMatchObject({
      parentId: null,
      path: 'Inner',
      name: 'Inner',
    });
    expect((await pdm.editor.patch(`/folders/${inner.id}`, { parentId: 'fld_nothing' })).status).toBe(404);
  });

  test('allows at most 16 levels of folders', async () => {
    let parentId: string | undefined;
    for (let level = 1; level <= 16; level++) parentId = (await folder(`Level ${level}`, parentId)).id;
    expect(statusAndCode(await pdm.editor.post('/folders', { name: 'Too deep', parentId }))).toEqual([
      400,
      'validation_failed',
    ]);
  });

  test('deletes only empty folders', async () => {
    const outer = await folder('Full');
    const inner = await folder('Inside', outer.id);
    const { id } = await create({ folderId: inner.id });
    for (const { id } of [outer, inner])
      expect(statusAndCode(await pdm.editor.delete(`/folders/${id}`))).toEqual([409, 'folder_not_empty']);
    await pdm.editor.post(`/documents/${id}/archive`);
    expect(statusAndCode(await pdm.editor.delete(`/folders/${inner.id}`))).toEqual([409, 'folder_not_empty']);
    await pdm.editor.post(`/documents/${id}/unarchive`);
    await pdm.editor.delete(`/documents/${id}`);
    for (const { id } of [inner, outer]) expect((await pdm.editor.delete(`/folders/${id}`)).status).toBe(204);
    expect((await pdm.viewer.get(`/folders/${outer.id}`)).status).toBe(404);
  });
});
