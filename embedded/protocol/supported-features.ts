// The supported features of MongoDB as data. All others are rejected with NotImplemented (238), and a test compares the
// README with this list.

/**
 * The type of a field. `number` is an integer of any of the four number types, `off` an unsupported option that may be
 * false, `offOrZero` one that may be a zero of any number type, too. The names in `NESTED` are documents with fields of their own.
 */
export type FieldType = PlainType | keyof typeof NESTED;
export type PlainType =
  | 'object'
  | 'array'
  | 'objectArray'
  | 'number'
  | 'boolean'
  | 'string'
  | 'stringOrNumber'
  | 'namespace'
  | 'hint'
  | 'update'
  | 'uuid'
  | 'timestamp'
  | 'off'
  | 'offOrZero'
  | 'any';

/** The fields of a command, and the type of its first field (any if not given). */
export type CommandSpec = { value?: FieldType; required?: Fields; optional?: Fields };
export type Fields = { readonly [field: string]: FieldType };

/** The fields of documents in commands. */
export const NESTED = {
  cursor: { optional: { batchSize: 'number' } },
  collation: {
    required: { locale: 'string' },
    optional: {
      strength: 'number',
      caseLevel: 'off',
      numericOrdering: 'off',
      backwards: 'off',
      normalization: 'off',
    },
  },
  lsid: { required: { id: 'uuid' } },
  readPreference: { required: { mode: 'string' } },
  clusterTime: { optional: { clusterTime: 'timestamp', signature: 'object' } },
  readConcern: { optional: { level: 'string', afterClusterTime: 'timestamp' } },
  writeConcern: {
    optional: { w: 'stringOrNumber', wtimeout: 'number', wtimeoutMS: 'number', j: 'boolean', fsync: 'boolean' },
  },
  nsInfo: { required: { ns: 'string' } },
  index: {
    required: { key: 'object', name: 'string' },
    optional: {
      v: 'number',
      unique: 'boolean',
      sparse: 'boolean',
      background: 'boolean',
      hidden: 'offOrZero',
      expireAfterSeconds: 'number',
      partialFilterExpression: 'object',
      collation: 'collation',
    },
  },
} as const satisfies { readonly [name: string]: { required?: object; optional?: object } };

/** Fields that every command may have. */
export const COMMON: CommandSpec = {
  optional: {
    ...fieldsByType({
      string: '$db apiVersion',
      number: 'txnNumber maxTimeMS',
      boolean: 'autocommit startTransaction',
      any: 'comment',
      off: 'apiStrict apiDeprecationErrors rawData',
    }),
    lsid: 'lsid',
    $readPreference: 'readPreference',
    $clusterTime: 'clusterTime',
    readConcern: 'readConcern',
    writeConcern: 'writeConcern',
  },
};

export const NO_FIELDS: CommandSpec = {};
// A newer client announces in further fields what it supports.
const HELLO: CommandSpec = { optional: { '*': 'any' } };

const FIND_AND_MODIFY: CommandSpec = {
  value: 'namespace',
  optional: fieldsByType({
    object: 'query sort fields projection let',
    collation: 'collation',
    boolean: 'remove new upsert bypassDocumentValidation',
    update: 'update',
    objectArray: 'arrayFilters',
    hint: 'hint',
  }),
};

