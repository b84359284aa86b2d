// Records every kind of query of the service and asks the store to explain it, to find queries without an index.
import type { CommandStartedEvent, Db, Document, MongoClient } from 'mongodb';

type Query = { collection: string; command: Document };

/**
 * Records the queries of a client. `unplanned` has the store explain each kind, and returns those that scan a
 * collection or sort in memory, as text. The plan does not depend on values, so one query of a kind is enough.
 */
export function watchQueries(client: MongoClient): { unplanned(db: Db): Promise<string[]> } {
  const queries = new Map<string, Query>();
  client.on('commandStarted', ({ command }: CommandStartedEvent) => {
    for (const query of queriesIn(command)) {
      const kind = JSON.stringify(shapeOf(query.command));
      if (!queries.has(kind)) queries.set(kind, query);
    }
  });
  return {
    async unplanned(db) {
      const found: string[] = [];
      for (const query of [...queries.values()]) {
        const { queryPlanner, stages = [] } = await db.command({ explain: query.command, verbosity: 'queryPlanner' });
        const plan = [...stagesOf(queryPlanner.winningPlan), ...stages.map(({ strategy }: Document) => strategy)];
        const inefficient = plan.filter((stage) => INEFFICIENT.has(stage) && !isAllowed(stage, query));
        if (inefficient.length > 0) found.push(`${inefficient.join(', ')}: ${JSON.stringify(query.command)}`);
      }
      return found;
    },
  };
}

const INEFFICIENT = new Set(['COLLSCAN', 'SORT', 'HashJoin', 'NestedLoopJoin']);

/** The comment of queries that a test sends itself; they need no index. */
export const TEST_QUERY_COMMENT = 'for a test';

type Excuse = {
  stage: 'COLLSCAN' | 'SORT';
  collection: string;
  /** The exact set of fields in the filter. */
  by: string[];
  /** Further fields that the filter may contain. */
  and?: string[];
  /** Whether the query has a limit. */
  page?: true;
  why: string;
};

const PAGE_OF_DOCUMENTS: Pick<Excuse, 'stage' | 'collection' | 'and' | 'page'> = {
  stage: 'SORT',
  collection: 'documents',
  page: true,
  and: [
    'archived',
    'createdBy',
    'folderId',
    'kind',
    'number',
    'nameKey',
    'words',
    'createdAt',
    'updatedAt',
    'lastRevision',
    '_id',
  ],
};

/** The queries that may scan a collection or sort in memory, with the reason. */
const EXCUSED: Excuse[] = [
  { stage: 'COLLSCAN', collection: 'folders', by: [], why: 'the tree is read whole: people made each folder' },
  { stage: 'COLLSCAN', collection: 'webhooks', by: [], why: 'all of them are wanted: an administrator made each' },
  {
    stage: 'COLLSCAN',
    collection: 'counters',
    by: [],
    why: 'all of them are checked: one for each prefix of a number',
  },
  { stage: 'COLLSCAN', collection: 'files.chunks', by: [], why: 'the check of a whole store reads all bytes' },
  {
    stage: 'COLLSCAN',
    collection: 'tokens',
    by: ['revokedAt', 'expiresAt'],
    why: 'the good ones of all are counted: people and workers have few',
  },
  {
    stage: 'SORT',
    collection: 'workspaces',
    by: ['documentId'],
    why: 'the branches of a document, all of them wanted: people made each',
  },
  {
    stage: 'SORT',
    collection: 'runs',
    by: ['versionIds'],
    and: ['createdAt', '_id'],
    page: true,
    why: 'the runs of one version',
  },
  { ...PAGE_OF_DOCUMENTS, by: ['number'], why: 'what a search for a number, or its beginning, found' },
  { ...PAGE_OF_DOCUMENTS, by: ['nameKey'], why: 'what a search for the beginning of a name found' },
  { ...PAGE_OF_DOCUMENTS, by: ['words'], why: 'what a search for words found' },
  { ...PAGE_OF_DOCUMENTS, by: ['text'], why: 'what a search for a phrase found' },
  { ...PAGE_OF_DOCUMENTS, by: ['createdBy'], why: 'the documents of one user, in another order than the default' },
  { ...PAGE_OF_DOCUMENTS, by: ['lastRevision'], why: 'at most 1000 documents with a release' },
  { ...PAGE_OF_DOCUMENTS, by: ['_id'], why: 'the documents of at most 1000 reservations or failed jobs' },
  { ...PAGE_OF_DOCUMENTS, by: ['folderId'], why: 'several folders, or one with what is archived in it' },
];

