// The response of every write equals what the next read returns.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../rest-adapter/routes.ts';
import { addressOf, assemblies } from '../support/assemblies.ts';
import { type Answer, type Client, client } from '../support/client.ts';
import { sha256Of } from '../support/content.ts';
import { type Repository, repository } from '../support/git-server.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { resultFile } from '../support/result-files.ts';
import { RACK } from '../support/run-archive.ts';

let pdm: Pdm;
let root: string;
let repo: Repository;
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pdm-repositories-')));
  repo = repository(root, 'rack');
  repo.commit({
    'generator.json': JSON.stringify({ name: 'rack', version: '1.2.0', entry: 'rack.mjs', params: { type: 'object' } }),
    'rack.mjs': 'export default () => [];',
  });
  pdm = await startPdm({ settings: { PDM_GIT_ALLOWED_FOLDERS: root } });
});
afterAll(async () => {
  await pdm.close();
  rmSync(root, { recursive: true });
});

async function must(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body, bytes } = await answer;
  if (status >= 300) throw new Error(`failed with ${status}: ${bytes}`);
  return body;
}

/**
 * A model with something of everything that responses show: a folder, two workspaces, versions, a revision, files, a
 * thumbnail, jobs and a reservation with a request for a check-in.
 */
async function createModel() {
  const folder = await createFolder();
  const { id, number, workspaces } = await must(
    pdm.editor.post('/documents', { name: 'Block', kind: 'model', description: 'Cast', folderId: folder }),
  );
  const [main, draft] = [workspaces[0].id as string, workspaces[0].draftId as string];
  await must(pdm.editor.upload(draft, 'source', `ISO-10303-21;${id}`, { fileName: 'block.stp' }));
  const { id: job } = await claim('convert', draft);
  const headers = { 'x-generator': 'test/1', 'x-input-sha256': sha256Of(`ISO-10303-21;${id}`) };
  await must(pdm.worker.upload(draft, 'thumbnail', resultFile('thumbnail', 'a picture'), { headers }));
  await must(pdm.worker.post(`/jobs/${job}/complete`, { attempt: 1 }));
  const version = (await must(pdm.editor.post(`/workspaces/${main}/versions`, { name: 'First', comment: 'Cast' }))).id;
  const revision = (await must(pdm.editor.post(`/versions/${version}/release`, {}))).id;
  const side = await must(
    pdm.admin.post(`/documents/${id}/workspaces`, { name: 'side', fromVersionId: version, description: 'Lighter' }),
  );
  await must(pdm.editor.upload(side.draftId, 'attachment.note', 'thin'));
  const later = (await must(pdm.editor.post(`/workspaces/${side.id}/versions`, {}))).id;
  await must(pdm.editor.post(`/workspaces/${side.id}/checkout`, { note: 'On the train' }));
  await must(pdm.admin.post(`/workspaces/${side.id}/request-checkin`, { note: 'Soon' }));
  const place: { side: string; sideDraft: string } = { side: side.id, sideDraft: side.draftId };
  return { id, number, folder, main, draft, version, revision, later, job, ...place };
}

let shared: ReturnType<typeof createModel> | undefined;
/** The same model each time, for writes that leave it as rich as it was. */
function model(): ReturnType<typeof createModel> {
  shared ??= createModel();
  return shared;
}

/** Claims jobs until it has that of a draft. */
async function claim(type: string, versionId: string): Promise<Answer['body']> {
  for (;;) {
    const job = await must(
      pdm.worker.post('/jobs/claim', { workerId: 'w', types: [type], environment: { engine: 'occt' } }),
    );
    if (job.versionId === versionId) return job;
  }
}

let names = 0;
const unique = (noun: string) => `${noun} ${++names}`;
const createFolder = async (): Promise<string> =>
  (await must(pdm.editor.post('/folders', { name: unique('Folder') }))).id;
const createUser = async (): Promise<string> =>
  (await must(pdm.admin.post('/users', { name: unique('User'), role: 'editor' }))).id;
const createWebhook = async (): Promise<string> =>
  (await must(pdm.admin.post('/webhooks', { url: 'https://hooks.example/x', types: ['document.deleted'] }))).id;
