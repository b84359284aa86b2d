// The checker has teeth: every invariant is broken once behind the back of the service, and told by its name.
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
import { type Violation, INVARIANTS } from './invariant.ts';
import { type Anything, ids, SEEDS } from './testing/broken-stores.ts';

let store: TestStore;
const using = (id: string) => JSON.stringify({ templates: [{ reference: { location: `pdm://documents/${id}` } }] });

beforeAll(async () => {
  store = await testStore();
  const on = content(store.services);
  ids.token = await issueTokenTo(store.services, { role: 'editor', name: 'Ed', days: 1 });
  ids.outer = (await on.run(createFolder, { name: 'Outer' }))._id;
  ids.inner = (await on.run(createFolder, { name: 'Inner', parentId: ids.outer }))._id;
  const { documentId, workspaceId, draftId } = await on.document();
  Object.assign(ids, { document: documentId, workspace: workspaceId, draft: draftId });
  await on.run(moveDocuments, { ids: [documentId], folderId: ids.inner });
  const source = await on.upload(draftId, 'source', 'a solid');
  Object.assign(ids, { source: source._id, blob: source.sha256 });
  ids.first = (await on.version(workspaceId))._id;
  await on.upload(draftId, 'attachment.note', 'a note', 'note.txt');
  ids.second = (await on.version(workspaceId))._id;
  await on.run(createWorkspace, { documentId, name: 'Trial', fromVersionId: ids.first });
  const mistake = await on.run(releaseVersion, { versionId: ids.first });
  await on.as(requestAs('admin'), takeBackRevision, { id: mistake._id });
  ids.revision = (await on.run(releaseVersion, { versionId: ids.first }))._id;
  await on.run(releaseVersion, { versionId: ids.second });
  ids.deleted = (await on.document()).documentId;
  await on.run(deleteDocument, { id: ids.deleted });
  ids.job =
    (await store.services.mongo.db.collection<{ _id: string; status: string }>('jobs').findOne({ status: 'waiting' }))
      ?._id ?? '';
  const table = await on.document('assembly');
  const file = await on.upload(table.draftId, 'asm-json', using(documentId), 'asm.json');
  ids.table = (await on.version(table.workspaceId))._id;
  const room = await on.document('assembly');
  await on.upload(room.draftId, 'asm-json', using(table.documentId), 'asm.json');
  ids.room = (await on.version(room.workspaceId))._id;
  Object.assign(ids, { asmJson: file._id, structure: file.sha256, line: `${ids.table}/1` });
  await startSealing(store.services).stop();
  await on.document('assembly');
});
afterAll(() => store.close());

async function faults(readData = true): Promise<Violation[]> {
  const found: Violation[] = [];
  for await (const fault of checkStore({ db: store.services.mongo.db }, { readData, verifiers: () => [] }))
    found.push(fault);
  return found;
}

test('a sound store has no fault, whether its bytes are read or not', async () => {
  expect(await faults()).toEqual([]);
  expect(await faults(false)).toEqual([]);
});

describe('a broken store is told', () => {
  test.each(SEEDS)('$invariant: $what', async ({ invariant, in: name, id, seed }) => {
    const records = store.services.mongo.db.collection<Anything>(name);
    const before = await records.find().toArray();
    await seed(records, store.services.mongo.db);
    const found = await faults();
    await records.deleteMany({});
    if (before.length) await records.insertMany(before);
    const own = found.filter((fault) => fault.invariant === invariant);
    if (invariant === 'I13' && name === 'audit') expect(own[0]?.id).toMatch(/^aud_/);
    else expect(own.map((fault) => fault.id)).toContain(id());
  });

  test('and after all that the store is sound again', async () => {
    expect(await faults()).toEqual([]);
  });

  test('every invariant that the checker knows has been broken', () => {
    expect([...new Set(SEEDS.map(({ invariant }) => invariant))]).toEqual(Object.keys(INVARIANTS));
  });
});
