import { createHmac, createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Issuer, startIssuer } from '../../../test/support/issuer.ts';
import { type TestStore, testStore } from '../../../test/support/store.ts';
import { generateSessionSecret } from '../../core/domain/access/session.ts';
import { listChain } from '../../core/store/audit/audit.ts';
import { collection } from '../../core/store/query/scope.ts';
import { inTransaction } from '../../core/work.ts';
import { authenticate, authenticateSession, type AuthenticationResult } from './authenticate.ts';
import { serviceRequest } from './issue-token.ts';
import { createIdentityProvider, roleFromClaim } from './oidc.ts';
import { oidcUserId } from './oidc-user-id.ts';
import { startSession } from './start-session.ts';
import { updateUser } from './update-user.ts';

let store: TestStore;
let issuer: Issuer;
let now = Date.now();
beforeAll(async () => {
  store = await testStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  issuer = await startIssuer();
  now = Date.now();
});
afterEach(() => issuer.down());

const provider = (more: object = {}) =>
  createIdentityProvider(
    { issuer: issuer.url, audience: 'pdm', roleClaim: 'realm_access.roles', autocreate: true, ...more },
    store.services.log,
    () => now,
  );
type Provider = ReturnType<typeof provider>;
const signIn = (token: string, by: Provider = provider()): Promise<AuthenticationResult> =>
  authenticate(store.services, `Bearer ${token}`, by);
const roleOf = (answer: AuthenticationResult) => ('actor' in answer ? answer.actor.role : answer.refused);
const withRoles = (...roles: string[]): JWTPayload => ({ realm_access: { roles } });

test('somebody who comes for the first time becomes a user, known again by issuer and subject', async () => {
  const answer = await signIn(await issuer.token({ name: 'Berta Bauer', ...withRoles('editor') }));
  const id = oidcUserId({ issuer: issuer.url, subject: 'berta' });
  expect(answer).toMatchObject({ actor: { id, name: 'Berta Bauer', role: 'editor', tokenId: null, via: 'oidc' } });
  expect(id).toMatch(/^usr_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(await signIn(await issuer.token({ name: 'Berta Berg' }))).toMatchObject({
    actor: { id, name: 'Berta Bauer' },
  });
  expect(oidcUserId({ issuer: issuer.url, subject: 'bert' })).not.toBe(id);
  const [record] = await listChain({ db: store.services.mongo.db }, 'access', { limit: 1 });
  expect(record).toMatchObject({ action: 'user.created', by: { via: 'system' } });
  expect(JSON.stringify(record)).not.toMatch(/Berta|berta/);
});

test('twenty first sign-ins at once make one user', async () => {
  const token = await issuer.token({ sub: 'anna' });
  const by = provider();
  const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(token, by)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(issuer.reads()).toBe(1);
});

describe('the role', () => {
  test('is the highest that the claim names; without a known one it is viewer', async () => {
    const by = provider();
    for (const [claims, role] of [
      [withRoles('viewer', 'admin', 'other'), 'admin'],
      [withRoles('owner'), 'viewer'],
      [{}, 'viewer'],
      [{ realm_access: 'admin' }, 'viewer'],
      [{ role: 'admin' }, 'viewer'],
      [withRoles('worker'), 'worker'],
    ] as const)
      expect([claims, roleOf(await signIn(await issuer.token(claims), by))]).toEqual([claims, role]);
  });

  test('never comes from the prototype of anything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, path) => {
        const role = roleFromClaim({ claim: value } as JWTPayload, path);
        if (role !== 'viewer') expect(JSON.stringify(value)).toContain(role);
      }),
    );
    for (const path of ['constructor.name', '__proto__.role', 'toString', 'a..b', ''])
      expect(roleFromClaim({}, path)).toBe('viewer');
    expect(roleFromClaim({ 'https://pdm/role': 'editor' }, 'https://pdm/role')).toBe('editor');
  });

  test('is the one given here when the provider’s claims say nothing of roles', async () => {
    const by = provider({ roleClaim: null });
    const token = await issuer.token({ sub: 'carla', role: 'admin' });
    expect(roleOf(await signIn(token, by))).toBe('viewer');
    const id = oidcUserId({ issuer: issuer.url, subject: 'carla' });
    await collection({ db: store.services.mongo.db }, 'users').updateOne({ _id: id }, { $set: { role: 'editor' } });
    expect(roleOf(await signIn(token, by))).toBe('editor');
  });
});

