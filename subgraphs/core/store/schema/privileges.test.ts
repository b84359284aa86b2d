import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestStore, testStore } from '../../../../test/support/store.ts';
import { grantPrivileges } from '../database-users.ts';
import { DATABASE_USERS, privilegesOf, WRITES } from './privileges.ts';

let store: TestStore;
beforeAll(async () => {
  store = await testStore();
});
afterAll(() => store.close());

test('lists every collection of a store', async () => {
  const present = await store.services.mongo.db.listCollections({}, { nameOnly: true }).toArray();
  expect(Object.keys(WRITES).sort()).toEqual(present.map(({ name }) => name).sort());
});

test('lets no user change or remove records of the audit log, and only the sweeps seal it', () => {
  const writesTo = (collection: string) =>
    DATABASE_USERS.map((user) => [
      user,
      ...privilegesOf(user, 'pdm').flatMap(({ resource, actions }) =>
        resource.collection === collection ? actions : [],
      ),
    ]);
  expect(writesTo('audit')).toEqual(DATABASE_USERS.map((user) => [user, 'insert']));
  for (const collection of ['auditSeals', 'auditCheckpoints'])
    expect(writesTo(collection)).toEqual([['api'], ['subgraphs'], ['sweeps', 'insert']]);
});

test('grants nothing but reads and writes of records: no indexes, collections or users', () => {
  const actions = DATABASE_USERS.flatMap((user) => privilegesOf(user, 'pdm').flatMap((privilege) => privilege.actions));
  expect([...new Set(actions)].sort()).toEqual([
    'find',
    'insert',
    'listCollections',
    'listIndexes',
    'remove',
    'update',
  ]);
});

test('creates a user with its role, and updates both when they exist', async () => {
  const commands: string[] = [];
  let exists = false;
  const db = {
    databaseName: 'pdm',
    command: async (command: object) => {
      const [name = ''] = Object.keys(command);
      if (/Info$/.test(name)) return { roles: exists ? [{}] : [], users: exists ? [{}] : [] };
      commands.push(JSON.stringify(command).replace(/"privileges":\[.*?\]\}\],/, ''));
      return {};
    },
  };
  const grant = () => grantPrivileges(db, 'sweeps', { name: 'pdm-sweeps', password: 'secret' });
  await grant();
  exists = true;
  await grant();
  const user = '"pdm-sweeps","pwd":"secret","roles":[{"role":"pdm-sweeps","db":"pdm"}]}';
  expect(commands).toEqual([
    '{"createRole":"pdm-sweeps","roles":[]}',
    `{"createUser":${user}`,
    '{"updateRole":"pdm-sweeps","roles":[]}',
    `{"updateUser":${user}`,
  ]);
});
