// Users and tokens: authentication, roles, and expiry.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listChain } from '../../subgraphs/core/store/audit/list-audit.ts';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { type Client, client } from '../support/client.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

const as = (token: string): Client => client(`${pdm.url}/api/v1`, token);
const user = async (role: string, name = `A ${role}`): Promise<string> =>
  (await pdm.admin.post('/users', { name, role })).body.id;
const token = async (body: object) => (await pdm.admin.post('/tokens', { name: 'laptop', ...body })).body;
const myId = async (who: Client): Promise<string> => (await who.get('/me')).body.id;
const fault = (path: string) => ({
  status: 400,
  code: 'validation_failed',
  errors: [expect.objectContaining({ path })],
});

test('creates a user and a token, returns the token once, and accepts it', async () => {
  const created = await pdm.admin.post('/users', { name: ' Berta Bauer ', role: 'editor' });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ name: 'Berta Bauer', role: 'editor', disabled: false, oidc: null });
  expect((await pdm.admin.get(String(created.headers.get('location')).replace('/api/v1', ''))).body).toEqual(
    created.body,
  );

  const issued = await pdm.admin.post('/tokens', { userId: created.body.id, name: 'laptop' });
  expect(issued.status).toBe(201);
  expect(issued.body).toMatchObject({
    name: 'laptop',
    role: 'editor',
    user: { id: created.body.id, name: 'Berta Bauer' },
  });
  expect(issued.body.token).toMatch(new RegExp(`^pdm_${issued.body.prefix}_[0-9A-Za-z]{38}$`));
  expect(Math.round((Date.parse(issued.body.expiresAt) - Date.now()) / 86_400_000)).toBe(90);

  const { body: me } = await as(issued.body.token).get('/me');
  expect(me).toMatchObject({
    id: created.body.id,
    name: 'Berta Bauer',
    role: 'editor',
    via: 'token',
    token: { id: issued.body.id, name: 'laptop' },
  });
  const shown = await pdm.admin.get(`/tokens/${issued.body.id}`);
  expect(shown.body).toMatchObject({ prefix: issued.body.prefix, revokedAt: null, lastUsedAt: expect.any(String) });
  expect(JSON.stringify([shown.body, (await pdm.admin.get('/tokens')).body])).not.toContain(
    issued.body.token.slice(13),
  );
});

test('gives a token the requested role and lifetime, limited by the role of its user', async () => {
  const [editor, admin] = [await user('editor'), await user('admin')];
  expect(await token({ userId: editor, role: 'viewer', expiresInDays: null })).toMatchObject({
    role: 'viewer',
    expiresAt: null,
  });
  expect(await token({ userId: admin, role: 'worker', expiresInDays: 7 })).toMatchObject({ role: 'worker' });
  for (const role of ['admin', 'worker']) expect(await token({ userId: editor, role })).toMatchObject(fault('/role'));
  for (const expiresInDays of [0, 3651]) expect(await token({ expiresInDays })).toMatchObject(fault('/expiresInDays'));
  expect(await token({ userId: 'usr_nobody' })).toMatchObject({ status: 404 });
  expect(await token({ name: ' ' })).toMatchObject(fault('/name'));
  expect((await pdm.admin.post('/users', { name: 'X', role: 'owner' })).body).toMatchObject(fault('/role'));
  expect((await as((await token({})).token).get('/me')).body.role).toBe('admin');
});

test('rejects a revoked token at once and records the revocation', async () => {
  const { id, token: secret } = await token({ userId: await user('editor') });
  expect((await as(secret).get('/me')).status).toBe(200);
  expect((await pdm.admin.delete(`/tokens/${id}`)).status).toBe(204);
  expect((await as(secret).get('/me')).status).toBe(401);
  expect((await as(secret).graphql('{ me { id } }')).status).toBe(401);
  const { body: ended } = await pdm.admin.get(`/tokens/${id}`);
  expect(ended.revokedAt).not.toBeNull();
  expect((await pdm.admin.delete(`/tokens/${id}`)).status).toBe(204);
  expect((await pdm.admin.get(`/tokens/${id}`)).body).toEqual(ended);
  expect((await pdm.admin.delete('/tokens/tok_nothing')).status).toBe(404);
});

test('rejects an expired token', async () => {
  const { id, token: secret } = await token({ userId: await user('viewer') });
  await collection({ db: pdm.services.mongo.db }, 'tokens').updateOne(
    { _id: id },
    { $set: { expiresAt: new Date(Date.now() - 1000) } },
  );
  expect((await as(secret).get('/me')).status).toBe(401);
});

test('lets users list and revoke only their own tokens', async () => {
  const viewer = await user('viewer');
  const [first, second] = [await token({ userId: viewer }), await token({ userId: viewer, name: 'phone' })];
  const own = as(second.token);
  expect((await own.get('/tokens')).body.items.map(({ name }: { name: string }) => name)).toEqual(['phone', 'laptop']);
  const mine = await pdm.editor.get('/tokens');
  expect(mine.body.items).toHaveLength(1);
  expect((await own.get(`/tokens/${mine.body.items[0].id}`)).status).toBe(404);
  expect((await own.delete(`/tokens/${mine.body.items[0].id}`)).status).toBe(404);
  expect((await own.get(`/tokens?userId=${await myId(pdm.editor)}`)).body).toMatchObject({ code: 'admin_only' });
  expect((await own.get(`/tokens?userId=${viewer}`)).body.items).toHaveLength(2);

  expect((await own.delete(`/tokens/${first.id}`)).status).toBe(204);
  expect((await own.get('/tokens')).body.items).toHaveLength(1);
  expect((await own.get('/tokens?includeInactive=true')).body.items).toHaveLength(2);
  expect((await pdm.admin.get(`/tokens?userId=${viewer}&includeInactive=true`)).body.items).toHaveLength(2);
});

