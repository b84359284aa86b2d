// Browser sessions: signing in with a token, the scope of the cookie, and the end of a session.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { type Answer, client } from '../support/client.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { TEST_QUERY_COMMENT } from '../support/query-plans.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm();
});
afterAll(() => pdm.close());

const PAGE = { 'sec-fetch-site': 'same-origin', 'x-pdm-csrf': '1' };
const IMAGE = { 'sec-fetch-site': 'same-origin' };
const root = () => client(pdm.url);
const signIn = (token: string, headers: Record<string, string> = {}) =>
  root().post('/session', { token }, { ...PAGE, ...headers });
const cookieIn = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? '';
const signedIn = async (token: string) => cookieIn(await signIn(token));
const me = (cookie: string, headers: Record<string, string> = IMAGE) =>
  root().get('/api/v1/me', { cookie, ...headers });
const freshToken = async (role = 'editor') => {
  const { body: user } = await pdm.admin.post('/users', { name: 'Berta Bauer', role });
  return (await pdm.admin.post('/tokens', { userId: user.id, name: 'browser' })).body;
};
const scope = () => ({ db: pdm.services.mongo.db });

test('signs in with a token, authorizes requests by the session, and signs out', async () => {
  const { token, id: tokenId, user } = await freshToken();
  const answer = await signIn(token);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    user: { id: user.id, name: 'Berta Bauer', role: 'editor' },
    expiresAt: expect.any(String),
  });
  expect(answer.headers.get('set-cookie')).toMatch(
    /^pdm=[\w-]{43}; Path=\/; Max-Age=(43200|43199); HttpOnly; SameSite=Strict$/,
  );
  expect(Math.round((Date.parse(answer.body.expiresAt) - Date.now()) / 60_000)).toBe(720);
  const cookie = cookieIn(answer);
  expect((await me(cookie)).body).toMatchObject({
    id: user.id,
    role: 'editor',
    via: 'session',
    token: { id: tokenId },
  });
  expect((await root().get('/session', { cookie })).body).toEqual(answer.body);
  expect((await root().post('/api/v1/documents', { name: 'Bracket', kind: 'model' }, { cookie, ...PAGE })).status).toBe(
    201,
  );
  expect((await root().post('/graphql', { query: '{ me { via } }' }, { cookie, ...PAGE })).body.data).toEqual({
    me: { via: 'session' },
  });

  const gone = await root().delete('/session', { cookie, ...PAGE });
  expect([gone.status, gone.headers.get('set-cookie')]).toEqual([
    204,
    'pdm=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
  ]);
  expect((await me(cookie)).body).toMatchObject({ status: 401, code: 'unauthenticated' });
  expect((await root().post('/graphql', { query: '{ me { via } }' }, { cookie, ...PAGE })).status).toBe(401);
  expect((await root().get('/session', { cookie })).body).toEqual({ user: null, expiresAt: null });
  expect((await root().delete('/session', { cookie, ...PAGE })).status).toBe(204);
  expect((await root().get('/session')).body).toEqual({ user: null, expiresAt: null });
});

test('records sign-ins and sign-outs for administrators and stores no secret', async () => {
  const { token, user, id: tokenId } = await freshToken();
  const cookie = await signedIn(token);
  await root().delete('/session', { cookie, ...PAGE });
  const { body } = await pdm.admin.get(`/audit?actor=${user.id}`);
  expect(body.items).toMatchObject([
    { action: 'session.ended', route: 'DELETE /session', by: { via: 'session', tokenId } },
    { action: 'session.started', route: 'POST /session', by: { via: 'token', tokenId } },
  ]);
  const second = await signedIn(token);
  const stored = await collection(scope(), 'sessions')
    .find({ userId: user.id }, { comment: TEST_QUERY_COMMENT })
    .toArray();
  expect(stored).toHaveLength(1);
  expect(JSON.stringify([stored, body])).not.toContain(second.slice(4));
  expect(JSON.stringify((await pdm.viewer.get('/events')).body)).not.toContain('session.');
});

test('creates a session for each sign-in and ends the previous session of the browser', async () => {
  const { token } = await freshToken();
  const [one, other] = [await signedIn(token), await signedIn(token)];
  expect(one).not.toBe(other);
  const again = cookieIn(await signIn(pdm.tokens.viewer, { cookie: one }));
  expect((await me(one)).status).toBe(401);
  expect((await me(other)).body).toMatchObject({ role: 'editor' });
  expect((await me(again)).body).toMatchObject({ role: 'viewer' });
});