function isAllowed(stage: string, { collection, command }: Query): boolean {
  const filter = filterOf(command);
  const fields = fieldsIn(filter);
  // the first there is
  if (stage === 'COLLSCAN' && command.limit === 1 && fields.size === 0) return true;
  // a worker with very many offered tags: sorting a few queued jobs costs less than one lookup per tag
  if (stage === 'SORT' && collection === 'jobs' && filter.environmentKey?.$in && filter.status === 'waiting')
    return true;
  // of all: the store keeps that number
  if (stage === 'COLLSCAN' && 'count' in command && fields.size === 0) return true;
  return EXCUSED.some(
    ({ by, and = [], page, ...excuse }) =>
      excuse.collection === collection &&
      excuse.stage === stage &&
      (!page || command.limit > 0) &&
      by.every((field) => fields.has(field)) &&
      [...fields].every((field) => by.includes(field) || and.includes(field)),
  );
}

const filterOf = ({ filter, query, pipeline, updates, deletes }: Document): Document =>
  filter ?? query ?? pipeline?.[0]?.$match ?? updates?.[0].q ?? deletes?.[0].q ?? {};

function fieldsIn(filter: Document): Set<string> {
  return new Set(
    Object.entries(filter).flatMap(([field, value]) =>
      field.startsWith('$') ? (Array.isArray(value) ? value.flatMap((part) => [...fieldsIn(part)]) : []) : [field],
    ),
  );
}

function queriesIn(command: Document): Query[] {
  if (command.comment === TEST_QUERY_COMMENT) return [];
  const [name = ''] = Object.keys(command);
  const collection = String(command[name]);
  switch (name) {
    case 'find':
    case 'aggregate':
    case 'count':
    case 'distinct':
    case 'findAndModify':
      return [
        {
          collection,
          command: Object.fromEntries(
            Object.entries(command).flatMap(([field, value]) => (BESIDE.has(field) ? [] : [[field, plain(value)]])),
          ),
        },
      ];
    case 'update':
    case 'delete':
      return command[`${name}s`].map((statement: Document) => ({
        collection,
        command: { [name]: collection, [`${name}s`]: [statement] },
      }));
    default:
      return [];
  }
}

// The driver sends a sort as a map, to keep the order of its fields.
const plain = (value: unknown): unknown => (value instanceof Map ? Object.fromEntries(value) : value);

// Fields of a command that concern its session and its response, not the query.
const BESIDE = new Set(
  'lsid $db $clusterTime txnNumber autocommit startTransaction readConcern writeConcern maxTimeMS comment batchSize cursor $readPreference singleBatch'.split(
    ' ',
  ),
);

// The same for queries that differ only in values or in the written data.
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))];
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  if ('_bsontype' in value || value instanceof Date) return 'value';
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      field,
      SAID.has(field) || (NAMES.has(field) && typeof inner === 'string')
        ? inner
        : WRITTEN.has(field)
          ? ''
          : shapeOf(inner),
    ]),
  );
}

const NAMES = new Set([
  'find',
  'aggregate',
  'count',
  'distinct',
  'findAndModify',
  'update',
  'delete',
  'from',
  'key',
  'hint',
]);
const SAID = new Set(['sort', '$sort']);
const WRITTEN = new Set(['u', 'update', 'projection', 'fields', '$project', '$set']);

function stagesOf(plan?: Document): string[] {
  return plan ? [plan.stage, ...stagesOf(plan.inputStage), ...(plan.inputStages ?? []).flatMap(stagesOf)] : [];
}
