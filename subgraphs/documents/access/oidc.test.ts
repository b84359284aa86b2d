// Sign-in with tokens of an identity provider.
import { createHmac, createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Issuer, startIssuer } from '../../../test/support/issuer.ts';
import { type TestStore, testStore } from '../../../test/support/store.ts';
import { generateSessionSecret } from '../../core/domain/access/session.ts';
import { listChain } from '../../core/store/audit/list-audit.ts';
import { collection } from '../../core/store/query/scope.ts';
import { inTransaction } from '../../core/work.ts';
import { type AuthenticationResult, authenticate, authenticateSession } from './authenticate.ts';
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
afterEach(() => issuer.stop());

const provider = (more: object = {}) =>
  createIdentityProvider(
    { issuer: issuer.url, audience: 'pdm', roleClaim: 'realm_access.roles', autocreate: true, ...more },
    store.services.log,
    () => now,
  );
type Provider = ReturnType<typeof provider>;
const signIn = (token: string, by: Provider = provider()): Promise<AuthenticationResult> =>
  authenticate(store.services, `Bearer ${token}`, by);
const roleOf = (result: AuthenticationResult) => ('actor' in result ? result.actor.role : result.refused);
const withRoles = (...roles: string[]): JWTPayload => ({ realm_access: { roles } });