const scene = { camera: { position: [9, 9, 9], target: [0, 0, 0], height: null } };
const createView = async (): Promise<string> =>
  (await must(pdm.editor.post(`/versions/${(await model()).version}/views`, { name: unique('View'), scene }))).id;
const createCode = async (): Promise<string> =>
  (await must(pdm.editor.post('/documents', { name: 'Gears', kind: 'code' }))).drafts[0].id;
const setCode = (draft: string) => pdm.editor.put(`/versions/${draft}/code`, { repoUrl: repo.folder, ref: 'main' });
async function createSyncedCode(): Promise<string> {
  const draft = await createCode();
  await must(setCode(draft));
  await must(pdm.editor.post(`/versions/${draft}/code/sync`));
  return draft;
}
/** A claimed convert job. */
async function createJob(): Promise<string> {
  const { id, drafts } = await must(pdm.editor.post('/documents', { name: 'Part', kind: 'model' }));
  await must(pdm.editor.upload(drafts[0].id, 'source', `ISO-10303-21;${id}`, { fileName: 'part.stp' }));
  return (await claim('convert', drafts[0].id)).id;
}

/** How a route is called: its path parameters, its body, by whom, and where the records of its response are read. */
type Call = {
  at?: Record<string, string>;
  body?: unknown;
  as?: Client;
  send?: () => Promise<Answer>;
  /** Fields that only the write returns. */
  only?: string[];
  /** The path and the part of the response that are compared, if they do not follow from its id. */
  read?: string;
  part?: (body: Answer['body']) => unknown;
  /** The records of the response, if there are several. */
  records?: (body: Answer['body']) => { id: string }[];
};

