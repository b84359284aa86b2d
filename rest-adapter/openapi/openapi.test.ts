import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROUTES } from '../routes.ts';
import { SCHEMA } from '../testing/rest-app.ts';
import { openApi } from './openapi.ts';
import { breakingChanges } from './openapi-breaks.ts';

const description = openApi(ROUTES, SCHEMA, '1');
type Operation = {
  operationId: string;
  parameters?: { name: string; in: string }[];
  responses: Record<string, unknown>;
};
const paths = Object.entries(description.paths as Record<string, Record<string, Operation>>);
const operations = paths.flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('matches the recorded description, because a change of it changes the public API', async () => {
  const former = JSON.parse(readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8'));
  // before it is compared, so that -u cannot record a breaking change, unless PDM_ALLOW_BREAKING=1 is set
  if (process.env.PDM_ALLOW_BREAKING !== '1') expect(breakingChanges(former, description)).toEqual([]);
  await expect(`${JSON.stringify(description, null, 2)}\n`).toMatchFileSnapshot('../generated/openapi.json');
});

test('resolves every reference to a component, and uses every component', () => {
  const text = JSON.stringify(description);
  const used = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
  const { schemas } = description.components as { schemas: Record<string, object> };
  expect(Object.keys(schemas).sort()).toEqual([...used].sort());
  expect(Object.values(schemas).every((schema) => Object.keys(schema).length > 0)).toBe(true);
});

test('has a unique id and the path parameters for every operation', () => {
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  for (const { path, operation } of operations) {
    const named = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  }
});
