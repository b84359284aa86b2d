// What the embedded store promises, as data: validate.ts refuses the rest, README.md is compared with it, tests try every name.

/** The BSON type a field of a command must have; `number` is any of the four number types. */
export type FieldType = 'object' | 'array' | 'number' | 'boolean' | 'string' | 'hint' | 'update' | 'id' | 'any';

/** The fields of one command. `refused` are real MongoDB options outside the promise: they may only say "no". */
export type CommandPromise = { required?: Fields; optional?: Fields; refused?: readonly string[] };
export type Fields = { readonly [field: string]: FieldType };

/** Fields that any command may carry. */
export const COMMON_FIELDS: Fields = {
  $db: 'string',
  lsid: 'object',
  txnNumber: 'number',
  autocommit: 'boolean',
  startTransaction: 'boolean',
  $readPreference: 'object',
  $clusterTime: 'object',
  apiVersion: 'string',
  apiStrict: 'boolean',
  apiDeprecationErrors: 'boolean',
  comment: 'any',
  maxTimeMS: 'number',
  readConcern: 'object',
  writeConcern: 'object',
};

const NOTHING: CommandPromise = {};
const FREE: CommandPromise = { optional: { '*': 'any' } };

const FIND_AND_MODIFY: CommandPromise = {
  optional: {
    query: 'object',
    sort: 'object',
    remove: 'boolean',
    update: 'update',
    new: 'boolean',
    fields: 'object',
    projection: 'object',
    upsert: 'boolean',
    arrayFilters: 'array',
    collation: 'object',
    hint: 'hint',
    let: 'object',
    bypassDocumentValidation: 'boolean',
  },
};

export const COMMANDS: { readonly [command: string]: CommandPromise } = {
  hello: FREE,
  isMaster: FREE,
  ismaster: FREE,
  ping: NOTHING,
  buildInfo: NOTHING,
  buildinfo: NOTHING,
  endSessions: NOTHING,
  refreshSessions: NOTHING,
  killSessions: NOTHING,
  killAllSessions: NOTHING,
  commitTransaction: { optional: { recoveryToken: 'object' } },
  abortTransaction: { optional: { recoveryToken: 'object' } },
  find: {
    optional: {
      filter: 'object',
      sort: 'object',
      projection: 'object',
      hint: 'hint',
      skip: 'number',
      limit: 'number',
      batchSize: 'number',
      singleBatch: 'boolean',
      collation: 'object',
      let: 'object',
      noCursorTimeout: 'boolean',
    },
    refused: ['min', 'max', 'returnKey', 'showRecordId', 'tailable', 'awaitData', 'oplogReplay', 'allowDiskUse', 'allowPartialResults'],
  },
  getMore: { required: { collection: 'string' }, optional: { batchSize: 'number' } },
  killCursors: { required: { cursors: 'array' } },
  aggregate: {
    required: { pipeline: 'array' },
    optional: { cursor: 'object', collation: 'object', hint: 'hint', let: 'object', bypassDocumentValidation: 'boolean' },
    refused: ['explain', 'allowDiskUse'],
  },
  count: { optional: { query: 'object', limit: 'number', skip: 'number', hint: 'hint', collation: 'object', fields: 'any' } },
  distinct: { required: { key: 'string' }, optional: { query: 'object', collation: 'object', hint: 'hint' } },
  explain: { optional: { verbosity: 'string' } },
  insert: { optional: { documents: 'array', ordered: 'boolean', bypassDocumentValidation: 'boolean' } },
  update: { optional: { updates: 'array', ordered: 'boolean', let: 'object', bypassDocumentValidation: 'boolean' } },
  delete: { optional: { deletes: 'array', ordered: 'boolean', let: 'object' } },
  findAndModify: FIND_AND_MODIFY,
  findandmodify: FIND_AND_MODIFY,
  bulkWrite: {
    optional: {
      ops: 'array',
      nsInfo: 'array',
      ordered: 'boolean',
      errorsOnly: 'boolean',
      let: 'object',
      cursor: 'object',
      bypassDocumentValidation: 'boolean',
    },
  },
  create: {
    optional: { changeStreamPreAndPostImages: 'object' },
    refused: [
      'capped',
      'timeseries',
      'clusteredIndex',
      'encryptedFields',
      'viewOn',
      'pipeline',
      'validator',
      'validationLevel',
      'validationAction',
      'collation',
      'storageEngine',
      'indexOptionDefaults',
      'expireAfterSeconds',
      'size',
      'max',
    ],
  },
  drop: NOTHING,
  dropDatabase: NOTHING,
  createIndexes: { required: { indexes: 'array' }, refused: ['commitQuorum'] },
  dropIndexes: { required: { index: 'any' } },
  collMod: {
    optional: { index: 'object' },
    refused: ['validator', 'validationLevel', 'validationAction', 'viewOn', 'pipeline', 'changeStreamPreAndPostImages', 'cappedSize', 'cappedMax'],
  },
  listCollections: { optional: { filter: 'object', nameOnly: 'boolean', authorizedCollections: 'boolean', cursor: 'object' } },
  listDatabases: { optional: { filter: 'object', nameOnly: 'boolean', authorizedDatabases: 'boolean' } },
  listIndexes: { optional: { cursor: 'object' } },
  validate: { optional: { full: 'boolean' } },
  connectionStatus: { optional: { showPrivileges: 'boolean' } },
  getParameter: FREE,
  getLog: NOTHING,
  getCmdLineOpts: NOTHING,
  hostInfo: NOTHING,
  serverStatus: FREE,
  dbStats: { optional: { scale: 'number', freeStorage: 'number' } },
  collStats: { optional: { scale: 'number' } },
  whatsmyuri: NOTHING,
};