const WRITES: Record<string, () => Promise<Call>> = {
  'POST /documents': async () => ({
    body: { name: 'Block', kind: 'model', description: 'Cast', folderId: await createFolder() },
  }),
  'POST /documents/move': async () => ({
    body: { ids: [(await createModel()).id, (await model()).id], folderId: await createFolder() },
    records: ({ items }) => items,
  }),
  'PATCH /documents/:id': async () => ({
    at: { id: (await model()).id },
    body: { name: 'Other', description: null },
  }),
  'DELETE /documents/:id': async () => ({
    at: { id: (await must(pdm.editor.post('/documents', { name: 'Short-lived', kind: 'model' }))).id },
  }),
  'POST /documents/:id/archive': async () => {
    const { id, side } = await createModel();
    await must(pdm.editor.post(`/workspaces/${side}/checkin`, {}));
    return { at: { id } };
  },
  'POST /documents/:id/unarchive': async () => {
    const { id, side } = await createModel();
    await must(pdm.editor.post(`/workspaces/${side}/checkin`, {}));
    await must(pdm.editor.post(`/documents/${id}/archive`));
    return { at: { id } };
  },
  'POST /documents/:id/copy': async () => {
    const { id, version } = await model();
    return { at: { id }, body: { name: 'Copy', versionId: version } };
  },
  'POST /documents/:id/workspaces': async () => {
    const { id, later } = await model();
    return { at: { id }, body: { name: unique('branch'), fromVersionId: later, description: 'Half the mass' } };
  },
  'POST /documents/:id/replace-in-drafts': async () => {
    const make = assemblies(pdm.editor);
    const [former, fresh] = [await make.part(), await make.part()];
    await make.draft([[former, 2]]);
    await make.draft([[former, 1]]);
    return {
      at: { id: former.id },
      body: { with: fresh.id },
      records: ({ items }) => items.map(({ artifact }: { artifact: { id: string } }) => artifact),
    };
  },

  'POST /folders': async () => ({ body: { name: unique('Inner'), parentId: await createFolder() } }),
  'PATCH /folders/:id': async () => ({
    at: { id: (await model()).folder },
    body: { name: unique('Renamed'), parentId: await createFolder() },
  }),
  'DELETE /folders/:id': async () => ({ at: { id: await createFolder() } }),

  'PATCH /workspaces/:id': async () => ({
    at: { id: (await model()).side },
    body: { name: 'lighter', description: 'A third' },
  }),
  'POST /workspaces/:id/archive': async () => ({ at: { id: (await createModel()).main } }),
  'POST /workspaces/:id/unarchive': async () => {
    const { main } = await createModel();
    await must(pdm.editor.post(`/workspaces/${main}/archive`));
    return { at: { id: main } };
  },
  'DELETE /workspaces/:id': async () => {
    const { id, version } = await model();
    const body = { name: unique('branch'), fromVersionId: version };
    return { at: { id: (await must(pdm.editor.post(`/documents/${id}/workspaces`, body))).id } };
  },
  'POST /workspaces/:id/versions': async () => ({
    at: { id: (await model()).side },
    body: { name: 'Ribs', comment: 'Four' },
  }),
  'POST /workspaces/:id/take-over': async () => {
    const { main, later } = await createModel();
    return { at: { id: main }, body: { versionId: later }, only: ['auditId', 'undoExpiresAt'] };
  },
  'POST /workspaces/:id/restore': async () => {
    const { side, version } = await createModel();
    return { at: { id: side }, body: { versionId: version }, only: ['auditId', 'undoExpiresAt'] };
  },
  'POST /workspaces/:id/undo': async () => {
    const { side, version } = await createModel();
    const { auditId } = await must(pdm.editor.post(`/workspaces/${side}/restore`, { versionId: version }));
    return { at: { id: side }, body: { auditId }, only: ['auditId', 'undoExpiresAt'] };
  },
  'POST /workspaces/:id/checkout': async () => {
    const { main } = await createModel();
    return { at: { id: main }, body: { ttlSeconds: 600, note: 'Mine' }, ...reservationOf(main) };
  },
  'POST /workspaces/:id/checkout/heartbeat': async () => {
    const { side } = await model();
    return { at: { id: side }, body: { ttlSeconds: 600 }, ...reservationOf(side) };
  },
  'POST /workspaces/:id/request-checkin': async () => {
    const { side } = await model();
    return { at: { id: side }, as: pdm.admin, body: { note: 'Again' }, ...reservationOf(side) };
  },
  'POST /workspaces/:id/checkin': async () => ({ at: { id: (await createModel()).side }, body: {} }),

  'PATCH /versions/:id': async () => ({
    at: { id: (await model()).version },
    body: { name: 'Renamed', comment: null },
  }),
  'POST /versions/:id/views': async () => ({
    at: { id: (await model()).version },
    body: { name: unique('View'), scene },
  }),
  'PATCH /views/:id': async () => ({ at: { id: await createView() }, body: { name: unique('View') } }),
  'DELETE /views/:id': async () => ({ at: { id: await createView() } }),
  'POST /versions/:id/release': async () => ({
    at: { id: (await createModel()).later },
    body: { comment: 'For the pilot' },
  }),
  'POST /versions/:id/artifacts': async () => {
    const { draft } = await model();
    return { at: { id: draft }, send: () => pdm.editor.upload(draft, 'source', 'new', { fileName: 'n.stp' }) };
  },
  'DELETE /versions/:id/artifacts/:kind': async () => {
    const { sideDraft } = await createModel();
    return {
      at: { id: sideDraft, kind: 'attachment.note' },
      read: `/versions/${sideDraft}/artifacts/attachment.note/file`,
    };
  },
  'POST /versions/:id/reference-updates': async () => {
    const make = assemblies(pdm.editor);
    const part = await make.part();
    const { draftId } = await make.draft([[addressOf(part, '@v1')]]);
    await make.version(part);
    return { at: { id: draftId }, body: {}, records: ({ artifact }) => [artifact] };
  },
  'PUT /versions/:id/code': async () => {
    const draft = await createCode();
    return { at: { id: draft }, send: () => setCode(draft) };
  },
  'POST /versions/:id/code/sync': async () => {
    const draft = await createCode();
    await must(setCode(draft));
    return { at: { id: draft } };
  },
  'POST /versions/:id/runs': async () => ({
    at: { id: await createSyncedCode() },
    body: { params: {} },
    only: ['created'],
  }),
  'POST /versions/:id/exports': async () => {
    const make = assemblies(pdm.editor);
    return { at: { id: (await make.draft([[await make.part()]])).draftId }, body: { format: 'STP' } };
  },

  'PATCH /revisions/:id': async () => ({
    at: { id: (await model()).revision },
    body: { comment: 'Second thoughts' },
  }),
  'POST /revisions/:id/obsolete': async () => ({ at: { id: (await createModel()).revision } }),
  'DELETE /revisions/:id': async () => ({ at: { id: (await createModel()).revision }, as: pdm.admin }),

  'POST /jobs/:id/retry': async () => {
    const job = await createJob();
    await must(pdm.worker.post(`/jobs/${job}/fail`, { attempt: 1, error: 'broken', final: true }));
    return { at: { id: job } };
  },
  'POST /jobs/:id/cancel': async () => ({ at: { id: await createJob() } }),
  'POST /jobs/claim': async () => {
    const { drafts } = await must(pdm.editor.post('/documents', { name: 'Part', kind: 'model' }));
    await must(pdm.editor.upload(drafts[0].id, 'source', unique('ISO-10303-21;'), { fileName: 'part.stp' }));
    const body = { workerId: 'w', environment: { engine: 'occt' } };
    return { as: pdm.worker, body, only: ['leaseSeconds', 'heartbeatSeconds'] };
  },
  'POST /jobs/:id/heartbeat': async () => {
    const job = await createJob();
    return {
      at: { id: job },
      as: pdm.worker,
      body: { attempt: 1, percent: 40, step: 'meshing', log: ['a'] },
      read: `/jobs/${job}`,
      only: ['cancel'],
    };
  },
  'POST /jobs/:id/complete': async () => ({
    at: { id: await createJob() },
    as: pdm.worker,
    body: { attempt: 1, log: ['a'] },
  }),
  'POST /jobs/:id/fail': async () => ({
    at: { id: await createJob() },
    as: pdm.worker,
    body: { attempt: 1, error: 'broken', final: true, log: ['a'] },
  }),
  'POST /jobs/:id/give-back': async () => ({ at: { id: await createJob() }, as: pdm.worker, body: { attempt: 1 } }),
  'POST /jobs/:id/result': async () => {
    const draft = await createSyncedCode();
    await must(pdm.editor.post(`/versions/${draft}/runs`, { params: {} }));
    const { id } = await claim('run', draft);
    return { at: { id }, send: () => pdm.worker.send('POST', `/jobs/${id}/result`, RACK) };
  },

  'POST /users': async () => ({ as: pdm.admin, body: { name: unique('User'), role: 'editor' } }),
  'PATCH /users/:id': async () => ({
    at: { id: await createUser() },
    as: pdm.admin,
    body: { name: unique('Renamed'), role: 'viewer', disabled: true },
  }),
  'POST /tokens': async () => ({
    as: pdm.admin,
    body: { name: 'CI', userId: await createUser(), expiresInDays: 1 },
    only: ['token'],
  }),
  'DELETE /tokens/:id': async () => {
    const { id } = await must(pdm.admin.post('/tokens', { name: 'CI', expiresInDays: 1 }));
    return { at: { id }, as: pdm.admin };
  },
  'DELETE /sessions/:id': async () => {
    const { token } = await must(pdm.admin.post('/tokens', { name: 'Browser', userId: await createUser() }));
    const sameOrigin = { 'sec-fetch-site': 'same-origin', 'x-pdm-csrf': '1' };
    await must(client(pdm.url).post('/session', { token }, sameOrigin));
    const { items } = await must(pdm.admin.get('/sessions?limit=1'));
    return { at: { id: items[0].id }, as: pdm.admin };
  },
  'POST /webhooks': async () => ({ as: pdm.admin, body: { url: 'https://hooks.example/x' }, only: ['secret'] }),
  'PATCH /webhooks/:id': async () => ({
    at: { id: await createWebhook() },
    as: pdm.admin,
    body: { url: 'https://hooks.example/y', enabled: false },
  }),
  'DELETE /webhooks/:id': async () => ({ at: { id: await createWebhook() }, as: pdm.admin }),
  'POST /webhooks/:id/secret': async () => ({ at: { id: await createWebhook() }, as: pdm.admin, only: ['secret'] }),
};

