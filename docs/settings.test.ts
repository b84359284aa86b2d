import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigError, readConfig, SETTINGS, unknownSettings } from '../subgraphs/core/platform/config.ts';
import { settingRows } from './settings-table.ts';

const operating = readFileSync(new URL('./operating.md', import.meta.url), 'utf8');

test('docs/operating.md documents every setting, and no other', () => {
  const documented = operating
    .split('\n')
    .filter((line) => /^\| `[A-Z_]{4,}`/.test(line))
    .map((line) => line.replace(/ +/g, ' '));
  expect(documented).toEqual(settingRows());
});

test('all faults of the settings are told at once, each with its name', () => {
  const faulty = () => readConfig({ PDM_PORT: 'x', PDM_LOG: 'loud', PDM_HOST: '0.0.0.0', PDM_ROLES: 'api' });
  expect(faulty).toThrow(ConfigError);
  for (const name of ['PDM_PORT is "x"', 'PDM_LOG is "loud"', 'PDM_HOST', 'PDM_ROLES leaves out the store'])
    expect(faulty).toThrow(name);
});

test('a variable that is nearly a setting is told, with the one it may have been meant for and without its value', () => {
  expect(
    unknownSettings({
      PDM_DATA_DIRECTORY: '/secret',
      PDM_PROT: '1',
      PDM_PORT: '2',
      HOME: '/root',
      PDM_TEST_LOG: 'debug',
    }),
  ).toEqual([
    'PDM_DATA_DIRECTORY is no setting and is ignored. Did you mean PDM_DATA_DIR?',
    'PDM_PROT is no setting and is ignored. Did you mean PDM_PORT?',
  ]);
});

test('without settings everything runs here, on loopback, on the embedded store', () => {
  expect(readConfig({})).toMatchObject({
    PDM_HOST: '127.0.0.1',
    PDM_PORT: 8080,
    PDM_SCHEDULER_PORT: 8081,
    MONGODB_URL: null,
    PDM_ROLES: ['store', 'api', 'sweeps', 'scheduler'],
  });
});

test('an empty setting is an absent one', () => {
  expect(readConfig(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ''])))).toEqual(readConfig({}));
});

test('an identity provider needs issuer and audience, and an address that nobody can listen in on', () => {
  const good = { OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'pdm' };
  expect(readConfig(good)).toMatchObject({ ...good, OIDC_ROLE_CLAIM: null, OIDC_AUTOCREATE: true });
  expect(readConfig({ ...good, OIDC_ISSUER: 'http://127.0.0.1:9000' })).toMatchObject({
    OIDC_ISSUER: 'http://127.0.0.1:9000',
  });
  for (const faulty of [{ OIDC_ISSUER: good.OIDC_ISSUER }, { OIDC_AUDIENCE: 'pdm' }])
    expect(() => readConfig(faulty)).toThrow('belong together');
  for (const OIDC_ISSUER of ['http://id.example', 'id.example', 'file:///etc'])
    expect(() => readConfig({ ...good, OIDC_ISSUER })).toThrow('OIDC_ISSUER');
});

test('trusted proxies are addresses and networks', () => {
  expect(readConfig({ PDM_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).PDM_TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1']);
  for (const PDM_TRUSTED_PROXIES of ['proxy', '10.0.0.0/33', '10.0.0.0/', '300.1.1.1', 'true'])
    expect(() => readConfig({ PDM_TRUSTED_PROXIES })).toThrow('PDM_TRUSTED_PROXIES');
});
