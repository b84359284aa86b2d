// Whether a process is the only one that writes.
import { expect, test } from 'vitest';
import { readConfig } from '../subgraphs/core/platform/config.ts';
import { isOnlyWriter } from './start-service.ts';

const isOnly = (settings: Record<string, string>) => isOnlyWriter(readConfig(settings));

test('is the only writer with the embedded store, the API and all subgraphs', () => {
  expect(isOnly({})).toBe(true);
  expect(isOnly({ PDM_ROLES: 'store,api,sweeps' })).toBe(true);
});

test('is not the only writer without the API, with a server at MONGODB_URL or with subgraphs elsewhere', () => {
  expect(isOnly({ PDM_ROLES: 'store,sweeps' })).toBe(false);
  expect(isOnly({ MONGODB_URL: 'mongodb://db.example' })).toBe(false);
  expect(isOnly({ PDM_SUBGRAPHS: 'documents=http://documents:4001/graphql' })).toBe(false);
});
