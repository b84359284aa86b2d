import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { askApi, type RoleOf, statusAccess } from './status-access.ts';

const nobody: RoleOf = async () => null;
const here = { remoteAddress: '127.0.0.1', headers: { host: '127.0.0.1:8081' } };

test('whoever asks on this machine needs no token', async () => {
  for (const asking of [
    here,
    { ...here, headers: { host: 'localhost:8081' } },
    { remoteAddress: '::1', headers: { host: '[::1]:8081' } },
    { remoteAddress: '::ffff:127.0.0.1', headers: { host: '127.0.0.1' } },
  ])
    expect(await statusAccess(nobody)(asking)).toBe(200);
});

test.each([
  ['from another machine', { remoteAddress: '10.0.0.7', headers: { host: '127.0.0.1:8081' } }],
  ['under a name that leads here', { ...here, headers: { host: 'evil.example:8081' } }],
  ['through a proxy', { ...here, headers: { ...here.headers, 'x-forwarded-for': '10.0.0.7' } }],
  ['without a name', { ...here, headers: {} }],
])('without a token nobody is let in %s', async (_how, asking) => {
  expect(await statusAccess(nobody)(asking)).toBe(401);
});

test.each([
  ['viewer', 200],
  ['editor', 200],
  ['admin', 200],
  ['worker', 403],
  [null, 401],
] as const)('a token of the role %s is answered %i, also on this machine', async (role, status) => {
  const admit = statusAccess(async () => role);
  for (const remoteAddress of ['10.0.0.7', '127.0.0.1'])
    expect(await admit({ remoteAddress, headers: { host: 'pdm.example', authorization: 'Bearer x' } })).toBe(status);
});

test('while the API is away, who was let in before is let in, and nobody else', async () => {
  vi.useFakeTimers();
  const roleOf = vi.fn<RoleOf>(async () => 'viewer');
  const admit = statusAccess(roleOf);
  const by = (authorization: string) => admit({ remoteAddress: '10.0.0.7', headers: { authorization } });
  expect([await by('Bearer a'), await by('Bearer a')]).toEqual([200, 200]);
  expect(roleOf).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(5_001);
  roleOf.mockRejectedValue(new Error('away'));
  expect([await by('Bearer a'), await by('Bearer b')]).toEqual([200, 503]);
  roleOf.mockResolvedValue(null);
  expect(await by('Bearer a')).toBe(401);
  vi.useRealTimers();
});

test('the API is asked whose token it is: none, too many wrong ones, and no answer are told apart', async () => {
  const answers: Record<string, [number, object]> = {
    '/me viewer': [200, { role: 'viewer' }],
    '/me wrong': [401, {}],
    '/me again': [429, {}],
  };
  const server = createServer(({ url, headers }, response) => {
    const [status, body] = answers[`${url} ${headers.authorization}`] ?? [500, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const admit = statusAccess(askApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  const by = (authorization: string) => admit({ remoteAddress: '10.0.0.7', headers: { authorization } });
  expect([await by('viewer'), await by('wrong'), await by('again'), await by('other')]).toEqual([200, 401, 429, 503]);
  server.closeAllConnections();
  server.close();
});
