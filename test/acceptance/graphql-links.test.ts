// Links of the graph: each leads to the object with the id beside it, and links below a list are read in batches.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, assemblies, type Item } from '../support/assemblies.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { storeCommands } from '../support/store-commands.ts';

let pdm: Pdm;
let make: ReturnType<typeof assemblies>;
beforeAll(async () => {
  pdm = await startPdm({ monitorCommands: true, settings: { PDM_ROLES: 'store,api' } });
  make = assemblies(pdm.editor);
});
afterAll(() => pdm.close());

const graphql = async (query: string, variables: Record<string, unknown> = {}, client = pdm.viewer) => {
  const { body } = await client.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
};

/** Returns each id field that has a link with another id beside it, and the number of links that were followed. */
function wrongLinks(value: unknown, path = ''): { wrong: string[]; followed: number } {
  if (typeof value !== 'object' || value === null) return { wrong: [], followed: 0 };
  const object = value as Record<string, unknown>;
  const own = Object.entries(object).flatMap(([name, id]) => {
    const link = object[name.replace(/Id$/, '')] as { id?: string } | null | undefined;
    if (!name.endsWith('Id') || link === undefined) return [];
    return [{ at: `${path}.${name}`, ok: (link?.id ?? null) === id }];
  });
  const below = Object.entries(object).map(([name, inner]) => wrongLinks(inner, `${path}.${name}`));
  return {
    wrong: [...own.filter(({ ok }) => !ok).map(({ at }) => at), ...below.flatMap(({ wrong }) => wrong)],
    followed: own.length + below.reduce((sum, { followed }) => sum + followed, 0),
  };
}

test('follows every link of a document with a revision, a workspace and an assembly that uses it', async () => {
  const folder = (await pdm.editor.post('/folders', { name: 'Machines' })).body.id;
  const below = (await pdm.editor.post('/folders', { name: 'Pumps', parentId: folder })).body.id;
  const part = await make.part();
  const { versionId } = await make.release(part);
  await pdm.editor.post('/workspaces/:id/take-over'.replace(':id', part.workspaceId), { versionId });
  const assembly = await make.assembly([[part, 2]]);
  const copy = (await pdm.editor.post(`/documents/${part.id}/copy`, {})).body;
  await pdm.editor.post('/documents/move', { ids: [part.id, assembly.id], folderId: below });
  await pdm.editor.post(`/documents/${part.id}/workspaces`, { name: 'lighter', fromVersionId: versionId });
  const data = await graphql(
    `query ($part: ID!, $assembly: ID!, $copy: ID!, $folder: ID!, $below: ID!) {
      part: document(id: $part) {
        workspaces { fromVersionId fromVersion { id } versions { n workspaceId workspace { id } } }
        drafts { basedOnVersionId basedOnVersion { id n } parents parentVersions { id } }
        versions {
          releasedAs { revisionId revision { id label } }
          revision { id documentId document { id number } versionId version { id } }
          audit { items { action versionId version { id } documentId document { id } revisionId revision { id } } }
          bom { number }
        }
        audit { items { folderId folder { id } workspaceId workspace { id name } by { tokenId token { id } } } }
        versionGraph { edges { child { versionId version { id } } parent { versionId version { id } } } }
      }
      assembly: document(id: $assembly) {
        versions { bom { documentId document { id } items { number totalQuantity } } }
        drafts { artifacts { jobId job { id type } url } newestJob { runId run { id } } }
        audit { items { jobId job { id } } }
      }
      copy: document(id: $copy) { copiedFrom { documentId document { id } versionId version { id } } }
      folder(id: $folder) {
        parentId parent { id } folders { id parentId parent { id name } } documents { items { id } }
      }
      below: folder(id: $below) { documents(limit: 1) { items { id } nextCursor } }
    }`,
    { part: part.id, assembly: assembly.id, copy: copy.id, folder, below },
    pdm.admin,
  );
  expect(wrongLinks(data).wrong).toEqual([]);
  expect(wrongLinks(data).followed).toBeGreaterThan(40);
  expect(data.part.workspaces[0].versions.map(({ n }: { n: number }) => n)).toEqual([2, 1]);
  expect(data.part.drafts[0].parentVersions.map(({ id }: { id: string }) => id)).toEqual(data.part.drafts[0].parents);
  expect(data.part.versions.map(({ revision }: { revision: unknown }) => revision !== null)).toEqual([true, false]);
  expect(data.part.versions[0].bom).toBeNull();
  expect(data.assembly.versions[0].bom.items).toEqual([{ number: part.number, totalQuantity: 2 }]);
  const [source] = data.assembly.drafts[0].artifacts;
  expect((await pdm.viewer.get(source.url.replace('/api/v1', ''))).status).toBe(200);
  expect([data.folder.folders, data.folder.documents.items]).toEqual([
    [{ id: below, parentId: folder, parent: { id: folder, name: 'Machines' } }],
    [],
  ]);

  const { items, nextCursor } = data.below.documents;
  const next = await graphql(
    'query ($id: ID!, $cursor: String) { folder(id: $id) { documents(limit: 1, cursor: $cursor) { items { id } nextCursor } } }',
    { id: below, cursor: nextCursor },
  );
  expect([...items, ...next.folder.documents.items].map(({ id }) => id).sort()).toEqual([part.id, assembly.id].sort());
});

