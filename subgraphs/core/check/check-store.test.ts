// Violates each invariant directly in the database, and expects the check to report it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { content } from '../../../test/support/content.ts';
import { requestAs, type TestStore, testStore } from '../../../test/support/store.ts';
import { issueTokenTo } from '../../documents/access/issue-token.ts';
import { startSealing } from '../../documents/audit/seal-audit.ts';
import { deleteDocument } from '../../documents/delete-document.ts';
import { createFolder } from '../../documents/folders/create-folder.ts';
import { moveDocuments } from '../../documents/move-documents.ts';
import { releaseVersion } from '../../versioning/revisions/release-version.ts';
import { takeBackRevision } from '../../versioning/revisions/take-back-revision.ts';
import { createWorkspace } from '../../versioning/workspaces/create-workspace.ts';
import { checkStore } from './check-store.ts';
import { INVARIANTS, type Violation } from './invariant.ts';
import { type AnyRecord, DAMAGE, ids } from './testing/broken-stores.ts';

let store: TestStore;
const using = (id: string) => JSON.stringify({ templates: [{ reference: { location: `pdm://documents/${id}` } }] });

beforeAll(async () => {
  store = await testStore();
  const fixture = content(store.services);
  ids.token = await issueTokenTo(store.services, { role: 'editor', name: 'Ed', days: 1 });
  ids.outer = (await fixture.run(createFolder, { name: 'Outer' }))._id;
  ids.inner = (await fixture.run(createFolder, { name: 'Inner', parentId: ids.outer }))._id;
  const { documentId, workspaceId, draftId } = await fixture.document();
  Object.assign(ids, { document: documentId, workspace: workspaceId, draft: draftId });
  await fixture.run(moveDocuments, { ids: [documentId], folderId: ids.inner });
  const source = await fixture.upload(draftId, 'source', 'a solid');
  Object.assign(ids, { source: source._id, blob: source.sha256 });
  ids.first = (await fixture.version(workspaceId))._id;
  await fixture.upload(draftId, 'attachment.note', 'a note', 'note.txt');
  ids.second = (await fixture.version(workspaceId))._id;
  await fixture.run(createWorkspace, { documentId, name: 'Trial', fromVersionId: ids.first });
  const mistake = await fixture.run(releaseVersion, { versionId: ids.first });
  await fixture.as(requestAs('admin'), takeBackRevision, { id: mistake._id });
  ids.revision = (await fixture.run(releaseVersion, { versionId: ids.first }))._id;
  await fixture.run(releaseVersion, { versionId: ids.second });
  ids.deleted = (await fixture.document()).documentId;
  await fixture.run(deleteDocument, { id: ids.deleted });
  ids.job =
    (await store.services.mongo.db.collection<{ _id: string; status: string }>('jobs').findOne({ status: 'waiting' }))
      ?._id ?? '';
  const table = await fixture.document('assembly');
  const file = await fixture.upload(table.draftId, 'asm-json', using(documentId), 'asm.json');
  ids.table = (await fixture.version(table.workspaceId))._id;
  const plant = await fixture.document('assembly');
  await fixture.upload(plant.draftId, 'asm-json', using(table.documentId), 'asm.json');
  ids.plant = (await fixture.version(plant.workspaceId))._id;
  Object.assign(ids, { asmJson: file._id, structure: file.sha256, line: `${ids.table}/1` });
  await startSealing(store.services).stop();
  await fixture.document('assembly');
});
afterAll(() => store.close());

async function violations(readData = true): Promise<Violation[]> {
  const found: Violation[] = [];
  for await (const violation of checkStore({ db: store.services.mongo.db }, { readData, verifiers: () => [] }))
    found.push(violation);
  return found;
}

test('reports nothing for an intact store, with and without reading the bytes', async () => {
  expect(await violations()).toEqual([]);
  expect(await violations(false)).toEqual([]);
});

describe('a violation is reported', () => {
  test.each(DAMAGE)('$invariant: $description', async ({ invariant, collection, id, apply }) => {
    const records = store.services.mongo.db.collection<AnyRecord>(collection);
    const before = await records.find().toArray();
    await apply(records, store.services.mongo.db);
    const found = await violations();
    await records.deleteMany({});
    if (before.length) await records.insertMany(before);
    const own = found.filter((violation) => violation.invariant === invariant);
    if (invariant === 'I13' && collection === 'audit') expect(own[0]?.id).toMatch(/^aud_/);
    else expect(own.map((violation) => violation.id)).toContain(id());
  });

  test('leaves an intact store after all cases', async () => {
    expect(await violations()).toEqual([]);
  });
});

test('the test cases violate every invariant', () => {
  expect([...new Set(DAMAGE.map(({ invariant }) => invariant))]).toEqual(Object.keys(INVARIANTS));
});
