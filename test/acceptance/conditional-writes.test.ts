// Writes that happen only while what was read still holds (If-Match), and writes that happen once however often they are asked for (Idempotency-Key).
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { sha256Of } from '../support/content.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { FOR_A_TEST } from '../support/query-plans.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

const made = async (kind = 'model') => (await pdm.editor.post('/documents', { name: 'Bracket', kind })).body;
const tagOf = async (path: string) => String((await pdm.viewer.get(path)).headers.get('etag'));
const ifMatch = (etag: string) => ({ 'if-match': etag });
const codes = (answers: Answer[]) =>
  answers.map(({ status, body }) => (status >= 400 ? [status, body.code] : [status]));

describe('If-Match', () => {
  test('lets a write through that names the present tag, alone or in a list, and any record with a star', async () => {
    const { id } = await made();
    const path = `/documents/${id}`;
    const answers = [
      await pdm.editor.patch(path, { name: 'One' }, ifMatch(await tagOf(path))),
      await pdm.editor.patch(path, { name: 'Two' }, ifMatch(`"other", ${await tagOf(path)}`)),
      await pdm.editor.patch(path, { name: 'Three' }, ifMatch('*')),
    ];
    expect(codes(answers)).toEqual([[200], [200], [200]]);
  });

  test('refuses a write that names a former tag, or a weak one, and tells the present tag', async () => {
    const { id, number } = await made();
    const path = `/documents/${number}`;
    const former = await tagOf(path);
    await pdm.editor.patch(`/documents/${id}`, { name: 'Changed' });
    const { status, body, headers } = await pdm.editor.patch(path, { name: 'Lost update' }, ifMatch(former));
    const present = await tagOf(path);
    expect([status, body.code, body.etag, headers.get('etag')]).toEqual([412, 'precondition_failed', present, present]);
    expect((await pdm.editor.patch(path, { name: 'Weak' }, ifMatch(`W/${present}`))).status).toBe(412);
    expect((await pdm.viewer.get(path)).body.name).toBe('Changed');
  });

  test('that is no tag is told as a fault of the header, and so is If-None-Match: neither is passed over', async () => {
    const { id } = await made();
    const path = `/documents/${id}`;
    const bare = (await tagOf(path)).replaceAll('"', '');
    const faults = [
      await pdm.editor.patch(path, { name: 'Bare' }, ifMatch(bare)),
      await pdm.editor.patch(path, { name: 'Empty' }, ifMatch('')),
      await pdm.editor.patch(path, { name: 'Torn' }, ifMatch('"torn')),
      await pdm.editor.patch(path, { name: 'Joined' }, ifMatch('"a" "b"')),
      await pdm.editor.patch(path, { name: 'New' }, { 'if-none-match': '*' }),
    ];
    expect(faults.map(({ status, body }) => [status, body.code, body.errors[0].path])).toEqual([
      [400, 'validation_failed', '/If-Match'],
      [400, 'validation_failed', '/If-Match'],
      [400, 'validation_failed', '/If-Match'],
      [400, 'validation_failed', '/If-Match'],
      [400, 'validation_failed', '/If-None-Match'],
    ]);
    expect((await pdm.viewer.get(path)).body.name).toBe('Bracket');
  });

  test('of many writes at once that name the same tag exactly one is done', async () => {
    const { id } = await made();
    const path = `/documents/${id}`;
    const etag = await tagOf(path);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => pdm.editor.patch(path, { name: `Writer ${n}` }, ifMatch(etag))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await pdm.viewer.get(path)).body.name).toBe(winner?.body.name);
  });

  test('holds for deleting, taking over, restoring and naming code; a refused one changes nothing', async () => {
    const { id, workspaces, drafts } = await made('code');
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

  test('a file is removed by the tag of its download, its SHA-256', async () => {
    const { drafts } = await made();
    const file = (await pdm.editor.upload(drafts[0].id, 'source', 'old')).body;
    await pdm.editor.upload(drafts[0].id, 'source', 'new');
    const path = `/versions/${drafts[0].id}/artifacts/source`;
    expect((await pdm.editor.delete(path, ifMatch(`"${file.sha256}"`))).status).toBe(412);
    expect((await pdm.editor.delete(path, ifMatch(await tagOf(`${path}/file`)))).status).toBe(204);
  });

  test('is not moved by what an engine delivers, nor by what happens beside; who reads again sees that', async () => {
    const { id, drafts, workspaces } = await made();
    const [path, files] = [`/documents/${id}`, `/versions/${drafts[0].id}/artifacts`];
    await pdm.editor.upload(drafts[0].id, 'source', 'input');
    await pdm.editor.post(`/workspaces/${workspaces[0].id}/checkout`);
    const [before, listed] = [await tagOf(path), await tagOf(files)];

    const { id: jobId } = (await pdm.worker.post('/jobs/claim', { workerId: 'w', environment: { engine: 'occt' } }))
      .body;
    const marks = { 'x-generator': 'test/1', 'x-input-sha256': sha256Of('input') };
    expect((await pdm.worker.upload(drafts[0].id, 'thumbnail', 'a picture', { headers: marks })).status).toBe(201);
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

  test('of a folder is not moved by documents that are put into it', async () => {
    const { id } = (await pdm.editor.post('/folders', { name: 'Beside' })).body;
    const etag = await tagOf(`/folders/${id}`);
    await pdm.editor.post('/documents', { name: 'Inside', kind: 'model', folderId: id });
    expect(await tagOf(`/folders/${id}`)).not.toBe(etag);
    expect((await pdm.editor.patch(`/folders/${id}`, { name: 'Beside it' }, ifMatch(etag))).status).toBe(200);
    expect((await pdm.editor.patch(`/folders/${id}`, { name: 'Again' }, ifMatch(etag))).status).toBe(412);
  });

  test('is refused where nothing has a tag, and of what is not there the operation tells', async () => {
    const answers = [
      await pdm.editor.post('/documents', { name: 'X', kind: 'model' }, ifMatch('*')),
      await pdm.editor.patch('/documents/doc_none', { name: 'X' }, ifMatch('*')),
    ];
    expect(codes(answers)).toEqual([
      [400, 'validation_failed'],
      [404, 'not_found'],
    ]);
  });
});

describe('Idempotency-Key', () => {
  const once = (key: string = randomUUID()) => ({ 'idempotency-key': key });
  const shown = ({ status, bytes, headers }: Answer) => [
    status,
    bytes.toString(),
    headers.get('location'),
    headers.get('content-type'),
  ];

  test('a repeated request gets the same status, Location and body, and nothing is done again', async () => {
    const key = once();
    const body = { name: 'Once', kind: 'model' };
    const first = await pdm.editor.post('/documents', body, key);
    await pdm.editor.patch(`/documents/${first.body.id}`, { name: 'Renamed since' });
    const again = await pdm.editor.post('/documents', { kind: 'model', name: 'Once' }, key);
    expect(shown(again)).toEqual(shown(first));
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect((await pdm.viewer.get('/documents?q=Renamed&total=true')).body.total).toBe(1);
  });

  test('requests at the same time under one key do one thing and get one answer', async () => {
    const key = once();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => pdm.editor.post('/folders', { name: 'Together' }, key)),
    );
    expect(new Set(answers.map(({ bytes }) => bytes.toString())).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
  });

  test('another body, another address or another file under the key is refused', async () => {
    const { drafts, workspaces } = await made();
    const key = once();
    const first = await pdm.editor.upload(drafts[0].id, 'source', 'content', { headers: key });
    const answers = [
      await pdm.editor.upload(drafts[0].id, 'source', 'content', { headers: key }),
      await pdm.editor.upload(drafts[0].id, 'source', 'changed', { headers: key }),
      await pdm.editor.upload(drafts[0].id, 'source', 'content', { headers: key, fileName: 'other.bin' }),
      await pdm.editor.post(`/workspaces/${workspaces[0].id}/versions`, {}, key),
    ];
    expect(codes(answers)).toEqual([[201], ...Array(3).fill([422, 'idempotency_mismatch'])]);
    expect([answers[0]?.body, answers[0]?.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
  });

  test('keys belong to their user', async () => {
    const key = once();
    const mine = await pdm.editor.post('/documents', { name: 'Mine', kind: 'model' }, key);
    const theirs = await pdm.admin.post('/documents', { name: 'Theirs', kind: 'model' }, key);
    expect([mine.status, theirs.status, mine.body.id === theirs.body.id]).toEqual([201, 201, false]);
    const strange = await pdm.editor.post('/documents', { name: 'X', kind: 'model' }, once('with blank'));
    expect(codes([strange])).toEqual([[400, 'validation_failed']]);
  });

  test('a refusal did nothing and leaves the key free', async () => {
    const key = once();
    expect((await pdm.editor.post('/folders', { name: '' }, key)).status).toBe(400);
    expect((await pdm.editor.post('/folders', { name: 'Now right' }, key)).status).toBe(201);
  });

  test('an answer that was never stored, because the service ended before, is made again of what the write left', async () => {
    const { workspaces } = await made();
    const key = once();
    const path = `/workspaces/${workspaces[0].id}/versions`;
    const first = await pdm.editor.post(path, { name: 'V' }, key);
    await pdm.services.mongo.db
      .collection('idempotency')
      .updateMany({}, { $set: { answer: null } }, { comment: FOR_A_TEST });
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

  test('a write that was done under a key is told again although its If-Match names a former tag by now', async () => {
    const { id } = await made();
    const path = `/documents/${id}`;
    const headers = { ...once(), ...ifMatch(await tagOf(path)) };
    const first = await pdm.editor.patch(path, { name: 'Sent twice' }, headers);
    await pdm.services.mongo.db
      .collection('idempotency')
      .updateMany({}, { $set: { answer: null } }, { comment: FOR_A_TEST });
    expect(codes([first, await pdm.editor.patch(path, { name: 'Sent twice' }, headers)])).toEqual([[200], [200]]);
  });

  test('a token is told once: its answer is neither kept nor repeated', async () => {
    const key = once();
    const first = await pdm.admin.post('/tokens', { name: 'ci', role: 'viewer' }, key);
    const again = await pdm.admin.post('/tokens', { name: 'ci', role: 'viewer' }, key);
    expect(codes([first, again])).toEqual([[201], [409, 'response_not_replayable']]);
    const kept = JSON.stringify(
      await pdm.services.mongo.db.collection('idempotency').find({}, { comment: FOR_A_TEST }).toArray(),
    );
    expect([kept.includes(first.body.token), kept.includes(first.body.token.slice(0, 12))]).toEqual([false, false]);
  });
});

describe('in GraphQL', () => {
  const ask = async (query: string, variables: object, headers: Record<string, string>) => {
    const answer = await fetch(`${pdm.url}/graphql`, {
      method: 'POST',
      body: JSON.stringify({ query, variables }),
      headers: { authorization: `Bearer ${pdm.tokens.editor}`, 'content-type': 'application/json', ...headers },
    });
    const { data, errors } = await answer.json();
    return { data, code: errors?.[0]?.extensions.code, etag: errors?.[0]?.extensions.etag };
  };
  const RENAME = 'mutation ($id: ID!, $name: String) { updateDocument(id: $id, name: $name) { id name etag } }';

  test('a write may name the etag of its record; of several with the same one is done', async () => {
    const { id } = await made();
    const { data } = await ask('query ($id: ID!) { document(id: $id) { etag } }', { id }, {});
    const etag = `"${data.document.etag}"`;
    const answers = await Promise.all(['One', 'Two', 'Three'].map((name) => ask(RENAME, { id, name }, ifMatch(etag))));
    expect(answers.map(({ code }) => code ?? 'done').sort()).toEqual([
      'done',
      'precondition_failed',
      'precondition_failed',
    ]);
    const now = answers.find(({ code }) => !code)?.data.updateDocument.etag;
    expect(await ask(RENAME, { id, name: 'Late' }, ifMatch(etag))).toMatchObject({
      code: 'precondition_failed',
      etag: now,
    });
    expect((await ask(RENAME, { id, name: 'Four' }, ifMatch(`"${now}"`))).code).toBeUndefined();
  });

  test('a write under a key is done once', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const create = 'mutation ($input: CreateDocumentInput!) { createDocument(input: $input) { id number } }';
    const answers = await Promise.all(
      [1, 2, 3].map(() => ask(create, { input: { name: 'Once', kind: 'model' } }, key)),
    );
    expect(new Set(answers.map(({ data }) => data.createDocument.id)).size).toBe(1);
    expect((await ask(create, { input: { name: 'Other', kind: 'model' } }, key)).code).toBe('idempotency_mismatch');
  });

  test('neither is for several writes, nor a tag for a write that is not about one record', async () => {
    const { id } = await made();
    const twice = 'mutation ($id: ID!) { a: archiveDocument(id: $id) { id } b: unarchiveDocument(id: $id) { id } }';
    expect((await ask(twice, { id }, { 'idempotency-key': randomUUID() })).code).toBe('validation_failed');
    expect((await ask('mutation { createFolder(name: "X") { id } }', {}, ifMatch('"x"'))).code).toBe(
      'validation_failed',
    );
  });
});