describe('a session ends', () => {
  test('ends a session at once when its token is revoked', async () => {
    const { token, id } = await freshToken();
    const cookie = await signedIn(token);
    expect((await me(cookie)).status).toBe(200);
    expect((await pdm.admin.delete(`/tokens/${id}`)).status).toBe(204);
    expect((await me(cookie)).status).toBe(401);
    expect((await root().get('/session', { cookie })).body.user).toBeNull();
    expect((await signIn(token)).status).toBe(401);
  });

  test('ends a session at once when its user is disabled, and changes its rights with the role', async () => {
    const { token, user } = await freshToken();
    const cookie = await signedIn(token);
    await pdm.admin.patch(`/users/${user.id}`, { role: 'viewer' });
    expect((await me(cookie)).body.role).toBe('viewer');
    await pdm.admin.patch(`/users/${user.id}`, { disabled: true });
    expect((await me(cookie)).status).toBe(401);
  });

  test('ends a session after 12 hours, or earlier if its token expires', async () => {
    const { token, user } = await freshToken();
    const cookie = await signedIn(token);
    await collection(scope(), 'sessions').updateOne(
      { userId: user.id },
      { $set: { expiresAt: new Date(Date.now() - 1) } },
      { comment: TEST_QUERY_COMMENT },
    );
    expect((await me(cookie)).status).toBe(401);

    const expiring = await freshToken();
    const expiresAt = new Date(Date.now() + 60_000);
    await collection(scope(), 'tokens').updateOne({ _id: expiring.id }, { $set: { expiresAt } });
    const answer = await signIn(expiring.token);
    expect(answer.body.expiresAt).toBe(expiresAt.toISOString());
    expect(Number(/Max-Age=(\d+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1])).toBeLessThanOrEqual(60);
  });
});

test('rejects a wrong token or a missing body without creating a session', async () => {
  const cookie = await signedIn((await freshToken()).token);
  const wrong = await signIn(`${pdm.tokens.viewer.slice(0, -1)}!`, { cookie });
  expect([wrong.status, wrong.body.code, wrong.headers.get('set-cookie')]).toEqual([401, 'unauthenticated', null]);
  expect((await me(cookie)).status).toBe(200);
  for (const body of [{}, { token: 7 }, { token: ' ' }, [], undefined])
    expect((await root().post('/session', body, PAGE)).body).toMatchObject({ status: 400, code: 'validation_failed' });
  const form = { ...PAGE, 'content-type': 'application/x-www-form-urlencoded' };
  expect((await root().send('POST', '/session', 'token=x', form)).body).toMatchObject({ status: 415 });
});

