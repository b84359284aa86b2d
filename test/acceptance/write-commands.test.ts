// How many store commands writes take, including everything that they trigger.
import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { notRun } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const MAX_ISOLATED = 12;
const MAX_OF_MANY = 5;
const CLIENTS = 32;
const WRITES_OF_EACH = 10;

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm({ monitorCommands: true });
});
afterAll(() => pdm.close());

/** Returns the commands that were sent until the work ended and its audit records were sealed, without periodic ones. */
async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { mongo, dispatch } = pdm.services;
  const commands: string[] = [];
  const note = ({ commandName, command }: CommandStartedEvent) => {
    const isPeriodic =
      ['hello', 'ping', 'endSessions'].includes(commandName) ||
      command.filter?.status === 'running' || // the sweep of expired leases
      ['webhooks', 'eventCursors'].includes(command[commandName]) ||
      (command.find === 'auditTree' && command.projection !== undefined); // the look for webhooks
    if (!isPeriodic) commands.push(`${commandName} ${command[commandName]}`);
  };
  await allSealed();
  mongo.client.on('commandStarted', note);
  const sealed = dispatch.waitFor(['sealed'], 10_000);
  await work();
  expect(await sealed).toBe(true);
  mongo.client.off('commandStarted', note);
  return commands;
}

async function allSealed(): Promise<void> {
  const pending = pdm.services.mongo.db.collection('auditPending');
  await expect.poll(() => pending.estimatedDocumentCount(), { timeout: 10_000 }).toBe(0);
}

async function done(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer;
  expect(status).toBeLessThan(300);
  return body;
}

let unique = 0;
type Own = { document: string; workspace: string; version: string; folder: string };

async function createOwn(): Promise<Own> {
  const name = `Own ${unique++}`;
  const { id, workspaces } = await done(pdm.editor.post('/documents', { name, kind: 'model' }));
  const folder = (await done(pdm.editor.post('/folders', { name }))).id;
  const version = (await done(pdm.editor.post(`/workspaces/${workspaces[0].id}/versions`, {}))).id;
  return { document: id, workspace: workspaces[0].id, version, folder };
}

const WRITES: Record<string, (own: Own) => Promise<Answer>> = {
  'PATCH of a document': ({ document }) => pdm.editor.patch(`/documents/${document}`, { name: `Part ${unique++}` }),
  'POST /documents': () => pdm.editor.post('/documents', { name: 'Part', kind: 'model' }),
  'POST /documents in a folder': ({ folder }) =>
    pdm.editor.post('/documents', { name: 'Part', kind: 'model', folderId: folder }),
  'POST of a version': ({ workspace }) => pdm.editor.post(`/workspaces/${workspace}/versions`, {}),
  'POST /folders': ({ folder }) => pdm.editor.post('/folders', { name: `Folder ${unique++}`, parentId: folder }),
};
const ISOLATED: typeof WRITES = {
  ...WRITES,
  'PATCH of a folder': ({ folder }) => pdm.editor.patch(`/folders/${folder}`, { name: `Folder ${unique++}` }),
  'check-out': ({ workspace }) => pdm.editor.post(`/workspaces/${workspace}/checkout`, {}),
  'check-in': ({ workspace }) => pdm.editor.post(`/workspaces/${workspace}/checkin`, {}),
  'POST of a workspace': ({ document, version }) =>
    pdm.editor.post(`/documents/${document}/workspaces`, { name: `Branch ${unique++}`, fromVersionId: version }),
  release: ({ version }) => pdm.editor.post(`/versions/${version}/release`, {}),
  'POST /users': () => pdm.admin.post('/users', { name: `User ${unique++}`, role: 'viewer' }),
};

describe('a single write takes at most 12 store commands', () => {
  test.for(Object.entries(ISOLATED))('%s', async ([title, write], { skip }) => {
    skip(!pdm.services.mongo.supportsClientBulkWrite, notRun('client bulk writes'));
    const own = await createOwn();
    if (title === 'check-in') await done(ISOLATED['check-out']!(own));
    // The service has the credentials in memory.
    await Promise.all([pdm.admin.get('/me'), pdm.editor.get('/me')]);
    const commands = await commandsOf(() => done(write(own)));
    expect(commands.length, commands.join(', ')).toBeLessThanOrEqual(MAX_ISOLATED);
  });
});

describe('writes of 32 clients take at most 5 store commands each', () => {
  test.for(Object.entries(WRITES))('%s', async ([, write], { skip }) => {
    skip(!pdm.services.mongo.supportsClientBulkWrite, notRun('client bulk writes'));
    const owns = await Promise.all(Array.from({ length: CLIENTS }, createOwn));
    const client = async (own: Own) => {
      for (let n = 0; n < WRITES_OF_EACH; n++) await done(write(own));
    };
    const commands = await commandsOf(() => Promise.all(owns.map(client)));
    expect(commands.length / (CLIENTS * WRITES_OF_EACH)).toBeLessThanOrEqual(MAX_OF_MANY);
  });
});
