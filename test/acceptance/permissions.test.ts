import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueTokenTo } from '../../subgraphs/documents/access/issue-token.ts';
import { type Answer, type Client, client } from '../support/client.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
let other: Client;
beforeAll(async () => {
  pdm = await startPdm();
  other = client(
    `${pdm.url}/api/v1`,
    await issueTokenTo(pdm.services, { role: 'editor', name: 'Otto Other', days: 1 }),
  );
});
afterAll(() => pdm.close());

type Place = { document: string; main: string; side: string; version: string; draft: string; revision: string | null };
type Permission = { allowed: boolean; code: string | null; message: string | null };
type Permissions = Record<string, Record<string, Permission>>;

/** Creates a document with a version, a workspace based on it, and the state under test. */
async function placeIn(state: (place: Place) => Promise<unknown>, { released = false } = {}): Promise<Place> {
  const { id: document, workspaces } = (await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' })).body;
  const [{ id: main, draftId: draft }] = workspaces;
  const { id: version } = (await pdm.editor.post(`/workspaces/${main}/versions`)).body;
  const { id: side } = (
    await pdm.editor.post(`/documents/${document}/workspaces`, { name: 'side', fromVersionId: version })
  ).body;
  const revision = released ? (await pdm.editor.post(`/versions/${version}/release`)).body.id : null;
  const place = { document, main, side, version, draft, revision };
  await state(place);
  return place;
}

const done = async (answer: Promise<Answer>): Promise<void> => {
  expect((await answer).status).toBeLessThan(300);
};
const STATES: Record<string, () => Promise<Place>> = {
  plain: () => placeIn(async () => {}),
  released: () => placeIn(async () => {}, { released: true }),
  obsolete: () =>
    placeIn(({ revision }) => done(pdm.editor.post(`/revisions/${revision}/obsolete`)), { released: true }),
  'taken back': () =>
    placeIn(({ revision }) => done(pdm.admin.delete(`/revisions/${revision}`)), { released: true }).then((place) => ({
      ...place,
      revision: null,
    })),
  'archived document': () =>
    placeIn(({ document }) => done(pdm.editor.post(`/documents/${document}/archive`)), { released: true }),
  'archived workspace': () =>
    placeIn(({ main }) => done(pdm.editor.post(`/workspaces/${main}/archive`)), { released: true }),
  'held by another user': () => placeIn(({ main }) => done(other.post(`/workspaces/${main}/checkout`, {}))),
  'held by the editor': () => placeIn(({ main }) => done(pdm.editor.post(`/workspaces/${main}/checkout`, {}))),
};

/** Each permission with the request that it permits. */
const REQUESTS: Record<string, Record<string, (by: Client, at: Place) => Promise<Answer>>> = {
  document: {
    canEdit: (by, { document }) => by.patch(`/documents/${document}`, { description: 'other' }),
    canMove: (by, { document }) => by.post('/documents/move', { ids: [document], folderId: null }),
    canArchive: (by, { document }) => by.post(`/documents/${document}/archive`),
    canUnarchive: (by, { document }) => by.post(`/documents/${document}/unarchive`),
    canDelete: (by, { document }) => by.delete(`/documents/${document}`),
    canCopy: (by, { document }) => by.post(`/documents/${document}/copy`, {}),
  },
  main: {
    canCreateVersion: (by, { main }) => by.post(`/workspaces/${main}/versions`),
    canUpload: (by, { draft }) => by.upload(draft, 'attachment.note', 'x'),
    canTakeOver: (by, { main, version }) =>
      by.post(`/workspaces/${main}/take-over`, { versionId: version, force: true }),
    canRestore: (by, { main, version }) => by.post(`/workspaces/${main}/restore`, { versionId: version }),
    canEdit: (by, { main }) => by.patch(`/workspaces/${main}`, { description: 'other' }),
    canArchive: (by, { main }) => by.post(`/workspaces/${main}/archive`),
    canUnarchive: (by, { main }) => by.post(`/workspaces/${main}/unarchive`),
    canDelete: (by, { main }) => by.delete(`/workspaces/${main}`),
    canCheckout: (by, { main }) => by.post(`/workspaces/${main}/checkout`, {}),
    canRequestCheckin: (by, { main }) => by.post(`/workspaces/${main}/request-checkin`),
    canCheckin: (by, { main }) => by.post(`/workspaces/${main}/checkin`),
    canForceCheckin: (by, { main }) => by.post(`/workspaces/${main}/checkin`, { force: true }),
  },
  side: { canDelete: (by, { side }) => by.delete(`/workspaces/${side}`) },
  version: {
    canEdit: (by, { version }) => by.patch(`/versions/${version}`, { comment: 'other' }),
    canRelease: (by, { version }) => by.post(`/versions/${version}/release`),
    canEditViews: (by, { version }) => by.post(`/versions/${version}/views`, { name: 'Top', scene: SCENE }),
    canCreateWorkspace: (by, { document, version }) =>
      by.post(`/documents/${document}/workspaces`, { name: 'new', fromVersionId: version }),
  },
  draft: {
    canEdit: (by, { draft }) => by.patch(`/versions/${draft}`, { comment: 'other' }),
    canRelease: (by, { draft }) => by.post(`/versions/${draft}/release`),
    canEditViews: (by, { draft }) => by.post(`/versions/${draft}/views`, { name: 'Top', scene: SCENE }),
    canCreateWorkspace: (by, { document, draft }) =>
      by.post(`/documents/${document}/workspaces`, { name: 'new', fromVersionId: draft }),
  },
  revision: {
    canEdit: (by, { revision }) => by.patch(`/revisions/${revision}`, { comment: 'other' }),
    canObsolete: (by, { revision }) => by.post(`/revisions/${revision}/obsolete`),
    canTakeBack: (by, { revision }) => by.delete(`/revisions/${revision}`),
  },
};
const SCENE = { camera: { position: [9, 9, 9], target: [0, 0, 0] } };
const ROUTES: Record<string, string> = {
  document: 'documents',
  main: 'workspaces',
  side: 'workspaces',
  version: 'versions',
  draft: 'versions',
  revision: 'revisions',
};

const permissionsOf = async (by: Client, what: string, at: Place): Promise<Record<string, Permission>> => {
  const { status, body } = await by.get(`/${ROUTES[what]}/${at[what as keyof Place]}/permissions`);
  expect(status).toBe(200);
  return body;
};

// requests that do not change the state under test
const KEEPS_STATE = new Set([
  'canEdit',
  'canMove',
  'canCopy',
  'canEdit',
  'canUpload',
  'canTakeOver',
  'canRestore',
  'canRequestCheckin',
]);
// permissions on which an administrator and an editor get different results
const ADMIN_DIFFERS = new Set(['released', 'held by another user', 'archived document']);

test.each(Object.keys(STATES))(
  '%s: returns the permissions that the requests then confirm, for viewers, editors and administrators',
  async (state) => {
    const fresh = STATES[state]!;
    for (const role of ['viewer', 'editor', ...(ADMIN_DIFFERS.has(state) ? ['admin' as const] : [])] as const) {
      const by = pdm[role];
      let at = await fresh();
      for (const [what, requests] of Object.entries(REQUESTS)) {
        if (!at[what as keyof Place]) continue;
        let permissions = await permissionsOf(by, what, at);
        if (what !== 'side') expect(Object.keys(permissions).sort()).toEqual(Object.keys(requests).sort());
        for (const [name, request] of Object.entries(requests)) {
          const { status, body } = await request(by, at);
          const result =
            status < 300
              ? { allowed: true, code: null, message: null }
              : { allowed: false, code: body.code, message: body.detail };
          expect({ state, role, request: `${what}.${name}`, ...permissions[name] }).toEqual({
            state,
            role,
            request: `${what}.${name}`,
            ...result,
          });
          if (!result.allowed || KEEPS_STATE.has(name)) continue;
          at = await fresh();
          permissions = await permissionsOf(by, what, at);
        }
      }
    }
  },
);

test('returns the reason for each denied action: the holder, the archived record, or the required role', async () => {
  const held = await STATES['held by another user']!();
  expect((await permissionsOf(pdm.editor, 'main', held)).canCreateVersion).toEqual({
    allowed: false,
    code: 'workspace_reserved',
    message: expect.stringContaining('Otto Other'),
  });
  const archived = await STATES['archived document']!();
  expect((await permissionsOf(pdm.editor, 'revision', archived)).canTakeBack).toMatchObject({ code: 'admin_only' });
  expect((await permissionsOf(pdm.admin, 'revision', archived)).canTakeBack).toMatchObject({
    code: 'document_archived',
  });
  expect((await permissionsOf(pdm.viewer, 'draft', archived)).canRelease).toMatchObject({ code: 'forbidden' });
  expect((await permissionsOf(pdm.editor, 'draft', held)).canRelease).toMatchObject({ code: 'not_a_version' });
});

test('returns all permissions of a document in one GraphQL query, and none to anonymous callers and workers', async () => {
  const at = await STATES.released!();
  const query = `query ($id: ID!) { document(id: $id) {
    permissions { canDelete { ...P } canEdit { ...P } }
    workspaces { id permissions { canDelete { ...P } canCheckout { ...P } } }
    versions { permissions { canRelease { ...P } } }
    revisions { permissions { canTakeBack { ...P } } }
  } }
  fragment P on Permission { allowed code message }`;
  const { document } = (await pdm.editor.graphql(query, { id: at.document })).body.data;
  const rest: Permissions = {};
  for (const what of Object.keys(REQUESTS)) rest[what] = await permissionsOf(pdm.editor, what, at);
  expect(document).toEqual({
    permissions: { canDelete: rest.document?.canDelete, canEdit: rest.document?.canEdit },
    workspaces: [
      { id: at.main, permissions: { canDelete: rest.main?.canDelete, canCheckout: rest.main?.canCheckout } },
      {
        id: at.side,
        permissions: { canDelete: rest.side?.canDelete, canCheckout: { allowed: true, code: null, message: null } },
      },
    ],
    versions: [{ permissions: { canRelease: rest.version?.canRelease } }],
    revisions: [{ permissions: { canTakeBack: rest.revision?.canTakeBack } }],
  });
  expect((await pdm.anonymous.get(`/documents/${at.document}/permissions`)).status).toBe(401);
  expect((await pdm.worker.get(`/documents/${at.document}/permissions`)).status).toBe(403);
  expect((await pdm.viewer.get('/workspaces/wsp_00000000000000000000000000/permissions')).status).toBe(404);
});
