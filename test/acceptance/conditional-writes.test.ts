// Conditional writes: If-Match prevents lost updates, Idempotency-Key makes a repeated request take effect once.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { sha256Of } from '../support/content.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { TEST_QUERY_COMMENT } from '../support/query-plans.ts';
import { resultFile } from '../support/result-files.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

const createDocument = async (kind = 'model') => (await pdm.editor.post('/documents', { name: 'Bracket', kind })).body;
const tagOf = async (path: string) => String((await pdm.viewer.get(path)).headers.get('etag'));
const ifMatch = (etag: string) => ({ 'if-match': etag });
const codes = (responses: Answer[]) =>
  responses.map(({ status, body }) => (status >= 400 ? [status, body.code] : [status]));

describe('If-Match', () => {
  test('accepts a write with the current tag, with a list that contains it, or with a star', async () => {
    const { id } = await createDocument();
    const path = `/documents/${id}`;
    const responses = [
      await pdm.editor.patch(path, { name: 'One' }, ifMatch(await tagOf(path))),
      await pdm.editor.patch(path, { name: 'Two' }, ifMatch(`"other", ${await tagOf(path)}`)),
      await pdm.editor.patch(path, { name: 'Three' }, ifMatch('*')),
    ];
    expect(codes(responses)).toEqual([[200], [200], [200]]);
  });

  test('rejects a write with a former or weak tag and returns the current tag', async () => {
    const { id, number } = await createDocument();
    const path = `/documents/${number}`;
    const formerTag = await tagOf(path);
    await pdm.editor.patch(`/documents/${id}`, { name: 'Changed' });
    const { status, body, headers } = await pdm.editor.patch(path, { name: 'Lost update' }, ifMatch(formerTag));
    const currentTag = await tagOf(path);
    expect([status, body.code, body.etag, headers.get('etag')]).toEqual([
      412,
      'precondition_failed',
      currentTag,
      currentTag,
    ]);
    expect((await pdm.editor.patch(path, { name: 'Weak' }, ifMatch(`W/${currentTag}`))).status).toBe(412);
    expect((await pdm.viewer.get(path)).body.name).toBe('Changed');
  });

  test('rejects a malformed tag and If-None-Match with the name of the header', async () => {
    const { id } = await createDocument();
    const path = `/documents/${id}`;
    const bare = (await tagOf(path)).replaceAll('"', '');
    const invalid = [
      await pdm.editor.patch(path, { name: 'Bare' }, ifMatch(bare)),
      await pdm.editor.patch(path, { name: 'Empty' }, ifMatch('')),
      await pdm.editor.patch(path, { name: 'Torn' }, ifMatch('"torn')),
      await pdm.editor.patch(path, { name: 'Joined' }, ifMatch('"a" "b"')),
      await pdm.editor.patch(path, { name: 'New' }, { 'if-none-match': '*' }),
    ];
    expect(invalid.map(({ status, body }) => [status, body.code, body.errors[0].path])).toEqual([
      [400, 'validation_failed', '/If-Match'],
      [400, 'validation_failed', '/If-Match'],
      [400, 'validation_failed', '/If-Match'],
      [400, 'validation_failed', '/If-Match'],
      [400, 'validation_failed', '/If-None-Match'],
    ]);
    expect((await pdm.viewer.get(path)).body.name).toBe('Bracket');
  });

  test('accepts exactly one of several concurrent writes with the same tag', async () => {
    const { id } = await createDocument();
    const path = `/documents/${id}`;
    const etag = await tagOf(path);
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, n) => pdm.editor.patch(path, { name: `Writer ${n}` }, ifMatch(etag))),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
    const winner = responses.find(({ status }) => status === 200);
    expect((await pdm.viewer.get(path)).body.name).toBe(winner?.body.name);
  });

  test('protects deletions, take-overs, restores and the code location', async () => {
    const { id, workspaces, drafts } = await createDocument('code');
    const [workspace, draft] = [workspaces[0].id, drafts[0].id];
    const version = (await pdm.editor.post(`/workspaces/${workspace}/versions`, {})).body.id;
    const stale = ifMatch('"stale"');
    const location = { repoUrl: 'https://example.com/a.git', ref: 'main', path: '' };
    const refused = [
      await pdm.editor.delete(`/documents/${id}`, stale),
      await pdm.editor.post(`/workspaces/${workspace}/take-over`, { versionId: version }, stale),
      await pdm.editor.post(`/workspaces/${workspace}/restore`, { versionId: version }, stale),
      await pdm.editor.put(`/versions/${draft}/code`, location, stale),
    ];
    expect(codes(refused)).toEqual(Array(4).fill([412, 'precondition_failed']));
    const done = [
      await pdm.editor.post(
        `/workspaces/${workspace}/restore`,
        { versionId: version },
        ifMatch(await tagOf(`/workspaces/${workspace}`)),
      ),
      await pdm.editor.put(`/versions/${draft}/code`, location, ifMatch(await tagOf(`/versions/${draft}`))),
      await pdm.editor.delete(`/documents/${id}`, ifMatch(await tagOf(`/documents/${id}`))),
    ];
    expect(codes(done)).toEqual([[200], [200], [204]]);
  });

  test('compares the SHA-256 of a file before removing it', async () => {
    const { drafts } = await createDocument();
    const file = (await pdm.editor.upload(drafts[0].id, 'source', 'old')).body;
    await pdm.editor.upload(drafts[0].id, 'source', 'new');
    const path = `/versions/${drafts[0].id}/artifacts/source`;
    expect((await pdm.editor.delete(path, ifMatch(`"${file.sha256}"`))).status).toBe(412);
    expect((await pdm.editor.delete(path, ifMatch(await tagOf(`${path}/file`)))).status).toBe(204);
  });

  test('ignores results of engines and background updates', async () => {
    const { id, drafts, workspaces } = await createDocument();
    const [path, files] = [`/documents/${id}`, `/versions/${drafts[0].id}/artifacts`];
    await pdm.editor.upload(drafts[0].id, 'source', 'input');
    await pdm.editor.post(`/workspaces/${workspaces[0].id}/checkout`);
    const [before, listed] = [await tagOf(path), await tagOf(files)];

    const { id: jobId } = (await pdm.worker.post('/jobs/claim', { workerId: 'w', environment: { engine: 'occt' } }))
      .body;
    const marks = { 'x-generator': 'test/1', 'x-input-sha256': sha256Of('input') };
    expect(
      (await pdm.worker.upload(drafts[0].id, 'thumbnail', resultFile('thumbnail', 'a picture'), { headers: marks }))
        .status,
    ).toBe(201);
    await pdm.worker.post(`/jobs/${jobId}/complete`, { attempt: 1 });
    await pdm.editor.post(`/workspaces/${workspaces[0].id}/checkout/heartbeat`);

    const after = await pdm.viewer.get(path, { 'if-none-match': before });
    expect([after.status, after.body.thumbnailUrl]).toEqual([200, expect.any(String)]);
    expect((await pdm.editor.patch(path, { name: 'By a person' }, ifMatch(before))).status).toBe(200);
    expect((await pdm.editor.patch(path, { name: 'Again' }, ifMatch(before))).status).toBe(412);
    const upload = (text: string, tag: string) =>
      pdm.editor.upload(drafts[0].id, 'source', text, { headers: ifMatch(tag) });
    expect((await upload('new input', listed)).status).toBe(201);
    expect((await upload('lost update', listed)).status).toBe(412);
  });

  test('ignores documents that are added to a folder', async () => {
    const { id } = (await pdm.editor.post('/folders', { name: 'Beside' })).body;
    const etag = await tagOf(`/folders/${id}`);
    await pdm.editor.post('/documents', { name: 'Inside', kind: 'model', folderId: id });
    expect(await tagOf(`/folders/${id}`)).not.toBe(etag);
    expect((await pdm.editor.patch(`/folders/${id}`, { name: 'Beside it' }, ifMatch(etag))).status).toBe(200);
    expect((await pdm.editor.patch(`/folders/${id}`, { name: 'Again' }, ifMatch(etag))).status).toBe(412);
  });

  test('rejects If-Match for a resource without a tag, and returns 404 for an unknown resource', async () => {
    const responses = [
      await pdm.editor.post('/documents', { name: 'X', kind: 'model' }, ifMatch('*')),
      await pdm.editor.patch('/documents/doc_none', { name: 'X' }, ifMatch('*')),
    ];
    expect(codes(responses)).toEqual([
      [400, 'validation_failed'],
      [404, 'not_found'],
    ]);
  });
});

