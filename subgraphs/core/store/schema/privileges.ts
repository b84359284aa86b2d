// What the MongoDB user of each part of the service may do. `pdm prepare` creates the roles.
import type { CollectionName } from './collections.ts';
import type { FORMAT_COLLECTION, GRIDFS } from './internal-collections.ts';

/** The users of a MongoDB server: one for the API, one for the subgraphs, one for the sweeps. */
export const DATABASE_USERS = ['api', 'subgraphs', 'sweeps'] as const;
export type DatabaseUser = (typeof DATABASE_USERS)[number];

type Write = 'insert' | 'update' | 'remove';
type Writes = Partial<Record<DatabaseUser, readonly Write[]>>;

const ALL = ['insert', 'update', 'remove'] as const;
/** Records of commands: the rules are in the subgraphs, and sweeps end jobs, which changes what depends on them. */
const BY_COMMANDS: Writes = { subgraphs: ALL, sweeps: ALL };

/**
 * The writes of each user to each collection; everyone may read all of them. Records of the audit log are inserted only:
 * no user may change or remove one. Only the sweeps, which seal the log, write seals and checkpoints.
 */
export const WRITES: Record<CollectionName | typeof FORMAT_COLLECTION | (typeof GRIDFS)[number], Writes> = {
  documents: { subgraphs: ALL },
  numbers: { subgraphs: ALL },
  folders: { subgraphs: ALL },
  workspaces: BY_COMMANDS,
  versions: BY_COMMANDS,
  revisions: { subgraphs: ALL },
  views: BY_COMMANDS,
  artifacts: BY_COMMANDS,
  structures: { subgraphs: ALL },
  references: { subgraphs: ALL },
  draftBackups: { subgraphs: ALL },
  blobs: BY_COMMANDS,
  uploads: BY_COMMANDS,
  jobs: BY_COMMANDS,
  jobLogs: BY_COMMANDS,
  runs: BY_COMMANDS,
  audit: { api: ['insert'], subgraphs: ['insert'], sweeps: ['insert'] },
  chains: { api: ['insert', 'update'], subgraphs: ['insert', 'update'], sweeps: ['insert', 'update'] },
  auditPending: { api: ['insert'], subgraphs: ['insert'], sweeps: ['insert', 'remove'] },
  auditSeals: { sweeps: ['insert'] },
  auditTree: { sweeps: ['insert', 'update'] },
  auditCheckpoints: { sweeps: ['insert'] },
  eventCursors: { subgraphs: ALL, sweeps: ALL },
  webhooks: BY_COMMANDS,
  webhookDeliveries: BY_COMMANDS,
  // The API signs users in.
  users: { api: ['insert', 'update'], subgraphs: ALL },
  tokens: { api: ['insert', 'update'], subgraphs: ALL },
  sessions: { api: ALL, subgraphs: ALL },
  counters: BY_COMMANDS,
  idempotency: { api: ALL, subgraphs: ALL },
  'files.files': BY_COMMANDS,
  'files.chunks': BY_COMMANDS,
  format: {},
};

export type Privilege = { resource: { db: string; collection: string }; actions: string[] };

/** Returns the privileges of a user in a database. An empty collection name means every collection. */
export function privilegesOf(user: DatabaseUser, db: string): Privilege[] {
  const everywhere = { resource: { db, collection: '' }, actions: ['find', 'listCollections', 'listIndexes'] };
  const writes = Object.entries(WRITES).flatMap(([collection, { [user]: actions = [] }]) =>
    actions.length ? [{ resource: { db, collection }, actions: [...actions] }] : [],
  );
  return [everywhere, ...writes];
}
