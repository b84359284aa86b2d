import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigError, readConfig, SETTINGS } from '../subgraphs/core/config.ts';
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
  for (const name of ['PDM_PORT is "x"', 'PDM_LOG is "loud"', 'PDM_HOST', 'PDM_ROLES leaves out the store']) expect(faulty).toThrow(name);
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
