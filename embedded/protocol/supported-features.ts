// The supported features of MongoDB as data. validate.ts rejects all others, and a test compares the README with this
// list. Numbers in parentheses are the error codes for other features; 238 is NotImplemented.

/**
 * The type of a field. `number` is an integer of any of the four number types. The names in `NESTED` are documents with
 * fields of their own.
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
  | 'any';

/**
 * The fields of a command, and the type of its first field (any if not given). `unsupported`: options of MongoDB,
 * accepted only if false, 0 or null.
 */
export type CommandSpec = { value?: FieldType; required?: Fields; optional?: Fields; unsupported?: readonly string[] };
export type Fields = { readonly [field: string]: FieldType };

/** The fields of documents in commands. */
export const NESTED = {
  cursor: { optional: { batchSize: 'number' } },
  collation: {
    required: { locale: 'string' },
    optional: { strength: 'number' },
    unsupported: splitNames('caseLevel caseFirst numericOrdering alternate maxVariable backwards normalization'),
  },
  lsid: { required: { id: 'uuid' }, unsupported: splitNames('uid txnNumber txnUUID') },
  readPreference: { required: { mode: 'string' }, unsupported: splitNames('tags hedge maxStalenessSeconds') },
  clusterTime: { optional: { clusterTime: 'timestamp', signature: 'object' } },
  readConcern: {
    optional: { level: 'string', afterClusterTime: 'timestamp' },
    unsupported: splitNames('atClusterTime provenance'),
  },
  writeConcern: {
    optional: { w: 'stringOrNumber', wtimeout: 'number', wtimeoutMS: 'number', j: 'boolean', fsync: 'boolean' },
    unsupported: splitNames('provenance'),
  },
  nsInfo: { required: { ns: 'string' }, unsupported: splitNames('collectionUUID encryptionInformation') },
} as const satisfies {
  readonly [name: string]: { required?: object; optional?: object; unsupported?: readonly string[] };
};

/** Fields that every command may have. */
export const COMMON: CommandSpec = {
  optional: {
    ...fieldsByType({
      string: '$db apiVersion',
      number: 'txnNumber maxTimeMS',
      boolean: 'autocommit startTransaction',
      any: 'comment',
    }),
    lsid: 'lsid',
    $readPreference: 'readPreference',
    $clusterTime: 'clusterTime',
    readConcern: 'readConcern',
    writeConcern: 'writeConcern',
  },
  unsupported: splitNames(
    'apiStrict apiDeprecationErrors collectionUUID rawData encryptionInformation querySettings $audit $client',
  ),
};

const NO_FIELDS: CommandSpec = {};
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
  killAllSessions: { value: 'array' },
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
    }),
    unsupported: splitNames(
      'min max returnKey showRecordId tailable awaitData oplogReplay allowDiskUse allowPartialResults',
    ),
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
    }),
    unsupported: splitNames('explain allowDiskUse'),
  },
  count: {
    value: 'namespace',
    optional: fieldsByType({ object: 'query', collation: 'collation', number: 'limit skip', hint: 'hint' }),
    unsupported: splitNames('fields'),
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
  create: {
    value: 'namespace',
    unsupported: splitNames(
      'capped timeseries clusteredIndex encryptedFields viewOn pipeline validator validationLevel validationAction collation storageEngine',
      'indexOptionDefaults expireAfterSeconds size max changeStreamPreAndPostImages autoIndexId',
    ),
  },
  drop: { value: 'namespace' },
  dropDatabase: { value: 'number' },
  createIndexes: {
    value: 'namespace',
    required: fieldsByType({ objectArray: 'indexes' }),
    unsupported: splitNames('commitQuorum'),
  },
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
    unsupported: splitNames('c sampleId'),
  },
  delete: {
    required: fieldsByType({ object: 'q', number: 'limit' }),
    optional: fieldsByType({ collation: 'collation', hint: 'hint' }),
    unsupported: splitNames('sampleId'),
  },
  'bulkWrite insert': { value: 'number', required: fieldsByType({ object: 'document' }) },
  'bulkWrite update': {
    value: 'number',
    required: fieldsByType({ object: 'filter', update: 'updateMods' }),
    optional: fieldsByType(UPDATE_OPTIONS),
    unsupported: splitNames('constants sampleId'),
  },
  'bulkWrite delete': {
    value: 'number',
    required: fieldsByType({ object: 'filter' }),
    optional: fieldsByType({ boolean: 'multi', collation: 'collation', hint: 'hint' }),
    unsupported: splitNames('sampleId'),
  },
} satisfies { readonly [statement: string]: CommandSpec };

