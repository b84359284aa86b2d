// A store that enforces the privileges of MongoDB roles: proxies in front of the embedded store, one for each user. The
// embedded store has no users; the mapping of commands to actions follows MongoDB's documentation.
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { type Document, deserialize, serialize } from 'bson';
import type { Privilege } from '../../subgraphs/core/store/schema/privileges.ts';

export type RestrictedStore = {
  /** The address of the store for a user; without an entry in `privileges`, everything is allowed. */
  urlOf(user: string, database: string): Promise<string>;
  /** The privileges by user. `createRole` and `createUser` add entries. */
  privileges: Map<string, readonly Privilege[]>;
  /** The refused commands: `<user>: <action> <collection>`. */
  refused: string[];
  close(): Promise<void>;
};

/** Starts proxies for the store at this address, a URL of a unix socket or of host and port. */
export function restrictedStore(uri: string): RestrictedStore {
  const target = targetOf(uri);
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const roles = new Map<string, readonly Privilege[]>();
  const store: RestrictedStore = {
    privileges: new Map(),
    refused: [],
    urlOf: async (user, database) => {
      const server = createServer((client) => {
        const upstream = createConnection(target);
        for (const socket of [client, upstream]) {
          sockets.add(socket);
          socket.on('error', () => undefined);
          socket.on('close', () => {
            client.destroy();
            upstream.destroy();
          });
        }
        upstream.pipe(client);
        readMessages(client, (message) => {
          const response = respond(message, user);
          if (response) client.write(response);
          else upstream.write(message);
        });
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      return `mongodb://127.0.0.1:${port}/${database}?directConnection=true`;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };

  // Returns a response if the store must not see the command.
  function respond(message: Buffer, user: string): Buffer | null {
    if (message.readInt32LE(12) !== OP_MSG) return null;
    const command = parseMessage(message);
    const [name = ''] = Object.keys(command);
    const managed = manageUsers(name, command);
    if (managed) return messageOf(message, { ok: 1, ...managed });
    const allowed = store.privileges.get(user);
    const denied = allowed && requiredActions(name, command).find((required) => !isAllowed(allowed, required));
    if (!denied) return null;
    store.refused.push(`${user}: ${denied.action} ${denied.collection}`);
    return messageOf(message, {
      ok: 0,
      code: 13,
      codeName: 'Unauthorized',
      errmsg: `not authorized on ${command.$db} to execute command ${name}`,
    });
  }

  function manageUsers(name: string, command: Document): Document | null {
    if (name === 'rolesInfo') return { roles: roles.has(command.rolesInfo) ? [{}] : [] };
    if (name === 'usersInfo') return { users: store.privileges.has(command.usersInfo) ? [{}] : [] };
    if (name === 'createRole' || name === 'updateRole') roles.set(command[name], command.privileges);
    else if (name === 'createUser' || name === 'updateUser')
      store.privileges.set(
        command[name],
        command.roles.flatMap(({ role }: { role: string }) => roles.get(role) ?? []),
      );
    else return null;
    return {};
  }
  return store;
}

const OP_MSG = 2013;
const HEADER_BYTES = 16;

function targetOf(uri: string): { path: string } | { host: string; port: number } {
  const host = decodeURIComponent(/^mongodb:\/\/(?:[^@/]*@)?([^/?]+)/.exec(uri)?.[1] ?? '');
  if (host.startsWith('/')) return { path: host };
  const [name = '', port = '27017'] = host.split(':');
  return { host: name, port: Number(port) };
}

function readMessages(socket: Socket, onMessage: (message: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk as Buffer]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      onMessage(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
}

/** Returns the command of an OP_MSG, with the documents of its sequences as arrays. */
function parseMessage(message: Buffer): Document {
  const flags = message.readUInt32LE(HEADER_BYTES);
  const end = message.length - (flags & 1 ? 4 : 0); // a checksum
  const command: Document = {};
  const sequences: Document = {};
  for (let at = HEADER_BYTES + 4; at < end; ) {
    const size = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + size);
    if (message[at] === 0) Object.assign(command, deserialize(section));
    else {
      const nameEnd = section.indexOf(0, 4);
      const documents: Document[] = [];
      for (let from = nameEnd + 1; from < size; from += section.readInt32LE(from))
        documents.push(deserialize(section.subarray(from, from + section.readInt32LE(from))));
      sequences[section.toString('utf8', 4, nameEnd)] = documents;
    }
    at += 1 + size;
  }
  return { ...command, ...sequences };
}

function messageOf(request: Buffer, body: Document): Buffer {
  const bytes = serialize(body);
  const head = Buffer.alloc(HEADER_BYTES + 5);
  head.writeInt32LE(head.length + bytes.length, 0);
  head.writeInt32LE(request.readInt32LE(4), 8);
  head.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([head, bytes]);
}

type Required = { action: string; collection: string };

/** Commands that any signed-in user may run. */
const UNRESTRICTED = new Set(
  'hello isMaster ismaster ping endSessions killCursors commitTransaction abortTransaction buildInfo'.split(' '),
);

function requiredActions(name: string, command: Document): Required[] {
  const on = (collection: string, ...actions: string[]) => actions.map((action) => ({ action, collection }));
  const collection = String(command[name]);
  const upserts = (updates: Document[]) => (updates.some(({ upsert }) => upsert) ? ['insert'] : []);
  switch (name) {
    case 'find':
    case 'count':
    case 'distinct':
    case 'aggregate':
      return on(collection, 'find');
    case 'getMore':
      return on(command.collection, 'find');
    case 'insert':
      return on(collection, 'insert');
    case 'update':
      return on(collection, 'update', ...upserts(command.updates));
    case 'delete':
      return on(collection, 'remove');
    case 'findAndModify':
      return on(collection, 'find', command.remove ? 'remove' : 'update', ...upserts([command]));
    case 'bulkWrite':
      return command.ops.flatMap((op: Document) => {
        const [kind = ''] = Object.keys(op);
        const of = String(command.nsInfo[op[kind]].ns).replace(/^[^.]+\./, '');
        return on(of, { insert: 'insert', update: 'update', delete: 'remove' }[kind] ?? kind, ...upserts([op]));
      });
    case 'listCollections':
      return on('', 'listCollections');
    case 'listIndexes':
      return on(collection, 'listIndexes');
    default:
      return UNRESTRICTED.has(name) ? [] : on(collection, name);
  }
}

function isAllowed(privileges: readonly Privilege[], { action, collection }: Required): boolean {
  return privileges.some(
    ({ resource, actions }) => ['', collection].includes(resource.collection) && actions.includes(action),
  );
}