/** Routes that are not compared, with the reason. */
const NOT_COMPARED: Record<string, string> = {
  'POST /setup': 'only the token of the first start may call it',
  'POST /webhooks/:id/ping': 'the delivery continues in the background',
  'POST /webhooks/:id/deliveries/:eventId/redeliver': 'the delivery continues in the background',
};

function reservationOf(workspace: string): Pick<Call, 'read' | 'part'> {
  return { read: `/workspaces/${workspace}`, part: ({ reservation }) => reservation };
}

const COLLECTIONS: Record<string, string> = {
  ...{ doc: 'documents', fld: 'folders', wsp: 'workspaces', ver: 'versions', rev: 'revisions', art: 'artifacts' },
  ...{ job: 'jobs', run: 'runs', usr: 'users', tok: 'tokens', whk: 'webhooks', nvw: 'views' },
};
const pathOf = (id: string) => `/${COLLECTIONS[id.slice(0, 3)]}/${id}`;

test('compares or excuses every write', () => {
  const routes = ROUTES.flatMap(({ routes }) => routes).filter(({ method }) => method !== 'GET');
  expect([...Object.keys(WRITES), ...Object.keys(NOT_COMPARED)].sort()).toEqual(
    routes.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

test.each(Object.keys(WRITES))('%s returns what the next read returns', async (route) => {
  const call = await WRITES[route]!();
  const { at = {}, body, as = pdm.editor, only = [], part = (read) => read } = call;
  const [method = '', path = ''] = route.split(' ');
  const url = path.replace(/:(\w+)/g, (_, name) => at[name] ?? '');
  const written = await (call.send?.() ?? as[method.toLowerCase() as 'post'](url, body as object));
  expect([written.status, written.body?.detail]).toEqual([expect.toSatisfy((status) => status < 300), undefined]);
  if (method === 'DELETE') {
    const read = await pdm.admin.get(call.read ?? pathOf(at.id ?? ''));
    expect([written.status, [200, 404]]).toEqual([204, expect.arrayContaining([read.status])]);
    expect(read.status === 404 || read.body.revokedAt).toBeTruthy();
    return;
  }
  const records: { id: string }[] = call.records?.(written.body) ?? [written.body];
  expect(records.length).toBeGreaterThan(0);
  for (const record of records) {
    const read = await (as === pdm.worker ? pdm.admin : as).get(call.read ?? pathOf(record.id));
    const expected = Object.fromEntries(Object.entries(record).filter(([field]) => !only.includes(field)));
    expect(part(read.body)).toMatchObject(expected);
  }
});

const VERSION = `id etag n name comment parents restoredFromVersionId updatedAt artifacts { kind sha256 stale }
  basedOnVersion { n name } workspace { name } revision { label } newestJob { status } permissions { canRelease { allowed } }`;
const WORKSPACE = `id etag name description archived permissions { canEdit { allowed } } draft { ${VERSION} }
  newestVersion { n } versions { n } fromVersion { n } reservation { note by { name } checkinRequests { note } }`;
const REVISION = 'id etag label comment obsolete version { n name }';
const DOCUMENT = `id etag name description archived updatedAt updatedBy { name } folder { id name path documentCount }
  permissions { canEdit { allowed } } workspaces { ${WORKSPACE} } drafts { ${VERSION} } versions { ${VERSION} }
  revisions { ${REVISION} } newestVersion { n } newestRevision { label } reservations { note }
  audit(limit: 5) { items { action summary chainSeq } }`;

/** A mutation, its selection and the query that reads the same. */
const MUTATIONS: Record<string, (of: Awaited<ReturnType<typeof createModel>>) => [string, string, string]> = {
  createDocument: ({ folder }) => [
    `createDocument(input: { name: "New", kind: model, folderId: "${folder}" })`,
    DOCUMENT,
    'document',
  ],
  updateDocument: ({ id }) => [`updateDocument(id: "${id}", name: "${unique('Block')}")`, DOCUMENT, 'document'],
  copyDocument: ({ id }) => [`copyDocument(id: "${id}")`, DOCUMENT, 'document'],
  updateWorkspace: ({ side }) => [
    `updateWorkspace(id: "${side}", name: "${unique('branch')}")`,
    `${WORKSPACE} document { ${DOCUMENT} }`,
    'workspace',
  ],
  createWorkspace: ({ id, later }) => [
    `createWorkspace(documentId: "${id}", name: "${unique('branch')}", fromVersionId: "${later}")`,
    `${WORKSPACE} document { ${DOCUMENT} }`,
    'workspace',
  ],
  createVersion: ({ side }) => [
    `createVersion(workspaceId: "${side}")`,
    `${VERSION} document { ${DOCUMENT} }`,
    'version',
  ],
  updateVersion: ({ later }) => [
    `updateVersion(id: "${later}", name: "${unique('Later')}")`,
    `${VERSION} document { ${DOCUMENT} }`,
    'version',
  ],
  releaseVersion: ({ later }) => [
    `releaseVersion(versionId: "${later}")`,
    `${REVISION} document { ${DOCUMENT} }`,
    'revision',
  ],
  obsoleteRevision: ({ revision }) => [
    `obsoleteRevision(id: "${revision}")`,
    `${REVISION} document { ${DOCUMENT} }`,
    'revision',
  ],
  updateFolder: ({ folder }) => [
    `updateFolder(id: "${folder}", name: "${unique('Renamed')}")`,
    'id name parentId path documentCount updatedAt',
    'folder',
  ],
};

test.each(Object.keys(MUTATIONS))('the mutation %s returns what the next query returns', async (name) => {
  const [mutation, selection, query] = MUTATIONS[name]!(await model());
  const written = (await pdm.editor.graphql(`mutation { written: ${mutation} { ${selection} } }`)).body;
  expect(written.errors).toBeUndefined();
  const { id } = written.data.written;
  const read = (await pdm.editor.graphql(`{ read: ${query}(id: "${id}") { ${selection} } }`)).body;
  expect(written.data.written).toEqual(read.data.read);
});

test('each mutation of one operation returns the state that it and those before it left', async () => {
  const { id, main } = await createModel();
  const document = `id name versions { n } workspaces { name newestVersion { n } } audit(limit: 1) { items { summary } }`;
  const { errors, data } = (
    await pdm.editor.graphql(`mutation {
      first: updateDocument(id: "${id}", name: "One") { ${document} }
      second: updateWorkspace(id: "${main}", name: "trunk") { name document { ${document} } }
      third: createVersion(workspaceId: "${main}") { n document { ${document} } }
      fourth: updateDocument(id: "${id}", name: "Two") { ${document} }
    }`)
  ).body;
  expect(errors).toBeUndefined();
  const numbers = (of: { versions: { n: number }[] }) => of.versions.map(({ n }) => n);
  expect([data.first.name, data.first.workspaces[0].name, numbers(data.first)]).toEqual(['One', 'main', [2, 1]]);
  const [second, third] = [data.second.document, data.third.document];
  expect([second.name, second.workspaces[0].name, numbers(second)]).toEqual(['One', 'trunk', [2, 1]]);
  expect([third.workspaces[0].newestVersion, numbers(third)]).toEqual([{ n: 3 }, [3, 2, 1]]);
  expect(data.fourth).toEqual(
    (await pdm.editor.graphql(`{ document(id: "${id}") { ${document} } }`)).body.data.document,
  );
});

test('a mutation returns the name that an earlier one of the operation gave to its user', async () => {
  const { id } = await createModel();
  const user = (await pdm.admin.get('/me')).body;
  const { errors, data } = (
    await pdm.admin.graphql(`mutation {
      updateUser(id: "${user.id}", name: "Renamed") { name }
      updateDocument(id: "${id}", name: "${unique('Block')}") { updatedBy { name } }
      restored: updateUser(id: "${user.id}", name: "${user.name}") { name }
    }`)
  ).body;
  expect(errors).toBeUndefined();
  expect(data.updateDocument.updatedBy.name).toBe('Renamed');
});