describe('cross-site request protection', () => {
  const foreign = expect.objectContaining({
    status: 403,
    body: expect.objectContaining({ code: 'cross_site_request' }),
  });
  let cookie: string;
  let body: { query: string };
  beforeAll(async () => {
    cookie = await signedIn(pdm.tokens.editor);
    body = { query: '{ me { id } }' };
  });

  test.each([
    ['no headers', {}],
    ['no custom header', { 'sec-fetch-site': 'same-origin' }],
    ['another header value', { 'sec-fetch-site': 'same-origin', 'x-pdm-csrf': 'true' }],
    ['another site', { 'sec-fetch-site': 'cross-site', 'x-pdm-csrf': '1' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site', 'x-pdm-csrf': '1' }],
    ['another origin', { origin: 'https://evil.example', 'x-pdm-csrf': '1' }],
    ['an opaque origin', { origin: 'null', 'x-pdm-csrf': '1' }],
  ])('rejects writes, GraphQL and sign-in with %s', async (_what, headers: Record<string, string>) => {
    const requestHeaders = { cookie, ...headers };
    expect(await root().post('/api/v1/documents', { name: 'X', kind: 'model' }, requestHeaders)).toEqual(foreign);
    expect(await root().delete('/api/v1/documents/PRT-000001', requestHeaders)).toEqual(foreign);
    expect(await root().post('/session', { token: pdm.tokens.viewer }, requestHeaders)).toEqual(foreign);
    expect(await root().delete('/session', requestHeaders)).toEqual(foreign);
    const refused = [
      await root().post('/graphql', body, requestHeaders),
      await root().get(`/graphql?query=${encodeURIComponent(body.query)}`, requestHeaders),
    ];
    for (const { status, body } of refused)
      expect([status, body.errors[0].extensions.code]).toEqual([403, 'cross_site_request']);
  });

  test('accepts the Origin header of older browsers', async () => {
    const requestHeaders = { cookie, origin: pdm.url, 'x-pdm-csrf': '1' };
    expect((await root().post('/graphql', body, requestHeaders)).status).toBe(200);
    expect(
      (await root().post('/graphql', body, { ...requestHeaders, origin: pdm.url.replace(/\d+$/, '1') })).status,
    ).toBe(403);
  });

  test('permits same-site images, downloads and links to read REST, and no other site', async () => {
    const permitted: Record<string, string>[] = [IMAGE, { 'sec-fetch-site': 'none' }, {}];
    for (const headers of permitted) expect((await me(cookie, headers)).status).toBe(200);
    for (const site of ['cross-site', 'same-site'])
      expect(await me(cookie, { 'sec-fetch-site': site })).toEqual(foreign);
    expect(await me(cookie, { origin: 'https://evil.example' })).toEqual(foreign);
  });

  test('prefers a token in the header to the cookie and then needs no custom header', async () => {
    const authorization = `Bearer ${pdm.tokens.viewer}`;
    expect((await me(cookie, { authorization, 'sec-fetch-site': 'cross-site' })).body).toMatchObject({
      role: 'viewer',
      via: 'token',
    });
    expect((await me(cookie, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await root().post('/graphql', body, { cookie, authorization })).status).toBe(200);
    const session = cookie.slice(4);
    for (const scheme of ['Bearer', 'session'])
      expect((await me('', { authorization: `${scheme} ${session}` })).status).toBe(401);
  });
});

test('streams events to a session', async () => {
  const cookie = await signedIn(pdm.tokens.editor);
  const leaving = new AbortController();
  const stream = await fetch(`${pdm.url}/api/v1/events/stream`, {
    headers: { cookie, ...IMAGE },
    signal: leaving.signal,
  });
  expect([stream.status, stream.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/event-stream'),
  ]);
  leaving.abort();
});

// must be last: afterwards this address is slowed down
test('slows down wrong tokens, but neither sessions nor sign-ins', async () => {
  const cookie = await signedIn(pdm.tokens.editor);
  const wrong = (i: number) => signIn(`${pdm.tokens.admin.slice(0, -2)}${String(i).padStart(2, '0')}`);
  for (let i = 0; i < 11; i++) expect((await wrong(i)).status).toBe(401);
  const ended: string[] = [];
  const slowed = wrong(11).then(({ status }) => ended.push(String(status)));
  expect((await me(cookie)).status).toBe(200);
  expect((await signIn(pdm.tokens.worker)).status).toBe(200);
  ended.push('sign-in');
  await slowed;
  expect(ended).toEqual(['sign-in', '401']);
});

describe('sessions of all users', () => {
  test('lists them for administrators only, by user and in pages, without secrets', async () => {
    const { token, user } = await freshToken();
    const cookie = await signedIn(token);
    await signedIn(token);
    const { body: page } = await pdm.admin.get(`/sessions?userId=${user.id}&limit=1&total=true`);
    expect(page).toEqual({
      items: [
        {
          id: expect.stringMatching(/^ses_/),
          user: { id: user.id, name: 'Berta Bauer' },
          token: expect.objectContaining({ name: 'browser' }),
          createdAt: expect.any(String),
          expiresAt: expect.any(String),
        },
      ],
      nextCursor: expect.any(String),
      total: 2,
    });
    const next = await pdm.admin.get(`/sessions?userId=${user.id}&limit=1&cursor=${page.nextCursor}`);
    expect([next.body.items.length, next.body.nextCursor]).toEqual([1, null]);
    expect(next.body.items[0].id).not.toBe(page.items[0].id);
    expect((await me(cookie)).status).toBe(200);
    expect((await pdm.editor.get('/sessions')).body.code).toBe('admin_only');
    expect((await pdm.admin.get(`/sessions?cursor=${page.nextCursor}`)).body.code).toBe('bad_cursor');
  });

  test('ends a session for an administrator at once, with an audit record', async () => {
    const { token, user } = await freshToken();
    const cookie = await signedIn(token);
    const [{ id }] = (await pdm.admin.get(`/sessions?userId=${user.id}`)).body.items;
    expect((await pdm.editor.delete(`/sessions/${id}`)).body.code).toBe('admin_only');
    expect((await pdm.admin.delete(`/sessions/${id}`)).status).toBe(204);
    expect((await me(cookie)).status).toBe(401);
    expect((await pdm.admin.delete(`/sessions/${id}`)).status).toBe(404);
    const [record] = (await pdm.admin.get('/audit?action=session.ended&limit=1')).body.items;
    expect(record.changes.session.from).toMatchObject({ id, userId: user.id });
  });
});