describe('Idempotency-Key', () => {
  const idempotencyKey = (key: string = randomUUID()) => ({ 'idempotency-key': key });
  const replayedParts = ({ status, bytes, headers }: Answer) => [
    status,
    bytes.toString(),
    headers.get('location'),
    headers.get('content-type'),
  ];

  test('returns the stored status, Location and body for a repeated request', async () => {
    const key = idempotencyKey();
    const body = { name: 'Once', kind: 'model' };
    const first = await pdm.editor.post('/documents', body, key);
    await pdm.editor.patch(`/documents/${first.body.id}`, { name: 'Renamed since' });
    const again = await pdm.editor.post('/documents', { kind: 'model', name: 'Once' }, key);
    expect(replayedParts(again)).toEqual(replayedParts(first));
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect((await pdm.viewer.get('/documents?q=Renamed&total=true')).body.total).toBe(1);
  });

  test('executes concurrent requests with the same key once', async () => {
    const key = idempotencyKey();
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => pdm.editor.post('/folders', { name: 'Together' }, key)),
    );
    expect(new Set(responses.map(({ bytes }) => bytes.toString())).size).toBe(1);
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(responses.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
  });

  test('rejects a different body, address or file with the same key', async () => {
    const { drafts, workspaces } = await createDocument();
    const key = idempotencyKey();
    const first = await pdm.editor.upload(drafts[0].id, 'source', 'content', { headers: key });
    const responses = [
      await pdm.editor.upload(drafts[0].id, 'source', 'content', { headers: key }),
      await pdm.editor.upload(drafts[0].id, 'source', 'changed', { headers: key }),
      await pdm.editor.upload(drafts[0].id, 'source', 'content', { headers: key, fileName: 'other.bin' }),
      await pdm.editor.post(`/workspaces/${workspaces[0].id}/versions`, {}, key),
    ];
    expect(codes(responses)).toEqual([[201], ...Array(3).fill([422, 'idempotency_mismatch'])]);
    expect([responses[0]?.body, responses[0]?.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
  });

  test('scopes keys to their user', async () => {
    const key = idempotencyKey();
    const mine = await pdm.editor.post('/documents', { name: 'Mine', kind: 'model' }, key);
    const theirs = await pdm.admin.post('/documents', { name: 'Theirs', kind: 'model' }, key);
    expect([mine.status, theirs.status, mine.body.id === theirs.body.id]).toEqual([201, 201, false]);
    const malformed = await pdm.editor.post('/documents', { name: 'X', kind: 'model' }, idempotencyKey('with blank'));
    expect(codes([malformed])).toEqual([[400, 'validation_failed']]);
  });

  test('frees the key after a rejected request', async () => {
    const key = idempotencyKey();
    expect((await pdm.editor.post('/folders', { name: '' }, key)).status).toBe(400);
    expect((await pdm.editor.post('/folders', { name: 'Now right' }, key)).status).toBe(201);
  });

  test('recreates a response that was not stored from the result of the write', async () => {
    const { workspaces } = await createDocument();
    const key = idempotencyKey();
    const path = `/workspaces/${workspaces[0].id}/versions`;
    const first = await pdm.editor.post(path, { name: 'V' }, key);
    await pdm.services.mongo.db
      .collection('idempotency')
      .updateMany({}, { $set: { answer: null } }, { comment: TEST_QUERY_COMMENT });
    const again = await pdm.editor.post(path, { name: 'V' }, key);
    expect([again.status, again.body, again.headers.get('location')]).toEqual([
      201,
      first.body,
      first.headers.get('location'),
    ]);
    expect(
      (await pdm.viewer.get(`/documents/${first.body.documentId ?? first.body.document?.id}`)).body.versions,
    ).toHaveLength(1);
  });

  test('replays a completed write although its If-Match no longer matches', async () => {
    const { id } = await createDocument();
    const path = `/documents/${id}`;
    const headers = { ...idempotencyKey(), ...ifMatch(await tagOf(path)) };
    const first = await pdm.editor.patch(path, { name: 'Sent twice' }, headers);
    await pdm.services.mongo.db
      .collection('idempotency')
      .updateMany({}, { $set: { answer: null } }, { comment: TEST_QUERY_COMMENT });
    expect(codes([first, await pdm.editor.patch(path, { name: 'Sent twice' }, headers)])).toEqual([[200], [200]]);
  });

  test('neither stores nor replays a response that contains a token', async () => {
    const key = idempotencyKey();
    const first = await pdm.admin.post('/tokens', { name: 'ci', role: 'viewer' }, key);
    const again = await pdm.admin.post('/tokens', { name: 'ci', role: 'viewer' }, key);
    expect(codes([first, again])).toEqual([[201], [409, 'response_not_replayable']]);
    const stored = JSON.stringify(
      await pdm.services.mongo.db.collection('idempotency').find({}, { comment: TEST_QUERY_COMMENT }).toArray(),
    );
    expect([stored.includes(first.body.token), stored.includes(first.body.token.slice(0, 12))]).toEqual([false, false]);
  });
});

describe('in GraphQL', () => {
  const graphql = async (query: string, variables: object, headers: Record<string, string>) => {
    const response = await fetch(`${pdm.url}/graphql`, {
      method: 'POST',
      body: JSON.stringify({ query, variables }),
      headers: { authorization: `Bearer ${pdm.tokens.editor}`, 'content-type': 'application/json', ...headers },
    });
    const { data, errors } = await response.json();
    return { data, code: errors?.[0]?.extensions.code, etag: errors?.[0]?.extensions.etag };
  };
  const RENAME = 'mutation ($id: ID!, $name: String) { updateDocument(id: $id, name: $name) { id name etag } }';

  test('accepts exactly one of several writes with the same etag', async () => {
    const { id } = await createDocument();
    const { data } = await graphql('query ($id: ID!) { document(id: $id) { etag } }', { id }, {});
    const etag = `"${data.document.etag}"`;
    const responses = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => graphql(RENAME, { id, name }, ifMatch(etag))),
    );
    expect(responses.map(({ code }) => code ?? 'done').sort()).toEqual([
      'done',
      'precondition_failed',
      'precondition_failed',
    ]);
    const now = responses.find(({ code }) => !code)?.data.updateDocument.etag;
    expect(await graphql(RENAME, { id, name: 'Late' }, ifMatch(etag))).toMatchObject({
      code: 'precondition_failed',
      etag: now,
    });
    expect((await graphql(RENAME, { id, name: 'Four' }, ifMatch(`"${now}"`))).code).toBeUndefined();
  });

  test('executes writes with the same key once', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const create = 'mutation ($input: CreateDocumentInput!) { createDocument(input: $input) { id number } }';
    const responses = await Promise.all(
      [1, 2, 3].map(() => graphql(create, { input: { name: 'Once', kind: 'model' } }, key)),
    );
    expect(new Set(responses.map(({ data }) => data.createDocument.id)).size).toBe(1);
    expect((await graphql(create, { input: { name: 'Other', kind: 'model' } }, key)).code).toBe('idempotency_mismatch');
  });

  test('rejects the headers for several writes, and If-Match for a write without a record', async () => {
    const { id } = await createDocument();
    const twice = 'mutation ($id: ID!) { a: archiveDocument(id: $id) { id } b: unarchiveDocument(id: $id) { id } }';
    expect((await graphql(twice, { id }, { 'idempotency-key': randomUUID() })).code).toBe('validation_failed');
    expect((await graphql('mutation { createFolder(name: "X") { id } }', {}, ifMatch('"x"'))).code).toBe(
      'validation_failed',
    );
  });
});
