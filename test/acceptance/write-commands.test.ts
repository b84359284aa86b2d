// How many store commands writes take, including everything that they trigger: sealing, and with consumers the delivery
// to a webhook, to an event stream and to NATS. What a service also sends when it is idle is not counted, but only as
// often as it does then.
import type { CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DeliveryRecord } from '../../subgraphs/core/store/schema/collections.ts';
import type { Answer } from '../support/client.ts';
import { type Followed, follow } from '../support/event-stream.ts';
import { type TestNats, testNats } from '../support/nats-server.ts';
import { needs, notRun } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { type Receiver, receiver } from '../support/receiver.ts';

const MAX_ISOLATED = 12;
/** A delivery is stored before and after its attempt. A new version also reads the views of its draft. */
const MAX_WITH_CONSUMERS = 14;
const MAX_OF_MANY = 5;
const CLIENTS = 32;
/** So that what each write sends is distinguished from what happens to be sent during one. */
const REPETITIONS = 3;
const WRITES_OF_EACH = 10;

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm({ monitorCommands: true });
});
afterAll(() => pdm.close());

/** Returns the commands that were sent until the work ended, without periodic ones. */
async function commandsOf(work: () => Promise<unknown>, on = pdm): Promise<string[]> {
  const { client } = on.services.mongo;
  const commands: string[] = [];
  const isPeriodic = createPeriodicFilter();
  const note = ({ commandName, command }: CommandStartedEvent) => {
    if (!isPeriodic(commandName, command)) commands.push(`${commandName} ${command[commandName]}`);
  };
  await allSealed(on);
  // The service has the credentials in memory.
  await Promise.all([on.admin.get('/me'), on.editor.get('/me')]);
  client.on('commandStarted', note);
  await work();
  client.off('commandStarted', note);
  return commands;
}

/** Waits until the audit records of a write are sealed. */
async function sealed(work: () => Promise<unknown>, on = pdm): Promise<void> {
  const sealing = on.services.dispatch.waitFor(['sealed'], 10_000);
  await work();
  expect(await sealing).toBe(true);
}

/** Returns the mean number of commands of a write that is repeated alone, and the commands. */
async function meanCommands(write: () => Promise<void>, on = pdm): Promise<[number, string]> {
  const commands = await commandsOf(async () => {
    for (let n = 0; n < REPETITIONS; n++) await write();
  }, on);
  return [Math.round(commands.length / REPETITIONS), commands.join(', ')];
}

/** Returns a function that decides whether a command is one of those that an idle service sends, too. */
function createPeriodicFilter(): (name: string, command: CommandStartedEvent['command']) => boolean {
  const startedAt = performance.now();
  const counts = new Map<string, number>();
  return (name, command) => {
    if (['hello', 'ping', 'endSessions'].includes(name)) return true;
    const [what, everyMs] = periodicCommand(command) ?? [];
    if (what === undefined || everyMs === undefined) return false;
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    return count <= 1 + Math.floor((performance.now() - startedAt) / everyMs);
  };
}

/** What a command that is sent periodically is for, and how often that is, in ms. */
function periodicCommand(command: CommandStartedEvent['command']): [what: string, everyMs: number] | null {
  const { filter, projection, updates } = command;
  if (command.find === 'jobs' && filter.status === 'running') return ['expired leases', 1_000];
  if (command.find === 'webhooks') return ['webhooks', 5_000];
  if (command.find === 'webhookDeliveries' && filter.status === 'waiting') return [`due, ${filter.forced}`, 5_000];
  if (command.insert === 'auditCheckpoints') return ['checkpoints', 1_000];
  if (command.find === 'auditPending' && projection !== undefined) return ['records of other processes', 1_000];
  if (command.find === 'auditTree' && projection !== undefined) return ['end of the log', 60_000];
  const isRenewal = command.update === 'eventCursors' && updates[0].u.$set.holder === undefined;
  return isRenewal ? [`position of ${updates[0].q._id.$eq}`, 5_000] : null;
}

async function allSealed(on: Pdm): Promise<void> {
  const pending = on.services.mongo.db.collection('auditPending');
  await expect.poll(() => pending.estimatedDocumentCount(), { timeout: 10_000 }).toBe(0);
}

async function done(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer;
  expect(status).toBeLessThan(300);
  return body;
}

let unique = 0;
type Own = { document: string; workspace: string; version: string; folder: string };

async function createOwn(on: Pdm): Promise<Own> {
  const name = `Own ${unique++}`;
  const { id, workspaces } = await done(on.editor.post('/documents', { name, kind: 'model' }));
  const folder = (await done(on.editor.post('/folders', { name }))).id;
  const version = (await done(on.editor.post(`/workspaces/${workspaces[0].id}/versions`, {}))).id;
  return { document: id, workspace: workspaces[0].id, version, folder };
}