export const COMMANDS: { readonly [command: string]: CommandSpec } = {
  hello: HELLO,
  isMaster: HELLO,
  ismaster: HELLO,
  ping: NO_FIELDS,
  buildInfo: NO_FIELDS,
  buildinfo: NO_FIELDS,
  endSessions: { value: 'array' },
  refreshSessions: { value: 'array' },
  killSessions: { value: 'array' },
  commitTransaction: { optional: fieldsByType({ object: 'recoveryToken' }) },
  abortTransaction: { optional: fieldsByType({ object: 'recoveryToken' }) },
  find: {
    value: 'namespace',
    optional: fieldsByType({
      object: 'filter sort projection let',
      collation: 'collation',
      hint: 'hint',
      number: 'skip limit batchSize',
      boolean: 'singleBatch noCursorTimeout',
      off: 'returnKey showRecordId tailable awaitData oplogReplay allowDiskUse allowPartialResults',
    }),
  },
  getMore: {
    value: 'number',
    required: fieldsByType({ string: 'collection' }),
    optional: fieldsByType({ number: 'batchSize' }),
  },
  killCursors: { value: 'namespace', required: fieldsByType({ array: 'cursors' }) },
  aggregate: {
    value: 'namespace',
    required: fieldsByType({ array: 'pipeline' }),
    optional: fieldsByType({
      cursor: 'cursor',
      collation: 'collation',
      object: 'let',
      hint: 'hint',
      boolean: 'bypassDocumentValidation',
      off: 'explain allowDiskUse',
    }),
  },
  count: {
    value: 'namespace',
    optional: fieldsByType({ object: 'query', collation: 'collation', number: 'limit skip', hint: 'hint' }),
  },
  distinct: {
    value: 'namespace',
    required: fieldsByType({ string: 'key' }),
    optional: fieldsByType({ object: 'query', collation: 'collation', hint: 'hint' }),
  },
  explain: { value: 'object', optional: fieldsByType({ string: 'verbosity' }) },
  insert: {
    value: 'namespace',
    optional: fieldsByType({ objectArray: 'documents', boolean: 'ordered bypassDocumentValidation' }),
  },
  update: {
    value: 'namespace',
    optional: fieldsByType({ objectArray: 'updates', boolean: 'ordered bypassDocumentValidation', object: 'let' }),
  },
  delete: {
    value: 'namespace',
    optional: fieldsByType({ objectArray: 'deletes', boolean: 'ordered', object: 'let' }),
  },
  findAndModify: FIND_AND_MODIFY,
  findandmodify: FIND_AND_MODIFY,
  bulkWrite: {
    value: 'number',
    optional: fieldsByType({
      objectArray: 'ops nsInfo',
      boolean: 'ordered errorsOnly bypassDocumentValidation',
      object: 'let',
      cursor: 'cursor',
    }),
  },
  create: { value: 'namespace', optional: fieldsByType({ offOrZero: 'capped' }) },
  drop: { value: 'namespace' },
  dropDatabase: { value: 'number' },
  createIndexes: { value: 'namespace', required: fieldsByType({ objectArray: 'indexes' }) },
  dropIndexes: { value: 'namespace', required: fieldsByType({ any: 'index' }) },
  listCollections: {
    optional: fieldsByType({ object: 'filter', cursor: 'cursor', boolean: 'nameOnly authorizedCollections' }),
  },
  listDatabases: { optional: fieldsByType({ object: 'filter', boolean: 'nameOnly authorizedDatabases' }) },
  listIndexes: { value: 'namespace', optional: fieldsByType({ cursor: 'cursor' }) },
  validate: { value: 'namespace', optional: fieldsByType({ boolean: 'full' }) },
  connectionStatus: { optional: fieldsByType({ boolean: 'showPrivileges' }) },
  getParameter: {
    optional: fieldsByType({
      any: 'featureCompatibilityVersion transactionLifetimeLimitSeconds authenticationMechanisms',
    }),
  },
  getLog: NO_FIELDS,
};

const UPDATE_OPTIONS = {
  boolean: 'multi upsert',
  objectArray: 'arrayFilters',
  collation: 'collation',
  object: 'sort',
  hint: 'hint',
} as const;

/** The fields of one statement of a write command. */
export const STATEMENTS = {
  update: {
    required: fieldsByType({ object: 'q', update: 'u' }),
    optional: fieldsByType(UPDATE_OPTIONS),
  },
  delete: {
    required: fieldsByType({ object: 'q', number: 'limit' }),
    optional: fieldsByType({ collation: 'collation', hint: 'hint' }),
  },
  'bulkWrite insert': { value: 'number', required: fieldsByType({ object: 'document' }) },
  'bulkWrite update': {
    value: 'number',
    required: fieldsByType({ object: 'filter', update: 'updateMods' }),
    optional: fieldsByType(UPDATE_OPTIONS),
  },
  'bulkWrite delete': {
    value: 'number',
    required: fieldsByType({ object: 'filter' }),
    optional: fieldsByType({ boolean: 'multi', collation: 'collation', hint: 'hint' }),
  },
} satisfies { readonly [statement: string]: CommandSpec };

/** Commands and stages that need a search service. A MongoDB server without one also returns SearchNotEnabled (31082). */
export const SEARCH_FEATURES: ReadonlySet<string> = nameSet(
  'createSearchIndexes dropSearchIndex updateSearchIndex $search $searchMeta $vectorSearch $listSearchIndexes',
);

export const QUERY_OPERATORS = splitNames(
  '$eq $ne $gt $gte $lt $lte $in $nin $and $or $nor $not $exists $type $regex $options $size $elemMatch $expr $comment',
);
export const UPDATE_OPERATORS = splitNames('$set $unset $inc $max $setOnInsert');
export const STAGES = splitNames(
  '$match $project $set $addFields $unset $sort $limit $skip $count $group $unwind $replaceRoot $replaceWith $lookup',
);
export const ACCUMULATORS = splitNames('$sum $avg $min $max $first $last $push $addToSet $count');
export const EXPRESSIONS = splitNames(
  '$eq $ne $gt $gte $lt $lte $and $or $not $cond $ifNull $literal $add $subtract $multiply $size $slice',
);

/** The operators of a partial index filter. Others are rejected with CannotCreateIndex (67). */
export const PARTIAL_FILTER_OPERATORS: ReadonlySet<string> = nameSet(
  '$eq $exists $gt $gte $lt $lte $type $in $and $or',
);

/** `snapshot` is supported only in a transaction (otherwise SnapshotUnavailable, 246). */
export const READ_CONCERNS: ReadonlySet<string> = nameSet('local available majority linearizable snapshot');

function splitNames(...lines: string[]): readonly string[] {
  return lines.join(' ').split(' ');
}

function nameSet(...lines: string[]): ReadonlySet<string> {
  return new Set(splitNames(...lines));
}

function fieldsByType(byType: { [type in FieldType]?: string }): Fields {
  return Object.fromEntries(
    Object.entries(byType).flatMap(([type, fields]) => splitNames(fields).map((field) => [field, type as FieldType])),
  );
}