/** The fields of one statement of a write command. */
export const STATEMENTS: { readonly [command: string]: CommandPromise } = {
  update: {
    required: { q: 'object', u: 'update' },
    optional: { multi: 'boolean', upsert: 'boolean', arrayFilters: 'array', collation: 'object', hint: 'hint', sort: 'object' },
    refused: ['c'],
  },
  delete: { required: { q: 'object', limit: 'number' }, optional: { collation: 'object', hint: 'hint' } },
};

/** Commands of MongoDB that this store does not have; any other name is unknown. */
export const REFUSED_COMMANDS: ReadonlySet<string> = new Set([
  'mapReduce',
  'renameCollection',
  'convertToCapped',
  'cloneCollectionAsCapped',
  'createUser',
  'updateUser',
  'dropUser',
  'usersInfo',
  'createRole',
  'grantRolesToUser',
  'saslStart',
  'authenticate',
  'currentOp',
  'killOp',
  'fsync',
  'compact',
  'reIndex',
  'profile',
  'setParameter',
  'replSetGetStatus',
  'replSetStepDown',
  'shardCollection',
  'enableSharding',
  'setFeatureCompatibilityVersion',
  'top',
  'shutdown',
]);

/** Commands and stages that need a search service beside a MongoDB server; without one a server answers 31082 as this store does. */
export const SEARCH: ReadonlySet<string> = names(
  'createSearchIndexes dropSearchIndex updateSearchIndex $search $searchMeta $vectorSearch $listSearchIndexes',
);

/** Stages of MongoDB that this store does not have; any other name is unknown. */
export const REFUSED_STAGES: ReadonlySet<string> = names(
  '$out $merge $sample $setWindowFields $geoNear $bucket $bucketAuto $sortByCount $redact $densify $fill $documents $changeStream',
  '$changeStreamSplitLargeEvent $collStats $indexStats $currentOp $listSessions $listLocalSessions $planCacheStats $querySettings $queryStats',
);

/** Query operators of MongoDB that this store does not have. */
export const REFUSED_QUERY_OPERATORS: ReadonlySet<string> = names(
  '$where $text $jsonSchema $sampleRate $alwaysTrue $alwaysFalse $bitsAllSet $bitsAllClear $bitsAnySet $bitsAnyClear',
  '$geoWithin $geoIntersects $near $nearSphere $within $maxDistance $minDistance',
);

/** Update operators of MongoDB that this store does not have. */
export const REFUSED_UPDATE_OPERATORS: ReadonlySet<string> = names('$bit');