/** Commands of MongoDB that this store does not support (238). */
export const UNSUPPORTED_COMMANDS: ReadonlySet<string> = nameSet(
  'mapReduce renameCollection convertToCapped cloneCollectionAsCapped createUser updateUser dropUser usersInfo createRole grantRolesToUser saslStart',
  'authenticate currentOp killOp fsync compact reIndex profile setParameter replSetGetStatus replSetStepDown shardCollection enableSharding',
  'setFeatureCompatibilityVersion top shutdown collMod getCmdLineOpts hostInfo serverStatus dbStats collStats whatsmyuri',
);

/** Commands and stages that need a search service. A MongoDB server without one also returns SearchNotEnabled (31082). */
export const SEARCH_FEATURES: ReadonlySet<string> = nameSet(
  'createSearchIndexes dropSearchIndex updateSearchIndex $search $searchMeta $vectorSearch $listSearchIndexes',
);

/** Stages of MongoDB that this store does not support (238). */
export const UNSUPPORTED_STAGES: ReadonlySet<string> = nameSet(
  '$facet $graphLookup $unionWith $out $merge $sample $setWindowFields $geoNear $bucket $bucketAuto $sortByCount $redact $densify $fill $documents $changeStream',
  '$changeStreamSplitLargeEvent $collStats $indexStats $currentOp $listSessions $listLocalSessions $planCacheStats $querySettings $queryStats',
);

/** Query operators of MongoDB that this store does not support (238). */
export const UNSUPPORTED_QUERY_OPERATORS: ReadonlySet<string> = nameSet(
  '$all $mod $where $text $jsonSchema $sampleRate $alwaysTrue $alwaysFalse $bitsAllSet $bitsAllClear $bitsAnySet $bitsAnyClear',
  '$geoWithin $geoIntersects $near $nearSphere $within $maxDistance $minDistance',
);

/** Update operators of MongoDB that this store does not support (238). */
export const UNSUPPORTED_UPDATE_OPERATORS: ReadonlySet<string> = nameSet(
  '$bit $rename $currentDate $mul $min $push $addToSet $pop $pull $pullAll',
);

/** Accumulators of MongoDB that this store does not support (238). */
export const UNSUPPORTED_ACCUMULATORS: ReadonlySet<string> = nameSet(
  '$accumulator $bottom $bottomN $firstN $lastN $maxN $median $mergeObjects $minN $percentile $stdDevPop $stdDevSamp $top $topN',
);

/** Expression operators of MongoDB that this store does not support (238). */
export const UNSUPPORTED_EXPRESSIONS: ReadonlySet<string> = nameSet(
  '$abs $acos $acosh $allElementsTrue $anyElementTrue $arrayToObject $asin $asinh $atan $atan2 $atanh $avg $binarySize $bitAnd $bitNot $bitOr $bitXor',
  '$bsonSize $ceil $cmp $concatArrays $convert $cos $cosh $dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString',
  '$dateTrunc $dayOfMonth $dayOfWeek $dayOfYear $degreesToRadians $exp $firstN $floor $function $getField $hour $indexOfArray $indexOfBytes $indexOfCP',
  '$isNumber $isoDayOfWeek $isoWeek $isoWeekYear $lastN $let $ln $log $log10 $ltrim $max $maxN $median $meta $millisecond $min $minN $minute $mod $month',
  '$objectToArray $percentile $pow $radiansToDegrees $rand $range $reduce $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $reverseArray',
  '$round $rtrim $sampleRate $second $setDifference $setEquals $setField $setIntersection $setIsSubset $setUnion $sin $sinh $sortArray $split',
  '$sqrt $stdDevPop $stdDevSamp $strLenBytes $strLenCP $strcasecmp $substr $substrBytes $substrCP $sum $switch $tan $tanh $toBool $toDate $toDecimal',
  '$arrayElemAt $concat $divide $filter $first $in $isArray $last $map $mergeObjects $toLower $toString $toUpper $type',
  '$toDouble $toHashedIndexKey $toInt $toLong $toObjectId $toUUID $trim $trunc $tsIncrement $tsSecond $unsetField $week $year $zip',
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

/**
 * The supported fields of an index specification. A field in neither list is rejected with
 * InvalidIndexSpecificationOption (197).
 */
export const INDEX_FIELDS: ReadonlySet<string> = nameSet(
  'v key name unique sparse expireAfterSeconds partialFilterExpression background ns hidden collation',
);
export const UNSUPPORTED_INDEX_FIELDS: ReadonlySet<string> = nameSet(
  'weights default_language language_override textIndexVersion 2dsphereIndexVersion bits min max wildcardProjection storageEngine prepareUnique clustered',
);
/** Index types other than ascending and descending that this store does not support (238). */
export const UNSUPPORTED_INDEX_TYPES: ReadonlySet<string> = nameSet('text hashed 2d 2dsphere');

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
