import { expect, test } from 'vitest';
import {
  assertOwnPage,
  readCredentials,
  readSessionSecret,
  type SessionRequest,
  type SessionSettings,
  sessionCookie,
} from './session-cookie.ts';

type RequestParts = Omit<Partial<SessionRequest>, 'headers'> & SessionRequest['headers'];
const DIRECT: SessionSettings = { PDM_PUBLIC_URL: null, PDM_ALLOW_PLAIN_HTTP: false };
const PROXIED: SessionSettings = { PDM_PUBLIC_URL: 'https://pdm.example', PDM_ALLOW_PLAIN_HTTP: false };

function createRequest({
  method = 'GET',
  protocol = 'http',
  host = '127.0.0.1:8080',
  ip = '192.0.2.1',
  ...headers
}: RequestParts = {}): SessionRequest {
  return {
    method,
    protocol,
    host,
    hostname: host.replace(/:\d+$/, ''),
    ip,
    headers: headers as SessionRequest['headers'],
  };
}
const cookieFor = (parts: RequestParts, settings = DIRECT) => sessionCookie(createRequest(parts), settings, 'x', 60);
const SECURE = '__Host-pdm=x; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure';
const PLAIN = 'pdm=x; Path=/; Max-Age=60; HttpOnly; SameSite=Strict';

test.each([
  ['https, or a trusted proxy that reports it', { protocol: 'https', host: 'pdm.example' } as const, DIRECT, SECURE],
  ['a proxy that passes the public host name', { host: 'pdm.example' }, PROXIED, SECURE],
  ['loopback', {}, DIRECT, PLAIN],
  ['localhost', { host: 'localhost:8080' }, DIRECT, PLAIN],
  ['IPv6 loopback', { host: '[::1]:8080' }, PROXIED, PLAIN],
  ['plain HTTP where it is allowed', { host: '10.0.0.7:8080' }, { ...DIRECT, PDM_ALLOW_PLAIN_HTTP: true }, PLAIN],
])('sets the cookie for %s', (_case, parts, settings, cookie) => {
  expect(cookieFor(parts, settings)).toBe(cookie);
});

test('rejects a session over plain HTTP from another machine unless it is allowed', () => {
  const refused = expect.objectContaining({ code: 'validation_failed', message: expect.stringContaining('https') });
  expect(() => cookieFor({ host: 'pdm.example' }, { ...DIRECT, PDM_PUBLIC_URL: 'http://pdm.example' })).toThrow(
    refused,
  );
  expect(() => cookieFor({ host: 'other.example' }, PROXIED)).toThrow(refused);
});

test('finds the session among other cookies, under the name that fits the connection', () => {
  const secret = (cookie: string | undefined, parts: RequestParts = {}, settings = DIRECT) =>
    readSessionSecret(createRequest({ ...parts, cookie }), settings);
  expect(secret('a=b; pdm=s3cret; __Host-pdm=other')).toBe('s3cret');
  expect(secret('a=b;__Host-pdm=s3cret;pdm=other', { host: 'pdm.example' }, PROXIED)).toBe('s3cret');
  for (const cookie of [undefined, '', 'xpdm=1', 'a=pdm=1', 'pdm=', '__Host-pdm=1', 'pdm'])
    expect([cookie, secret(cookie)]).toEqual([cookie, null]);
});

test('accepts the public origin behind a proxy', () => {
  const own = (origin: string) => () =>
    assertOwnPage(createRequest({ host: 'pdm.example', origin, 'x-pdm-csrf': '1' }), PROXIED);
  expect(own('https://pdm.example')).not.toThrow();
  for (const origin of ['http://pdm.example', 'https://pdm.example:8443', 'https://pdm.example.evil', 'null'])
    expect(own(origin)).toThrow();
});

test('prefers Sec-Fetch-Site over Origin', () => {
  const origin = 'http://127.0.0.1:8080';
  expect(() => assertOwnPage(createRequest({ origin, 'x-pdm-csrf': '1' }), DIRECT)).not.toThrow();
  expect(() =>
    assertOwnPage(createRequest({ origin, 'x-pdm-csrf': '1', 'sec-fetch-site': 'cross-site' }), DIRECT),
  ).toThrow();
});

test('applies no cross-site check to requests without a session', () => {
  expect(readCredentials(createRequest({ method: 'POST', 'sec-fetch-site': 'cross-site' }), DIRECT)).toEqual({
    ip: '192.0.2.1',
  });
  const authorization = 'Bearer pdm_x';
  const both = createRequest({ method: 'POST', 'sec-fetch-site': 'cross-site', authorization, cookie: 'pdm=x' });
  expect(readCredentials(both, DIRECT, { isQuery: true })).toEqual({ authorization, ip: '192.0.2.1' });
});