const WRITES: Record<string, (own: Own, on: Pdm) => Promise<Answer>> = {
  'PATCH of a document': ({ document }, on) => on.editor.patch(`/documents/${document}`, { name: `Part ${unique++}` }),
  'POST /documents': (_own, on) => on.editor.post('/documents', { name: 'Part', kind: 'model' }),
  'POST /documents in a folder': ({ folder }, on) =>
    on.editor.post('/documents', { name: 'Part', kind: 'model', folderId: folder }),
  'POST of a version': ({ workspace }, on) => on.editor.post(`/workspaces/${workspace}/versions`, {}),
  'POST /folders': ({ folder }, on) => on.editor.post('/folders', { name: `Folder ${unique++}`, parentId: folder }),
};
const ISOLATED: typeof WRITES = {
  ...WRITES,
  'PATCH of a folder': ({ folder }, on) => on.editor.patch(`/folders/${folder}`, { name: `Folder ${unique++}` }),
  'check-out': ({ workspace }, on) => on.editor.post(`/workspaces/${workspace}/checkout`, {}),
  'check-in': ({ workspace }, on) => on.editor.post(`/workspaces/${workspace}/checkin`, {}),
  'POST of a workspace': ({ document, version }, on) =>
    on.editor.post(`/documents/${document}/workspaces`, { name: `Branch ${unique++}`, fromVersionId: version }),
  release: ({ version }, on) => on.editor.post(`/versions/${version}/release`, {}),
  'POST /users': (_own, on) => on.admin.post('/users', { name: `User ${unique++}`, role: 'viewer' }),
};

describe('a single write takes at most 12 store commands', () => {
  test.for(Object.entries(ISOLATED))('%s', async ([title, write], { skip }) => {
    skip(!pdm.services.mongo.supportsClientBulkWrite, notRun('client bulk writes'));
    const owns = await Promise.all(Array.from({ length: REPETITIONS }, () => createOwn(pdm)));
    if (title === 'check-in') for (const own of owns) await done(ISOLATED['check-out']!(own, pdm));
    const [count, commands] = await meanCommands(() => sealed(() => done(write(owns.pop()!, pdm))));
    expect(count, commands).toBeLessThanOrEqual(MAX_ISOLATED);
  });
});

describe('writes of 32 clients take at most 5 store commands each', () => {
  test.for(Object.entries(WRITES))('%s', async ([, write], { skip }) => {
    skip(!pdm.services.mongo.supportsClientBulkWrite, notRun('client bulk writes'));
    const owns = await Promise.all(Array.from({ length: CLIENTS }, () => createOwn(pdm)));
    const client = async (own: Own) => {
      for (let n = 0; n < WRITES_OF_EACH; n++) await done(write(own, pdm));
    };
    const commands = await commandsOf(() => sealed(() => Promise.all(owns.map(client))));
    expect(commands.length / (CLIENTS * WRITES_OF_EACH)).toBeLessThanOrEqual(MAX_OF_MANY);
  });
});

const natsServer = needs('nats-server');

describe(`a single write takes at most ${MAX_WITH_CONSUMERS} store commands with a webhook, a stream${natsServer.isMissing ? '' : ' and NATS'}`, () => {
  let followed: Pdm;
  let nats: TestNats | null = null;
  let hook: Receiver;
  let webhookId: string;
  let stream: Followed;
  beforeAll(async () => {
    if (!natsServer.isMissing) {
      nats = await testNats();
      await nats.start();
    }
    const settings = { PDM_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1', ...(nats ? { NATS_URL: nats.url } : {}) };
    followed = await startPdm({ monitorCommands: true, settings });
    hook = await receiver();
    webhookId = (await done(followed.admin.post('/webhooks', { url: hook.url }))).id;
    stream = await follow(`${followed.url}/api/v1/events/stream`, followed.tokens.admin);
  });
  afterAll(async () => {
    await stream.close();
    await followed.close();
    await hook.close();
    await nats?.close();
  });

  test.for(Object.entries(WRITES))('%s', async ([title, write], { skip }) => {
    skip(!followed.services.mongo.supportsClientBulkWrite, notRun('client bulk writes'));
    const own = await createOwn(followed);
    const deliveries = followed.services.mongo.db.collection<DeliveryRecord>('webhookDeliveries');
    const waiting = { webhookId, status: 'waiting', forced: false } as const;
    await allSealed(followed);
    await expect.poll(() => deliveries.findOne(waiting), { timeout: 10_000 }).toBeNull();
    const before = hook.got.length;
    const isStored = () =>
      new Promise<void>((resolve) => {
        const note = ({ command }: CommandStartedEvent) => {
          if (command.update !== 'webhookDeliveries') return;
          followed.services.mongo.client.off('commandStarted', note);
          resolve();
        };
        followed.services.mongo.client.on('commandStarted', note);
      });
    const [count, commands] = await meanCommands(async () => {
      const stored = isStored();
      await sealed(() => done(write(own, followed)), followed);
      await stored;
    }, followed);
    expect(hook.got.length).toBeGreaterThanOrEqual(before + REPETITIONS);
    const max = title === 'POST of a version' ? MAX_WITH_CONSUMERS : MAX_WITH_CONSUMERS - 1;
    expect(count, commands).toBeLessThanOrEqual(max);
  });
});