test('follows the links of a restored draft, a comparison, an address and a release impact', async () => {
  const part = await make.part();
  const assembly = await make.assembly([[part]]);
  const [first] = (await pdm.viewer.get(`/documents/${assembly.id}/versions`)).body.items;
  const { id: newest } = await make.version(part);
  const data = await graphql(
    `query ($assembly: ID!, $draft: ID!, $part: ID!, $address: String!) {
      compareVersions(id: $assembly, with: $draft) {
        references { from { documentId document { id } versionId version { id } } }
        measures { missing { versionId version { id } } }
      }
      resolveAddress(address: $address) { rejectedCandidates { versionId version { id n } } }
      releaseImpact(versionId: $part, action: release) { documentId document { id } versionId version { id } }
    }`,
    { assembly: first.id, draft: assembly.draftId, part: newest, address: addressOf(part) },
  );
  expect(wrongLinks(data)).toEqual({ wrong: [], followed: 7 });
  const restored = await graphql(
    `mutation ($workspace: ID!, $version: ID!) {
      restoreVersion(workspaceId: $workspace, versionId: $version) {
        auditId audit { id action document { id } }
        draft { restoredFromVersionId restoredFromVersion { id n } }
      }
    }`,
    { workspace: assembly.workspaceId, version: first.id },
    pdm.editor,
  );
  expect(wrongLinks(restored)).toEqual({ wrong: [], followed: 2 });
  expect(restored.restoreVersion.audit).toMatchObject({ action: 'draft.restored', document: { id: assembly.id } });
});

test('shows who a worker acted for, and tokens to administrators only', async () => {
  const { id } = await make.draft([[await make.part()]]);
  const claim = { workerId: 'w', types: ['assemble'], environment: { engine: 'occt' } };
  for (;;) if ((await pdm.worker.post('/jobs/claim', claim)).status === 204) break;
  const query = `query ($id: ID!) {
    document(id: $id) { audit { items { action by { tokenId token { id name } onBehalfOf onBehalfOfUser { id } } } } }
  }`;
  const read = async (client = pdm.viewer) => (await graphql(query, { id }, client)).document.audit.items;
  const claimed = (await read(pdm.admin)).find(({ action }: { action: string }) => action === 'job.claimed');
  expect(claimed.by.onBehalfOfUser.id).toBe(claimed.by.onBehalfOf);
  expect(wrongLinks(await read(pdm.admin)).wrong).toEqual([]);
  for (const { by } of await read()) expect(by).toMatchObject({ tokenId: null, token: null });
});

test('does not let a worker follow its job to the run', async () => {
  const { draftId } = await make.draft([[await make.part()]]);
  const { id } = (await pdm.viewer.get(`/versions/${draftId}/jobs`)).body.items[0];
  const claim = { workerId: 'w', types: ['assemble'], environment: { engine: 'occt' } };
  let job: { id: string };
  do job = (await pdm.worker.post('/jobs/claim', claim)).body;
  while (job.id !== id);
  const query = 'mutation ($id: ID!) { completeJob(id: $id, workerId: "w") { id run { id } } }';
  const { body } = await pdm.worker.graphql(query, { id });
  expect(body.errors[0].extensions.code).toBe('forbidden');
});

test('reads uses, audit records, folders and boms of many objects in a constant number of store queries', async () => {
  const users: Item[] = [];
  const parts = await Promise.all(Array.from({ length: 12 }, () => make.part()));
  for (const part of parts) users.push(await make.assembly([[part, 2]]));
  const commands = storeCommands(() => pdm);
  const list = (fields: string, limit: number) => () =>
    pdm.viewer.graphql(`query ($limit: Int) { documents(kind: model, limit: $limit) { items { id ${fields} } } }`, {
      limit,
    });
  for (const fields of [
    'whereUsed { items { documentId quantity } nextCursor }',
    'whereUsed(limit: 1, drafts: false) { items { documentId quantity } nextCursor }',
    'audit(limit: 3) { items { action } nextCursor }',
    'versions { audit(limit: 3) { items { action } nextCursor } }',
    'workspaces { versions { n basedOnVersion { n } } }',
  ]) {
    const [few, many] = [await commands(list(fields, 3)), await commands(list(fields, 12))];
    expect([fields, many]).toEqual([fields, few]);
  }
  const { documents } = await graphql(
    '{ documents(kind: model, limit: 12) { items { id whereUsed(limit: 1) { items { documentId } nextCursor } audit { items { action } } } } }',
  );
  for (const { id, whereUsed, audit } of documents.items) {
    const user = users[parts.findIndex((part) => part.id === id)]!;
    expect(whereUsed.items).toEqual([{ documentId: user.id }]);
    const rest = await pdm.viewer.get(`/documents/${id}/where-used?limit=1&cursor=${whereUsed.nextCursor}`);
    expect(rest.body).toMatchObject({ items: [{ documentId: user.id }], nextCursor: null });
    expect(audit).toEqual({
      items: (await pdm.viewer.get(`/documents/${id}/audit`)).body.items.map(({ action }: { action: string }) => ({
        action,
      })),
    });
  }
});
