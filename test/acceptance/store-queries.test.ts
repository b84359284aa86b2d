import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf, assemblies } from '../support/assemblies.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { storeCommands } from '../support/store-commands.ts';

let pdm: Pdm;
beforeAll(async () => {
  // without the sweeper, whose queries would be counted too
  pdm = await startPdm({ monitorCommands: true, settings: { PDM_ROLES: 'store,api' } });
});
afterAll(() => pdm.close());

const commandsOf = storeCommands(() => pdm);

async function documentWith(versions: number): Promise<string> {
  const { id } = (await pdm.editor.post('/documents', { name: `With ${versions} versions`, kind: 'model' })).body;
  const [workspace] = (await pdm.editor.get(`/documents/${id}`)).body.workspaces;
  for (let n = 1; n <= versions; n++)
    expect((await pdm.editor.post(`/workspaces/${workspace.id}/versions`, {})).status).toBe(201);
  return id;
}

test('reads a document with 50 versions with as many store queries as one with 2', async () => {
  const [few, many] = [await documentWith(2), await documentWith(50)];
  const read = (id: string) => () => pdm.viewer.get(`/documents/${id}`);
  expect((await read(many)()).body.versions.map(({ n }: { n: number }) => n)).toEqual(
    Array.from({ length: 50 }, (_, i) => 50 - i),
  );
  const expected = await commandsOf(read(few));
  expect(await commandsOf(read(many))).toEqual(expected);
  expect(expected.length).toBeLessThanOrEqual(8);
});

test('reads a list of 30 documents with as many store queries as one of 3', async () => {
  for (let i = 0; i < 30; i++) await pdm.editor.post('/documents', { name: `Part ${i}`, kind: 'model' });
  const list = (limit: number) => () => pdm.viewer.get(`/documents?limit=${limit}`);
  expect((await commandsOf(list(30))).length).toBe((await commandsOf(list(3))).length);
});

test('reads each kind of record of a version graph in GraphQL with one query', async () => {
  const id = await documentWith(12);
  const query =
    'query ($id: ID!) { document(id: $id) { name versions { n name workspace { name } artifacts { kind } createdBy { name } newestJob { status } } } }';
  const commands = await commandsOf(() => pdm.viewer.graphql(query, { id }));
  expect(commands.length).toBeLessThanOrEqual(6);
});

test('reads 12 users and updates with as many store queries as 3', async () => {
  const make = assemblies(pdm.editor);
  const parts = await Promise.all(Array.from({ length: 12 }, () => make.part()));
  const [few, many] = [await make.draft([]), await make.draft([])];
  for (const part of parts) await make.draft(part === parts[0] ? [[part]] : [[part], [parts[0]!]]);
  await make.use(
    few,
    parts.slice(0, 3).map((part) => [addressOf(part, '@v1')] as const),
  );
  await make.use(
    many,
    parts.map((part) => [addressOf(part, '@v1')] as const),
  );
  const users = (limit: number) => () => pdm.viewer.get(`/documents/${parts[0]!.id}/where-used?limit=${limit}`);
  expect((await users(12)()).body.items.length).toBe(12);
  expect(await commandsOf(users(12))).toEqual(await commandsOf(users(3)));
  const updates = (id: string) => () => pdm.viewer.get(`/versions/${id}/reference-updates`);
  expect((await updates(many.draftId)()).body.items.length).toBe(12);
  expect(await commandsOf(updates(many.draftId))).toEqual(await commandsOf(updates(few.draftId)));
});

test('replaces a document in each draft with one transaction and a constant number of store commands', async () => {
  const make = assemblies(pdm.editor);
  const [one, many, fresh] = [await make.part(), await make.part(), await make.part()];
  await make.draft([[one, 2]]);
  for (let quantity = 1; quantity <= 4; quantity++) await make.draft([[many, quantity]]);
  const replace = (of: { id: string }) => async () => {
    const answer = await pdm.editor.post(`/documents/${of.id}/replace-in-drafts`, { with: fresh.id });
    expect(answer.body.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(
      Array(of === one ? 1 : 4).fill('replaced'),
    );
    return answer;
  };
  const outside: string[] = [];
  const note = ({ commandName, command }: CommandStartedEvent) => {
    if (/^(insert|update|delete|findAndModify|bulkWrite)$/.test(commandName) && command.autocommit !== false)
      outside.push(`${commandName} ${command[commandName]}`);
  };
  const { client } = pdm.services.mongo;
  client.on('commandStarted', note);
  const [forOne, forMany] = [await commandsOf(replace(one)), await commandsOf(replace(many))];
  client.off('commandStarted', note);
  expect(outside.filter((command) => !/tokens|users|audit/.test(command))).toEqual([]);
  expect((forMany.length - forOne.length) / 3).toBeLessThanOrEqual(48);
});
