import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

const newDocument = async (folderId?: string): Promise<string> =>
  (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model', folderId })).body.id;

test('each write of a mutation is answered with what it left, whatever the ones before it have read', async () => {
  const folder = (await pdm.editor.post('/folders', { name: 'Here' })).body.id;
  const [x, y] = [await newDocument(), await newDocument()];
  const [{ id: workspace }] = (await pdm.viewer.get(`/documents/${x}`)).body.workspaces;
  const written = await pdm.editor.graphql(
    `mutation ($x: ID!, $y: ID!, $folder: ID!, $workspace: ID!) {
      a: moveDocuments(ids: [$x], folderId: $folder) { folder { documentCount } }
      b: moveDocuments(ids: [$y], folderId: $folder) { folder { documentCount } }
      c: updateWorkspace(id: $workspace, name: "First") { document { name } }
      d: updateDocument(id: $x, name: "Renamed") { workspaces { name } }
      e: updateWorkspace(id: $workspace, name: "Second") { document { name } }
      f: updateDocument(id: $x, name: "Renamed again") { workspaces { name } }
    }`,
    { x, y, folder, workspace },
  );
  expect(written.body.errors).toBeUndefined();
  const { a, b, e, f } = written.body.data;
  expect([a, b]).toEqual([[{ folder: { documentCount: 1 } }], [{ folder: { documentCount: 2 } }]]);
  expect([e.document.name, f.workspaces]).toEqual(['Renamed', [{ name: 'Second' }]]);
});