test('creates a user at the first sign-in and finds it again by issuer and subject', async () => {
  const result = await signIn(await issuer.token({ name: 'Berta Bauer', ...withRoles('editor') }));
  const id = oidcUserId({ issuer: issuer.url, subject: 'berta' });
  expect(result).toMatchObject({ actor: { id, name: 'Berta Bauer', role: 'editor', tokenId: null, via: 'oidc' } });
  expect(id).toMatch(/^usr_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(await signIn(await issuer.token({ name: 'Berta Berg' }))).toMatchObject({
    actor: { id, name: 'Berta Bauer' },
  });
  expect(oidcUserId({ issuer: issuer.url, subject: 'bert' })).not.toBe(id);
  const [record] = await listChain({ db: store.services.mongo.db }, 'access', { limit: 1 });
  expect(record).toMatchObject({ action: 'user.created', by: { via: 'system' } });
  expect(JSON.stringify(record)).not.toMatch(/Berta|berta/);
});

test('creates one user for twenty concurrent first sign-ins', async () => {
  const token = await issuer.token({ sub: 'anna' });
  const by = provider();
  const results = await Promise.all(Array.from({ length: 20 }, () => signIn(token, by)));
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  expect(issuer.reads()).toBe(1);
});

describe('the role', () => {
  test('is the highest in the claim, or viewer without a known one', async () => {
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

  test('never comes from a prototype', () => {
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

  test('is the stored one without a role claim in the settings', async () => {
    const by = provider({ roleClaim: null });
    const token = await issuer.token({ sub: 'carla', role: 'admin' });
    expect(roleOf(await signIn(token, by))).toBe('viewer');
    const id = oidcUserId({ issuer: issuer.url, subject: 'carla' });
    await collection({ db: store.services.mongo.db }, 'users').updateOne({ _id: id }, { $set: { role: 'editor' } });
    expect(roleOf(await signIn(token, by))).toBe('editor');
  });
});

test('rejects disabled users, and unknown users without autocreate', async () => {
  const token = await issuer.token({ sub: 'dora', ...withRoles('admin') });
  expect(await signIn(token, provider({ autocreate: false }))).toEqual({ refused: 'inactive' });
  expect(roleOf(await signIn(token))).toBe('admin');
  expect(roleOf(await signIn(token, provider({ autocreate: false })))).toBe('admin');
  const _id = oidcUserId({ issuer: issuer.url, subject: 'dora' });
  await collection({ db: store.services.mongo.db }, 'users').updateOne({ _id }, { $set: { disabled: true } });
  expect(await signIn(token)).toEqual({ refused: 'inactive' });
});

test('accepts RS256, PS256, ES256 and EdDSA only', async () => {
  const by = provider();
  for (const alg of ['RS256', 'PS256', 'ES256', 'EdDSA']) {
    const key = await issuer.createKey(alg, `known-${alg}`);
    expect([alg, roleOf(await signIn(await issuer.token(withRoles('editor'), { key }), provider()))]).toEqual([
      alg,
      'editor',
    ]);
  }
  for (const alg of ['RS512', 'ES384']) {
    const key = await issuer.createKey(alg, `unsupported-${alg}`);
    expect([alg, await signIn(await issuer.token({}, { key }), provider())]).toEqual([alg, { refused: 'invalid' }]);
  }
  const [, payload] = (await issuer.token()).split('.');
  const header = (alg: string, kid?: string) => Buffer.from(JSON.stringify({ alg, kid })).toString('base64url');
  expect(await signIn(`${header('none')}.${payload}.`, by)).toEqual({ refused: 'invalid' });

  // the public RS256 key as the secret of HS256
  const { keys } = (await (await fetch(`${issuer.url}/keys`)).json()) as { keys: { kid: string }[] };
  const pem = createPublicKey({ key: keys[0] as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const text = `${header('HS256', keys[0]?.kid)}.${payload}`;
  expect(await signIn(`${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`, by)).toEqual({
    refused: 'invalid',
  });
});

test('rejects tokens with a wrong audience, issuer or time, or without expiry or subject', async () => {
  const by = provider();
  const at = now;
  const refused = async (claims: JWTPayload, options = {}) =>
    roleOf(await signIn(await issuer.token(claims, options), by));
  expect(await refused({ aud: 'another' })).toBe('inactive');
  expect(await refused({ aud: [] as never })).toBe('inactive');
  expect(await refused({ iss: 'https://elsewhere.example' })).toBe('inactive');
  expect(await refused({}, { at: at - 7_200_000 })).toBe('inactive');
  expect(await refused({ nbf: Math.floor(at / 1000) + 600 })).toBe('inactive');
  expect(await refused({ exp: undefined })).toBe('inactive');
  expect(await refused({ sub: undefined })).toBe('inactive');
  expect(await refused({ sub: '' })).toBe('invalid');
  expect(await refused({ sub: 'x'.repeat(256) })).toBe('invalid');
  expect(await refused({ aud: ['another', 'pdm'] })).toBe('viewer');

  const expiring = await issuer.token({}, { lasts: 60, at });
  now = at + 85_000;
  expect(roleOf(await signIn(expiring, by))).toBe('viewer');
  now = at + 91_000;
  expect(roleOf(await signIn(expiring, by))).toBe('inactive');
});

// the decoded parts of a token
const bytesOf = (token: string) =>
  token
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString('hex'))
    .join();

test('rejects a token with one changed character', async () => {
  const by = provider();
  const token = await issuer.token(withRoles('viewer'));
  await fc.assert(
    fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom('A', 'z', '.', '_', '0'), async (at, character) => {
      const changed = token.slice(0, at) + character + token.slice(at + 1);
      fc.pre(bytesOf(changed) !== bytesOf(token)); // base64url ignores some bits of the last character
      expect(roleOf(await signIn(changed, by))).toBe('invalid');
    }),
    { numRuns: 60 },
  );
});

test('rejects tokens signed by other keys, even if their header embeds or links the key', async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const forged = await issuer.token(withRoles('admin'), { key: { kid: 'RS256-0', alg: 'RS256', privateKey } });
  expect(await signIn(forged)).toEqual({ refused: 'invalid' });
  const own = await new SignJWT({ iss: issuer.url, aud: 'pdm', sub: 'berta', ...withRoles('admin') })
    .setExpirationTime('1h')
    .setProtectedHeader({ alg: 'RS256', kid: 'own', jwk: await exportJWK(publicKey), jku: `${issuer.url}/own` })
    .sign(privateKey);
  expect(await signIn(own)).toEqual({ refused: 'invalid' });
});

describe('keys', () => {
  test('stay valid while the issuer is unreachable, while unknown keys are rejected until it is back', async () => {
    const by = provider();
    const known = await issuer.token(withRoles('editor'));
    expect(roleOf(await signIn(known, by))).toBe('editor');
    const later = await issuer.createKey('ES256');
    await issuer.stop();
    for (const minutes of [1, 11, 60]) {
      now += minutes * 60_000;
      const usual = await issuer.token(withRoles('editor'), { at: now });
      expect(roleOf(await signIn(usual, by))).toBe('editor');
      expect(await signIn(await issuer.token({}, { key: later, at: now }), by)).toEqual({ refused: 'inactive' });
    }
    await issuer.start();
    now += 10_000;
    expect(roleOf(await signIn(await issuer.token(withRoles('admin'), { key: later, at: now }), by))).toBe('admin');
  });

  test('are required: without any key, every token is rejected', async () => {
    const by = provider();
    const token = await issuer.token(withRoles('admin'));
    await issuer.stop();
    expect(await signIn(token, by)).toEqual({ refused: 'inactive' });
    await issuer.start();
    expect(await signIn(token, by)).toEqual({ refused: 'inactive' });
    now += 10_000;
    expect(roleOf(await signIn(token, by))).toBe('admin');
  });

  test('are fetched for unknown key ids at most every ten seconds', async () => {
    const by = provider();
    await signIn(await issuer.token(), by);
    now += 10_000;
    const { privateKey } = await generateKeyPair('RS256');
    for (let i = 0; i < 20; i++) {
      const stray = await issuer.token({}, { key: { kid: `stray-${i}`, alg: 'RS256', privateKey }, at: now });
      expect(await signIn(stray, by)).toEqual({ refused: 'invalid' });
    }
    expect(issuer.reads()).toBe(2);
  });

  test('are used only if the configuration of the issuer names the same issuer', async () => {
    const by = createIdentityProvider(
      { issuer: `${issuer.url}/`, audience: 'pdm', roleClaim: null, autocreate: true },
      store.services.log,
      () => now,
    );
    expect(await signIn(await issuer.token({ iss: `${issuer.url}/` }), by)).toEqual({ refused: 'inactive' });
  });
});

test('authenticates tokens of this service without a request to the provider', async () => {
  const pdmToken = `pdm_${'a'.repeat(8)}_${'b'.repeat(38)}`;
  expect(await signIn(pdmToken)).toEqual({ refused: 'invalid' });
  expect(issuer.reads()).toBe(0);
  expect(await authenticate(store.services, `Bearer ${await issuer.token()}`, null)).toEqual({ refused: 'invalid' });
  expect(await authenticate(store.services, undefined, provider())).toEqual({ refused: 'missing' });
});

test('ends a session with the token that started it, and gives it the role of the token', async () => {
  const by = provider();
  const signedIn = await signIn(
    await issuer.token({ sub: 'session', ...withRoles('editor') }, { at: Date.now(), lasts: 600 }),
    by,
  );
  if (!('actor' in signedIn)) throw new Error(signedIn.refused);
  expect(Math.abs((signedIn.expiresAt?.getTime() ?? 0) - Date.now() - 600_000)).toBeLessThan(2_000);
  const secret = generateSessionSecret();
  const session = await inTransaction(store.services, { actor: signedIn.actor, requestId: 'r' }, startSession, {
    ...signedIn,
    secret,
    previousSecret: null,
  });
  expect(session).toMatchObject({ tokenId: null, role: 'editor', expiresAt: signedIn.expiresAt });
  const { id } = signedIn.actor;
  expect(await authenticateSession(store.services, secret)).toMatchObject({
    actor: { id, role: 'editor', via: 'session', tokenId: null },
  });
  const later = { ...store.services, clock: () => new Date((signedIn.expiresAt?.getTime() ?? 0) + 1) };
  expect(await authenticateSession(later, secret)).toEqual({ refused: 'inactive' });
  const late = { ...signedIn, secret: generateSessionSecret(), previousSecret: null };
  await expect(
    inTransaction(later, { actor: signedIn.actor, requestId: 'r' }, startSession, late),
  ).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  await inTransaction(store.services, serviceRequest('test'), updateUser, { id, disabled: true });
  expect(await authenticateSession(store.services, secret)).toEqual({ refused: 'inactive' });
});