test('a disabled user is out, and so is an unknown one when users are not made by themselves', async () => {
  const token = await issuer.token({ sub: 'dora', ...withRoles('admin') });
  expect(await signIn(token, provider({ autocreate: false }))).toEqual({ refused: 'ended' });
  expect(roleOf(await signIn(token))).toBe('admin');
  expect(roleOf(await signIn(token, provider({ autocreate: false })))).toBe('admin');
  const _id = oidcUserId({ issuer: issuer.url, subject: 'dora' });
  await collection({ db: store.services.mongo.db }, 'users').updateOne({ _id }, { $set: { disabled: true } });
  expect(await signIn(token)).toEqual({ refused: 'ended' });
});

test('RS256, PS256, ES256 and EdDSA are taken, and nothing else', async () => {
  const by = provider();
  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA']) {
    const key = await issuer.newKey(alg, `good-${alg}`);
    expect([alg, roleOf(await signIn(await issuer.token(withRoles('editor'), { key }), provider()))]).toEqual([
      alg,
      'editor',
    ]);
  }
  for (const alg of ['RS512', 'ES384']) {
    const key = await issuer.newKey(alg, `bad-${alg}`);
    expect([alg, await signIn(await issuer.token({}, { key }), provider())]).toEqual([alg, { refused: 'wrong' }]);
  }
  const [, payload] = (await issuer.token()).split('.');
  const head = (alg: string, kid?: string) => Buffer.from(JSON.stringify({ alg, kid })).toString('base64url');
  expect(await signIn(`${head('none')}.${payload}.`, by)).toEqual({ refused: 'wrong' });

  // the public key of RS256, known to everybody, as the secret of HS256
  const { keys } = (await (await fetch(`${issuer.url}/keys`)).json()) as { keys: { kid: string }[] };
  const pem = createPublicKey({ key: keys[0] as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const text = `${head('HS256', keys[0]?.kid)}.${payload}`;
  expect(await signIn(`${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`, by)).toEqual({
    refused: 'wrong',
  });
});

test('a token for somebody else, of somebody else, expired, not yet good, or without end or subject is refused', async () => {
  const by = provider();
  const at = now;
  const refused = async (claims: JWTPayload, options = {}) =>
    roleOf(await signIn(await issuer.token(claims, options), by));
  expect(await refused({ aud: 'another' })).toBe('ended');
  expect(await refused({ aud: [] as never })).toBe('ended');
  expect(await refused({ iss: 'https://elsewhere.example' })).toBe('ended');
  expect(await refused({}, { at: at - 7_200_000 })).toBe('ended');
  expect(await refused({ nbf: Math.floor(at / 1000) + 600 })).toBe('ended');
  expect(await refused({ exp: undefined })).toBe('ended');
  expect(await refused({ sub: undefined })).toBe('ended');
  expect(await refused({ sub: '' })).toBe('wrong');
  expect(await refused({ sub: 'x'.repeat(256) })).toBe('wrong');
  expect(await refused({ aud: ['another', 'pdm'] })).toBe('viewer');

  const barely = await issuer.token({}, { lasts: 60, at });
  now = at + 85_000;
  expect(roleOf(await signIn(barely, by))).toBe('viewer');
  now = at + 91_000;
  expect(roleOf(await signIn(barely, by))).toBe('ended');
});

// the parts of a token as they are decoded
const bytesOf = (token: string) =>
  token
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString('hex'))
    .join();

test('a token of which one character was changed is refused', async () => {
  const by = provider();
  const token = await issuer.token(withRoles('viewer'));
  await fc.assert(
    fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom('A', 'z', '.', '_', '0'), async (at, character) => {
      const changed = token.slice(0, at) + character + token.slice(at + 1);
      fc.pre(bytesOf(changed) !== bytesOf(token)); // the last character of a signature has bits that mean nothing
      expect(roleOf(await signIn(changed, by))).toBe('wrong');
    }),
    { numRuns: 60 },
  );
});

test('a key that is not the issuer’s signs nothing, whatever it is called and wherever it says it can be found', async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const forged = await issuer.token(withRoles('admin'), { key: { kid: 'RS256-0', alg: 'RS256', privateKey } });
  expect(await signIn(forged)).toEqual({ refused: 'wrong' });
  const own = await new SignJWT({ iss: issuer.url, aud: 'pdm', sub: 'berta', ...withRoles('admin') })
    .setExpirationTime('1h')
    .setProtectedHeader({ alg: 'RS256', kid: 'own', jwk: await exportJWK(publicKey), jku: `${issuer.url}/own` })
    .sign(privateKey);
  expect(await signIn(own)).toEqual({ refused: 'wrong' });
});

