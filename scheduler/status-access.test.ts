import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createRoleLookup, createStatusAccess, type RoleLookup } from './status-access.ts';

const noRole: RoleLookup = async () => null;
const local = { remoteAddress: '127.0.0.1', headers: { host: '127.0.0.1:8081' } };

test('grants local requests access without a token', async () => {
  for (const request of [
    local,
    { ...local, headers: { host: 'localhost:8081' } },
    { remoteAddress: '::1', headers: { host: '[::1]:8081' } },
    { remoteAddress: '::ffff:127.0.0.1', headers: { host: '127.0.0.1' } },
  ])
    expect(await createStatusAccess(noRole)(request)).toBe(200);
});

test.each([
  ['from another machine', { remoteAddress: '10.0.0.7', headers: { host: '127.0.0.1:8081' } }],
  ['with a foreign Host header', { ...local, headers: { host: 'evil.example:8081' } }],
  ['through a proxy', { ...local, headers: { ...local.headers, 'x-forwarded-for': '10.0.0.7' } }],
  ['without a Host header', { ...local, headers: {} }],
])('returns 401 without a token %s', async (_case, request) => {
  expect(await createStatusAccess(noRole)(request)).toBe(401);
});

test.each([
  ['viewer', 200],
  ['editor', 200],
  ['admin', 200],
  ['worker', 403],
  [null, 401],
] as const)('returns the status for a token with role %s: %i, also for local requests', async (role, status) => {
  const checkAccess = createStatusAccess(async () => role);
  for (const remoteAddress of ['10.0.0.7', '127.0.0.1'])
    expect(await checkAccess({ remoteAddress, headers: { host: 'pdm.example', authorization: 'Bearer x' } })).toBe(
      status,
    );
});

test('keeps the access of known tokens while the API is unavailable, and returns 503 for others', async () => {
  vi.useFakeTimers();
  const roleOf = vi.fn<RoleLookup>(async () => 'viewer');
  const checkAccess = createStatusAccess(roleOf);
  const accessOf = (authorization: string) => checkAccess({ remoteAddress: '10.0.0.7', headers: { authorization } });
  expect([await accessOf('Bearer a'), await accessOf('Bearer a')]).toEqual([200, 200]);
  expect(roleOf).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(5_001);
  roleOf.mockRejectedValue(new Error('unavailable'));
  expect([await accessOf('Bearer a'), await accessOf('Bearer b')]).toEqual([200, 503]);
  roleOf.mockResolvedValue(null);
  expect(await accessOf('Bearer a')).toBe(401);
  vi.useRealTimers();
});

test('maps the status of GET /me: 401, 429 and other failures', async () => {
  const responses: Record<string, [number, object]> = {
    '/me viewer': [200, { role: 'viewer' }],
    '/me invalid': [401, {}],
    '/me throttled': [429, {}],
  };
  const server = createServer(({ url, headers }, response) => {
    const [status, body] = responses[`${url} ${headers.authorization}`] ?? [500, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const checkAccess = createStatusAccess(
    createRoleLookup(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
  const accessOf = (authorization: string) => checkAccess({ remoteAddress: '10.0.0.7', headers: { authorization } });
  expect([
    await accessOf('viewer'),
    await accessOf('invalid'),
    await accessOf('throttled'),
    await accessOf('other'),
  ]).toEqual([200, 401, 429, 503]);
  server.closeAllConnections();
  server.close();
});
