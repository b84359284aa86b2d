import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigError, readConfig, SETTINGS, unknownSettingWarnings } from '../subgraphs/core/platform/config.ts';
import { settingRows } from './settings-table.ts';

const operating = readFileSync(new URL('./operating.md', import.meta.url), 'utf8');

test('docs/operating.md lists every setting (update it with: node launch.mjs docs/settings-table.ts)', () => {
  const documented = operating.split('\n').filter((line) => /^\| `[A-Z_]{4,}`/.test(line));
  expect(documented).toEqual(settingRows());
});

test('reports all invalid settings in one error', () => {
  const invalid = () => readConfig({ PDM_PORT: 'x', PDM_LOG: 'loud', PDM_HOST: '0.0.0.0', PDM_ROLES: 'api' });
  expect(invalid).toThrow(ConfigError);
  for (const message of ['PDM_PORT must be', 'PDM_LOG must be', 'PDM_HOST is not', 'PDM_ROLES does not contain store'])
    expect(invalid).toThrow(message);
});

test('warns about unknown PDM_ variables with the most similar setting, without the value', () => {
  const environment = {
    PDM_DATA_DIRECTORY: '/secret',
    PDM_PROT: '1',
    PDM_PORT: '2',
    HOME: '/root',
    PDM_TEST_LOG: 'debug',
  };
  expect(unknownSettingWarnings(environment)).toEqual([
    'Unknown setting PDM_DATA_DIRECTORY is ignored. Did you mean PDM_DATA_DIR?',
    'Unknown setting PDM_PROT is ignored. Did you mean PDM_PORT?',
  ]);
});

test('runs all roles on loopback with the embedded store by default', () => {
  expect(readConfig({})).toMatchObject({
    PDM_HOST: '127.0.0.1',
    PDM_PORT: 8080,
    PDM_SCHEDULER_PORT: 8081,
    MONGODB_URL: null,
    PDM_ROLES: ['store', 'api', 'sweeps', 'scheduler'],
  });
});

test('treats an empty setting as unset', () => {
  expect(readConfig(Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, ''])))).toEqual(readConfig({}));
});

test('requires issuer and audience of an identity provider together, and https except on loopback', () => {
  const valid = { OIDC_ISSUER: 'https://id.example', OIDC_AUDIENCE: 'pdm' };
  expect(readConfig(valid)).toMatchObject({ ...valid, OIDC_ROLE_CLAIM: null, OIDC_AUTOCREATE: false });
  expect(readConfig({ ...valid, OIDC_ISSUER: 'http://127.0.0.1:9000' })).toMatchObject({
    OIDC_ISSUER: 'http://127.0.0.1:9000',
  });
  for (const incomplete of [{ OIDC_ISSUER: valid.OIDC_ISSUER }, { OIDC_AUDIENCE: 'pdm' }])
    expect(() => readConfig(incomplete)).toThrow('must be set together');
  for (const OIDC_ISSUER of ['http://id.example', 'id.example', 'file:///etc'])
    expect(() => readConfig({ ...valid, OIDC_ISSUER })).toThrow('OIDC_ISSUER');
});

test('accepts addresses and networks as trusted proxies', () => {
  expect(readConfig({ PDM_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).PDM_TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1']);
  for (const PDM_TRUSTED_PROXIES of ['proxy', '10.0.0.0/33', '10.0.0.0/', '300.1.1.1', 'true'])
    expect(() => readConfig({ PDM_TRUSTED_PROXIES })).toThrow('PDM_TRUSTED_PROXIES');
});