describe('keys', () => {
  test('that are known go on working while the issuer is out of reach; an unknown one is refused until it is back', async () => {
    const by = provider();
    const known = await issuer.token(withRoles('editor'));
    expect(roleOf(await signIn(known, by))).toBe('editor');
    const later = await issuer.newKey('ES256');
    await issuer.down();
    for (const minutes of [1, 11, 60]) {
      now += minutes * 60_000;
      const usual = await issuer.token(withRoles('editor'), { at: now });
      expect(roleOf(await signIn(usual, by))).toBe('editor');
      expect(await signIn(await issuer.token({}, { key: later, at: now }), by)).toEqual({ refused: 'ended' });
    }
    await issuer.up();
    now += 10_000;
    expect(roleOf(await signIn(await issuer.token(withRoles('admin'), { key: later, at: now }), by))).toBe('admin');
  });

  test('that were never read let nobody in', async () => {
    const by = provider();
    const token = await issuer.token(withRoles('admin'));
    await issuer.down();
    expect(await signIn(token, by)).toEqual({ refused: 'ended' });
    await issuer.up();
    expect(await signIn(token, by)).toEqual({ refused: 'ended' });
    now += 10_000;
    expect(roleOf(await signIn(token, by))).toBe('admin');
  });

  test('that are unknown make the issuer be asked at most every ten seconds', async () => {
    const by = provider();
    await signIn(await issuer.token(), by);
    now += 10_000;
    const { privateKey } = await generateKeyPair('RS256');
    for (let i = 0; i < 20; i++) {
      const stray = await issuer.token({}, { key: { kid: `stray-${i}`, alg: 'RS256', privateKey }, at: now });
      expect(await signIn(stray, by)).toEqual({ refused: 'wrong' });
    }
    expect(issuer.reads()).toBe(2);
  });

  test('are read only from an issuer that calls itself what it is called here', async () => {
    const by = createIdentityProvider(
      { issuer: `${issuer.url}/`, audience: 'pdm', roleClaim: null, autocreate: true },
      store.services.log,
      () => now,
    );
    expect(await signIn(await issuer.token({ iss: `${issuer.url}/` }), by)).toEqual({ refused: 'ended' });
  });
});

test('a token of this service is looked up as ever beside a provider', async () => {
  const pdmToken = `pdm_${'a'.repeat(8)}_${'b'.repeat(38)}`;
  expect(await signIn(pdmToken)).toEqual({ refused: 'wrong' });
  expect(issuer.reads()).toBe(0);
  expect(await authenticate(store.services, `Bearer ${await issuer.token()}`, null)).toEqual({ refused: 'wrong' });
  expect(await authenticate(store.services, undefined, provider())).toEqual({ refused: 'missing' });
});

test('a session that began with such a token ends with it, and has the role that the provider gave', async () => {
  const by = provider();
  const good = await signIn(
    await issuer.token({ sub: 'session', ...withRoles('editor') }, { at: Date.now(), lasts: 600 }),
    by,
  );
  if (!('actor' in good)) throw new Error(good.refused);
  expect(Math.abs((good.expiresAt?.getTime() ?? 0) - Date.now() - 600_000)).toBeLessThan(2_000);
  const secret = generateSessionSecret();
  const session = await inTransaction(store.services, { actor: good.actor, requestId: 'r' }, startSession, {
    ...good,
    secret,
    earlier: null,
  });
  expect(session).toMatchObject({ tokenId: null, role: 'editor', expiresAt: good.expiresAt });
  const { id } = good.actor;
  expect(await authenticateSession(store.services, secret)).toMatchObject({
    actor: { id, role: 'editor', via: 'session', tokenId: null },
  });
  const later = { ...store.services, clock: () => new Date((good.expiresAt?.getTime() ?? 0) + 1) };
  expect(await authenticateSession(later, secret)).toEqual({ refused: 'ended' });
  const late = { ...good, secret: generateSessionSecret(), earlier: null };
  await expect(inTransaction(later, { actor: good.actor, requestId: 'r' }, startSession, late)).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  await inTransaction(store.services, serviceRequest('test'), updateUser, { id, disabled: true });
  expect(await authenticateSession(store.services, secret)).toEqual({ refused: 'ended' });
});
