import { expect, test } from 'vitest';
import {
  type Asking,
  credentialsOf,
  needOwnPage,
  type Settings,
  sessionSecretOf,
  setCookie,
} from './session-cookie.ts';

type Given = Omit<Partial<Asking>, 'headers'> & Asking['headers'];
const DIRECT: Settings = { PDM_PUBLIC_URL: null, PDM_ALLOW_PLAIN_HTTP: false };
const BEHIND: Settings = { PDM_PUBLIC_URL: 'https://pdm.example', PDM_ALLOW_PLAIN_HTTP: false };

function asking({
  method = 'GET',
  protocol = 'http',
  host = '127.0.0.1:8080',
  ip = '192.0.2.1',
  ...headers
}: Given = {}): Asking {
  return { method, protocol, host, hostname: host.replace(/:\d+$/, ''), ip, headers: headers as Asking['headers'] };
}
const kept = (given: Given, settings = DIRECT) => setCookie(asking(given), settings, 'x', 60);
const SECURE = '__Host-pdm=x; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure';
const PLAIN = 'pdm=x; Path=/; Max-Age=60; HttpOnly; SameSite=Strict';

test.each([
  ['https, or a trusted proxy that says so', { protocol: 'https', host: 'pdm.example' } as const, DIRECT, SECURE],
  ['a proxy that passes the name of the service', { host: 'pdm.example' }, BEHIND, SECURE],
  ['the machine itself', {}, DIRECT, PLAIN],
  ['the machine itself, by its other names', { host: 'localhost:8080' }, DIRECT, PLAIN],
  ['the machine itself, by its address in IPv6', { host: '[::1]:8080' }, BEHIND, PLAIN],
  ['plain HTTP where that is wanted', { host: '10.0.0.7:8080' }, { ...DIRECT, PDM_ALLOW_PLAIN_HTTP: true }, PLAIN],
])('the cookie is for https alone, but for %s', (_where, given, settings, cookie) => {
  expect(kept(given, settings)).toBe(cookie);
});

test('over plain HTTP from another machine there is no session, unless that is wanted', () => {
  const refused = expect.objectContaining({ code: 'validation_failed', message: expect.stringContaining('https') });
  expect(() => kept({ host: 'pdm.example' }, { ...DIRECT, PDM_PUBLIC_URL: 'http://pdm.example' })).toThrow(refused);
  expect(() => kept({ host: 'other.example' }, BEHIND)).toThrow(refused);
});

test('the session is found among other cookies, under the one name that is right there', () => {
  const secret = (cookie: string | undefined, given: Given = {}, settings = DIRECT) =>
    sessionSecretOf(asking({ ...given, cookie }), settings);
  expect(secret('a=b; pdm=s3cret; __Host-pdm=other')).toBe('s3cret');
  expect(secret('a=b;__Host-pdm=s3cret;pdm=other', { host: 'pdm.example' }, BEHIND)).toBe('s3cret');
  for (const cookie of [undefined, '', 'xpdm=1', 'a=pdm=1', 'pdm=', '__Host-pdm=1', 'pdm'])
    expect([cookie, secret(cookie)]).toEqual([cookie, null]);
});

test('behind a proxy the own origin is the one that people see', () => {
  const own = (origin: string) => () => needOwnPage(asking({ host: 'pdm.example', origin, 'x-pdm-csrf': '1' }), BEHIND);
  expect(own('https://pdm.example')).not.toThrow();
  for (const origin of ['http://pdm.example', 'https://pdm.example:8443', 'https://pdm.example.evil', 'null'])
    expect(own(origin)).toThrow();
});

test('what the browser says of the site counts, whatever the origin says', () => {
  const origin = 'http://127.0.0.1:8080';
  expect(() => needOwnPage(asking({ origin, 'x-pdm-csrf': '1' }), DIRECT)).not.toThrow();
  expect(() => needOwnPage(asking({ origin, 'x-pdm-csrf': '1', 'sec-fetch-site': 'cross-site' }), DIRECT)).toThrow();
});

test('without a cookie nothing is asked of a request, and it shows nobody', () => {
  expect(credentialsOf(asking({ method: 'POST', 'sec-fetch-site': 'cross-site' }), DIRECT)).toEqual({
    ip: '192.0.2.1',
  });
  const authorization = 'Bearer pdm_x';
  const both = asking({ method: 'POST', 'sec-fetch-site': 'cross-site', authorization, cookie: 'pdm=x' });
  expect(credentialsOf(both, DIRECT, { isQuery: true })).toEqual({ authorization, ip: '192.0.2.1' });
});
