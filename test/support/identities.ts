import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { issueTokenTo } from '../../subgraphs/documents/access/issue-token.ts';
import { type Client, client } from './client.ts';
import { sha256Of } from './content.ts';
import type { Issuer } from './issuer.ts';
import type { Pdm } from './pdm.ts';

// the headers of a browser with a page of this service
const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'x-pdm-csrf': '1' };

export const IDENTITIES = [
  'anonymous',
  'viewer',
  'editor',
  'admin',
  'worker',
  'holder',
  'other',
  'revoked',
  'expired',
  'foreign',
] as const;
export type Identity = (typeof IDENTITIES)[number];

export type TestIdentities = {
  tokens: Record<Identity, string | undefined>;
  /** The ids of the records by their names in the matrix; `sha256` is the input of the held job. */
  records: Record<string, string>;
  /** Lets the holder claim a job of the draft. */
  claimForHolder(): Promise<void>;
};

/**
 * Creates the identities and their records: a released document whose job is held by `holder`, and another whose job is
 * held by `other`. Deliveries to the default webhook fail and are retried.
 */
export async function createIdentities(
  pdm: Pdm,
  issuer: Issuer,
  { webhookUrl = 'https://hooks.example/x' } = {},
): Promise<TestIdentities> {
  const worker = () => issueTokenTo(pdm.services, { role: 'worker', name: 'A worker', days: 1 });
  const [holder, other] = [await worker(), await worker()];
  const tokens = {
    anonymous: undefined,
    viewer: pdm.tokens.viewer,
    editor: pdm.tokens.editor,
    admin: pdm.tokens.admin,
    worker: pdm.tokens.worker,
    holder,
    other,
    revoked: await endedToken(pdm, { revokedAt: new Date() }),
    expired: await endedToken(pdm, { expiresAt: new Date(Date.now() - 1000) }),
    foreign: await issuer.token({ aud: 'another', role: 'admin' }),
  };
  const as = (token: string): Client => client(`${pdm.url}/api/v1`, token);

  const mine = await seededDocument(pdm);
  const records: Record<string, string> = { ...mine };
  records.version = (await pdm.editor.post(`/workspaces/${mine.workspace}/versions`)).body.id;
  records.revision = (await pdm.editor.post(`/versions/${records.version}/release`)).body.id;
  const scene = { camera: { position: [9, 9, 9], target: [0, 0, 0] } };
  records.view = (await pdm.editor.post(`/versions/${records.version}/views`, { name: 'Top', scene })).body.id;
  const assembly = (await pdm.editor.post('/documents', { name: 'Table', kind: 'assembly' })).body;
  Object.assign(records, {
    assembly: assembly.id,
    assemblyDraft: assembly.workspaces[0].draftId,
    assemblyWorkspace: assembly.workspaces[0].id,
  });
  records.codeDraft = (await pdm.editor.post('/documents', { name: 'Rack', kind: 'code' })).body.drafts[0].id;
  records.folder = (await pdm.editor.post('/folders', { name: 'Parts' })).body.id;
  const { body: me } = await pdm.admin.get('/me');
  records.run = await seededRun(pdm, mine);
  Object.assign(records, { user: me.id, token: me.token.id });
  await client(pdm.url).post('/session', { token: pdm.tokens.viewer }, OWN_PAGE);
  records.session = (await pdm.admin.get('/sessions')).body.items[0].id;
  records.webhook = (await pdm.admin.post('/webhooks', { url: webhookUrl, types: ['folder.deleted'] })).body.id;
  records.event = (await pdm.admin.post(`/webhooks/${records.webhook}/ping`)).body.eventId;

  let uploads = 0;
  const claim = async (token: string, draft: string): Promise<string> => {
    const { body } = await as(token).post('/jobs/claim', { workerId: 'w', environment: { engine: 'occt' } });
    if (body?.versionId !== draft) throw new Error(`the job of ${draft} was not the next: ${JSON.stringify(body)}`);
    return body.id;
  };
  const claimForHolder = async (): Promise<void> => {
    uploads += 1;
    const content = `source ${uploads}`;
    records.source = (await pdm.editor.upload(mine.draft, 'source', content)).body.id;
    records.sha256 = sha256Of(content);
    records.job = await claim(holder, mine.draft);
  };
  await claimForHolder();

  const foreign = await seededDocument(pdm);
  await pdm.editor.upload(foreign.draft, 'source', 'another source');
  await claim(other, foreign.draft);
  Object.assign(records, { foreignDraft: foreign.draft, foreignNote: foreign.note });
  return { tokens, records, claimForHolder };
}

type Seeded = { document: string; workspace: string; draft: string; note: string };

/** A document whose draft has an attachment and a picture. */
async function seededDocument({ editor }: Pdm): Promise<Seeded> {
  const { id, workspaces } = (await editor.post('/documents', { name: 'Bracket', kind: 'model' })).body;
  const [{ id: workspace, draftId: draft }] = workspaces;
  const note = (await editor.upload(draft, 'attachment.note', 'a note')).body.id;
  await editor.upload(draft, 'thumbnail', 'a picture');
  return { document: id, workspace, draft, note };
}

async function endedToken(pdm: Pdm, end: { revokedAt: Date } | { expiresAt: Date }): Promise<string> {
  const { id, token } = (await pdm.admin.post('/tokens', { name: 'to end' })).body;
  await collection({ db: pdm.services.mongo.db }, 'tokens').updateOne({ _id: id }, { $set: end });
  return token;
}

/** A queued run, inserted as a record without its job. */
async function seededRun({ services }: Pdm, { document, draft }: { document: string; draft: string }): Promise<string> {
  const _id = 'run_00000000000000000000000000';
  const code = { repoUrl: 'https://example.com/parts', ref: 'main', path: '', commit: '0'.repeat(40) };
  await collection({ db: services.mongo.db }, 'runs').insertOne({
    _id,
    key: 'key',
    current: true,
    documentId: document,
    versionId: draft,
    versionIds: [draft],
    code,
    codeSha256: '',
    generator: { name: 'rack', version: '1' },
    params: '{}',
    paramsHash: '',
    forced: false,
    jobId: 'job_none',
    result: null,
    createdAt: new Date(),
    createdBy: 'usr_none',
    lock: 0,
  });
  return _id;
}