test('rejects the revocation of a token with a higher role', async () => {
  const id = await user('admin');
  const [strong, weak] = [await token({ userId: id }), await token({ userId: id, role: 'viewer' })];
  expect((await as(weak.token).delete(`/tokens/${strong.id}`)).body).toMatchObject({ status: 403, code: 'forbidden' });
  expect((await as(weak.token).delete(`/tokens/${weak.id}`)).status).toBe(204);
  expect((await as(strong.token).get('/me')).status).toBe(200);
});

test('returns users and tokens in pages', async () => {
  for (const path of ['/users', '/tokens?includeInactive=true']) {
    const { body: whole } = await pdm.admin.get(path);
    const join = path.includes('?') ? '&' : '?';
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await pdm.admin.get(`${path}${join}limit=2${cursor && `&cursor=${cursor}`}`);
      ids.push(...body.items.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
      if (!cursor) break;
    }
    expect(ids).toEqual(whole.items.map(({ id }: { id: string }) => id));
    expect(ids.length).toBeGreaterThan(4);
  }
});

describe('a user that is changed', () => {
  test('shows the new name of a renamed user everywhere', async () => {
    const id = await user('editor', 'Anna Alt');
    const anna = as((await token({ userId: id })).token);
    const { body: document } = await anna.post('/documents', { name: 'Bracket', kind: 'model' });
    expect((await pdm.admin.patch(`/users/${id}`, { name: 'Anna Neu' })).body).toMatchObject({
      id,
      name: 'Anna Neu',
      role: 'editor',
    });
    expect((await pdm.viewer.get(`/documents/${document.id}`)).body.createdBy).toEqual({ id, name: 'Anna Neu' });
    expect((await anna.get('/me')).body.name).toBe('Anna Neu');
  });

  test('limits all tokens of a user to the rights of a new role at once', async () => {
    const id = await user('admin');
    const tokens = [
      await token({ userId: id }),
      await token({ userId: id, role: 'viewer' }),
      await token({ userId: id, role: 'worker' }),
    ];
    const roles = () => Promise.all(tokens.map(async ({ token }) => (await as(token).get('/me')).body.role ?? 'out'));
    expect(await roles()).toEqual(['admin', 'viewer', 'worker']);
    await pdm.admin.patch(`/users/${id}`, { role: 'editor' });
    expect(await roles()).toEqual(['editor', 'viewer', 'out']);
    await pdm.admin.patch(`/users/${id}`, { role: 'viewer' });
    expect(await roles()).toEqual(['viewer', 'viewer', 'out']);
    await pdm.admin.patch(`/users/${id}`, { role: 'admin' });
    expect(await roles()).toEqual(['admin', 'viewer', 'worker']);
  });

  test('rejects a disabled user at once, creates no token for the user, and restores access when enabled', async () => {
    const id = await user('editor');
    const { token: secret } = await token({ userId: id });
    expect((await as(secret).get('/me')).status).toBe(200);
    expect((await pdm.admin.patch(`/users/${id}`, { disabled: true })).body).toMatchObject({ disabled: true });
    expect((await as(secret).get('/me')).status).toBe(401);
    expect(await token({ userId: id })).toMatchObject(fault('/userId'));
    await pdm.admin.patch(`/users/${id}`, { disabled: false });
    expect((await as(secret).get('/me')).status).toBe(200);
  });
});

test('keeps the last administrator, also when two are removed concurrently', async () => {
  const first = await myId(pdm.admin);
  const others = (await pdm.admin.get('/users?limit=200')).body.items.filter(
    ({ id, role }: { id: string; role: string }) => role === 'admin' && id !== first,
  );
  for (const { id } of others) expect((await pdm.admin.patch(`/users/${id}`, { disabled: true })).status).toBe(200);
  expect((await pdm.admin.patch(`/users/${first}`, { disabled: true })).body).toMatchObject(fault('/disabled'));
  expect((await pdm.admin.patch(`/users/${first}`, { role: 'editor' })).body).toMatchObject(fault('/role'));
  expect((await pdm.admin.patch(`/users/${first}`, { name: 'Chief', role: 'admin' })).status).toBe(200);

  const second = await user('admin');
  const answers = await Promise.all([
    pdm.admin.patch(`/users/${first}`, { role: 'viewer' }),
    as((await token({ userId: second })).token).patch(`/users/${second}`, { disabled: true }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const { db } = pdm.services.mongo;
  expect(await collection({ db }, 'users').countDocuments({ role: 'admin', disabled: false })).toBe(1);
  await collection({ db }, 'users').updateOne({ _id: first }, { $set: { role: 'admin', disabled: false } });
});

test('records every change of access without names and secrets', async () => {
  const records = await listChain({ db: pdm.services.mongo.db }, 'access', { limit: 200 });
  const actions = new Set(records.map(({ action }) => action));
  expect([...actions].sort()).toEqual(['token.created', 'token.revoked', 'user.created', 'user.updated']);
  const text = JSON.stringify(records);
  expect(text).not.toMatch(/Berta|Anna|Ed Editor|pdm_/);
  expect(text).not.toContain(pdm.tokens.editor.slice(13));
  expect(records.every(({ by }) => by.id)).toBe(true);
});