/** Accumulators of `$group` of MongoDB that this store does not have. */
export const REFUSED_ACCUMULATORS: ReadonlySet<string> = names(
  '$accumulator $bottom $bottomN $firstN $lastN $maxN $median $mergeObjects $minN $percentile $stdDevPop $stdDevSamp $top $topN',
);

/** Expressions of MongoDB that this store does not have. */
export const REFUSED_EXPRESSIONS: ReadonlySet<string> = names(
  '$acos $acosh $allElementsTrue $anyElementTrue $asin $asinh $atan $atan2 $atanh $avg $binarySize $bitAnd $bitNot $bitOr $bitXor $bsonSize $convert $cos',
  '$cosh $dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateTrunc $dayOfMonth $dayOfWeek $dayOfYear $degreesToRadians $exp',
  '$firstN $function $hour $indexOfBytes $indexOfCP $isNumber $isoDayOfWeek $isoWeek $isoWeekYear $lastN $ln $log $log10 $ltrim $max $maxN $median $meta',
  '$millisecond $min $minN $minute $month $percentile $pow $radiansToDegrees $rand $range $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $rtrim',
  '$sampleRate $second $setEquals $setIsSubset $sin $sinh $sqrt $stdDevPop $stdDevSamp $strLenBytes $strcasecmp $substr $substrBytes $sum $tan $tanh $toBool',
  '$toDecimal $toHashedIndexKey $toObjectId $toUUID $trunc $tsIncrement $tsSecond $week $year $zip',
);

export const QUERY_OPERATORS =
  '$eq $ne $gt $gte $lt $lte $in $nin $and $or $nor $not $exists $type $regex $options $all $size $elemMatch $mod $expr $comment'.split(' ');
export const UPDATE_OPERATORS =
  '$set $unset $inc $mul $min $max $rename $setOnInsert $currentDate $push $each $position $slice $sort $addToSet $pop $pull $pullAll'.split(' ');
export const STAGES =
  '$match $project $set $addFields $unset $sort $limit $skip $count $group $unwind $replaceRoot $replaceWith $facet $lookup $graphLookup $unionWith'.split(
    ' ',
  );
export const ACCUMULATORS = '$sum $avg $min $max $first $last $push $addToSet $count'.split(' ');
export const EXPRESSIONS = [
  '$eq $ne $gt $gte $lt $lte $cmp $and $or $not $cond $ifNull $switch $let $literal $add $subtract $multiply $divide $mod $abs $ceil $floor $round',
  '$concat $toLower $toUpper $substrCP $strLenCP $split $trim $size $arrayElemAt $first $last $slice $in $indexOfArray $concatArrays $filter $map $reduce',
  '$reverseArray $sortArray $setUnion $setIntersection $setDifference $isArray $mergeObjects $objectToArray $arrayToObject $getField $setField $unsetField',
  '$type $toString $toInt $toLong $toDouble $toDate $dateToString',
]
  .join(' ')
  .split(' ');

/** The fields of an index, and those of MongoDB that this store does not have; any other is unknown (197). */
export const INDEX_FIELDS: ReadonlySet<string> = names(
  'v key name unique sparse expireAfterSeconds partialFilterExpression background ns hidden collation',
);
export const REFUSED_INDEX_FIELDS: ReadonlySet<string> = names(
  'weights default_language language_override textIndexVersion 2dsphereIndexVersion bits min max wildcardProjection storageEngine prepareUnique clustered',
);
/** What an index may be over: numbers tell the direction. */
export const REFUSED_INDEX_KINDS: ReadonlySet<string> = names('text hashed 2d 2dsphere');

/** What a condition of a partial index may say. */
export const PARTIAL_OPERATORS: ReadonlySet<string> = names('$eq $exists $gt $gte $lt $lte $type $in $and $or');

export const COLLATION_FIELDS: ReadonlySet<string> = names('locale strength numericOrdering caseLevel');
export const REFUSED_COLLATION_FIELDS: ReadonlySet<string> = names('caseFirst alternate maxVariable backwards normalization');

/** A snapshot only inside a transaction (246 elsewhere). */
export const READ_CONCERNS: ReadonlySet<string> = names('local available majority linearizable snapshot');

function names(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}
