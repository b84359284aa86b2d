// The entities of one test of the unified test format: clients, sessions, collections.
import assert from 'node:assert';
import { deserialize, serialize } from 'bson';
import {
  ClientSession,
  type CommandStartedEvent,
  type CommandSucceededEvent,
  Db,
  type Document,
  GridFSBucket,
  MongoClient,
  ReadPreference,
} from 'mongodb';
import type { Entities } from './matching.ts';

export type ObservedEvent = { [event: string]: Document };

/** The state of one test: its entities by id, the events observed on its clients, and its fail points. */
export type TestContext = Entities & {
  create(entities: Document[]): Promise<void>;
  save(id: string, value: unknown): void;
  client(id: string): MongoClient;
  observed(client: string): ObservedEvent[];
  /** Converts the arguments of an operation to options of the driver. */
  optionsFrom(fields: Document): Document;
  setFailPoint(admin: MongoClient, failPoint: Document): Promise<void>;
  endSessions(): Promise<void>;
  close(): Promise<void>;
};

// Tests that need a secondary should fail soon.
const SELECTION_MS = 2_000;
const UNOBSERVED = new Set(['configureFailPoint', 'endSessions']);

/** Creates an empty context for a test on the server at `uri`. */
export function testContext(uri: string): TestContext {
  const entities = new Map<string, unknown>();
  const observedEvents = new Map<string, ObservedEvent[]>();
  const failPoints: { admin: MongoClient; name: string }[] = [];

  const entity = (id: string): unknown => {
    assert.ok(entities.has(id), `unknown entity ${id}`);
    return entities.get(id);
  };
  const client = (id: string) => instance(entity(id), MongoClient);
  const session = (id: string) => instance(entity(id), ClientSession);
  const all = <T>(kind: new (...args: never[]) => T): T[] =>
    [...entities.values()].filter((value): value is T => value instanceof kind);

  async function openClient({
    id,
    uriOptions = {},
    observeEvents = [],
    ignoreCommandMonitoringEvents = [],
  }: Document): Promise<MongoClient> {
    const { appname, ...options } = uriOptions;
    const opened = new MongoClient(uri, {
      serverSelectionTimeoutMS: SELECTION_MS,
      monitorCommands: true,
      ...options,
      ...(appname && { appName: appname }),
    });
    const events: ObservedEvent[] = [];
    observedEvents.set(id, events);
    const isObserved = (event: string, name: string) =>
      observeEvents.includes(event) && !UNOBSERVED.has(name) && !ignoreCommandMonitoringEvents.includes(name);
    opened.on('commandStarted', ({ command, commandName, databaseName }: CommandStartedEvent) => {
      if (isObserved('commandStartedEvent', commandName))
        events.push({ commandStartedEvent: { command: asSent(command), commandName, databaseName } });
    });
    opened.on('commandSucceeded', ({ reply, commandName }: CommandSucceededEvent) => {
      if (isObserved('commandSucceededEvent', commandName))
        events.push({ commandSucceededEvent: { reply, commandName } });
    });
    return opened.connect();
  }

  async function createEntity(kind: string, fields: Document): Promise<unknown> {
    switch (kind) {
      case 'client':
        return openClient(fields);
      case 'database':
        return client(fields.client).db(fields.databaseName, withReadPreference(fields.databaseOptions));
      case 'collection':
        return instance(entity(fields.database), Db).collection(
          fields.collectionName,
          withReadPreference(fields.collectionOptions),
        );
      case 'session': {
        const { defaultTransactionOptions, ...options } = fields.sessionOptions ?? {};
        const transactions = defaultTransactionOptions && {
          defaultTransactionOptions: withReadPreference(defaultTransactionOptions),
        };
        return client(fields.client).startSession({ ...options, ...transactions });
      }
      case 'bucket':
        return new GridFSBucket(instance(entity(fields.database), Db), fields.bucketOptions);
      default:
        throw new Error(`unknown kind of entity: ${kind}`);
    }
  }

  return {
    entity,
    session,
    client,
    save: (id, value) => void entities.set(id, value),
    observed: (id) => observedEvents.get(id) ?? [],
    async create(list) {
      for (const [kind, fields] of list.flatMap((entry) => Object.entries(entry)))
        entities.set(fields.id, await createEntity(kind, fields));
    },
    optionsFrom(fields) {
      const { returnDocument } = fields;
      return {
        ...withReadPreference(fields),
        ...(fields.session && { session: session(fields.session) }),
        ...(returnDocument && { returnDocument: returnDocument.toLowerCase() }),
      };
    },
    async setFailPoint(admin, failPoint) {
      failPoints.push({ admin, name: failPoint.configureFailPoint });
      await admin.db('admin').command(failPoint);
    },
    async endSessions() {
      for (const open of all(ClientSession)) await open.endSession();
    },
    async close() {
      for (const { admin, name } of failPoints)
        await admin.db('admin').command({ configureFailPoint: name, mode: 'off' });
      for (const open of all(MongoClient)) await open.close(true);
    },
  };
}

// Copies the command as sent, because the driver changes some documents later.
const asSent = (command: Document): Document => deserialize(serialize(command), { promoteLongs: false });

/** Returns the value if it is an instance of the class; fails otherwise. */
export function instance<T>(value: unknown, kind: new (...args: never[]) => T): T {
  assert.ok(value instanceof kind, `not a ${kind.name}`);
  return value;
}

const withReadPreference = ({ readPreference, ...options }: Document = {}): Document => ({
  ...options,
  ...(readPreference && { readPreference: ReadPreference.fromOptions({ readPreference }) }),
});
