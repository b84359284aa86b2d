// The supported features of MongoDB as data. validate.ts rejects all others, and a test compares the README with this
// list. Numbers in parentheses are the error codes for other features; 238 is NotImplemented.

/** The BSON type of a command field; `number` accepts any of the four number types. */
export type FieldType = 'object' | 'array' | 'number' | 'boolean' | 'string' | 'hint' | 'update' | 'any';

/** The fields of a command. `unsupported`: options of MongoDB, accepted only if false, 0 or null. */
export type CommandSpec = { required?: Fields; optional?: Fields; unsupported?: readonly string[] };
export type Fields = { readonly [field: string]: FieldType };

/** Fields that every command may have. */
export const COMMON_FIELDS = fieldsByType({
  string: '$db apiVersion',
  object: 'lsid $readPreference $clusterTime readConcern writeConcern',
  number: 'txnNumber maxTimeMS',
  boolean: 'autocommit startTransaction apiStrict apiDeprecationErrors',
  any: 'comment',
});

const NO_FIELDS: CommandSpec = {};
const ANY_FIELDS: CommandSpec = { optional: { '*': 'any' } };

const FIND_AND_MODIFY: CommandSpec = {
  optional: fieldsByType({
    object: 'query sort fields projection collation let',
    boolean: 'remove new upsert bypassDocumentValidation',
    update: 'update',
    array: 'arrayFilters',
    hint: 'hint',
  }),
};

export const COMMANDS: { readonly [command: string]: CommandSpec } = {
  hello: ANY_FIELDS,
  isMaster: ANY_FIELDS,
  ismaster: ANY_FIELDS,
  ping: NO_FIELDS,
  buildInfo: NO_FIELDS,
  buildinfo: NO_FIELDS,
  endSessions: NO_FIELDS,
  refreshSessions: NO_FIELDS,
  killSessions: NO_FIELDS,
  killAllSessions: NO_FIELDS,
  commitTransaction: { optional: fieldsByType({ object: 'recoveryToken' }) },
  abortTransaction: { optional: fieldsByType({ object: 'recoveryToken' }) },
  find: {
    optional: fieldsByType({
      object: 'filter sort projection collation let',
      hint: 'hint',
      number: 'skip limit batchSize',
      boolean: 'singleBatch noCursorTimeout',
    }),
    unsupported: splitNames(
      'min max returnKey showRecordId tailable awaitData oplogReplay allowDiskUse allowPartialResults',
    ),
  },
  getMore: { required: fieldsByType({ string: 'collection' }), optional: fieldsByType({ number: 'batchSize' }) },
  killCursors: { required: fieldsByType({ array: 'cursors' }) },
  aggregate: {
    required: fieldsByType({ array: 'pipeline' }),
    optional: fieldsByType({ object: 'cursor collation let', hint: 'hint', boolean: 'bypassDocumentValidation' }),
    unsupported: splitNames('explain allowDiskUse'),
  },
  count: { optional: fieldsByType({ object: 'query collation', number: 'limit skip', hint: 'hint', any: 'fields' }) },
  distinct: {
    required: fieldsByType({ string: 'key' }),
    optional: fieldsByType({ object: 'query collation', hint: 'hint' }),
  },
  explain: { optional: fieldsByType({ string: 'verbosity' }) },
  insert: { optional: fieldsByType({ array: 'documents', boolean: 'ordered bypassDocumentValidation' }) },
  update: { optional: fieldsByType({ array: 'updates', boolean: 'ordered bypassDocumentValidation', object: 'let' }) },
  delete: { optional: fieldsByType({ array: 'deletes', boolean: 'ordered', object: 'let' }) },
  findAndModify: FIND_AND_MODIFY,
  findandmodify: FIND_AND_MODIFY,
  bulkWrite: {
    optional: fieldsByType({
      array: 'ops nsInfo',
      boolean: 'ordered errorsOnly bypassDocumentValidation',
      object: 'let cursor',
    }),
  },
  create: {
    optional: fieldsByType({ object: 'changeStreamPreAndPostImages' }),
    unsupported: splitNames(
      'capped timeseries clusteredIndex encryptedFields viewOn pipeline validator validationLevel validationAction collation storageEngine',
      'indexOptionDefaults expireAfterSeconds size max',
    ),
  },
  drop: NO_FIELDS,
  dropDatabase: NO_FIELDS,
  createIndexes: { required: fieldsByType({ array: 'indexes' }), unsupported: splitNames('commitQuorum') },
  dropIndexes: { required: fieldsByType({ any: 'index' }) },
  collMod: {
    optional: fieldsByType({ object: 'index' }),
    unsupported: splitNames(
      'validator validationLevel validationAction viewOn pipeline changeStreamPreAndPostImages cappedSize cappedMax',
    ),
  },
  listCollections: { optional: fieldsByType({ object: 'filter cursor', boolean: 'nameOnly authorizedCollections' }) },
  listDatabases: { optional: fieldsByType({ object: 'filter', boolean: 'nameOnly authorizedDatabases' }) },
  listIndexes: { optional: fieldsByType({ object: 'cursor' }) },
  validate: { optional: fieldsByType({ boolean: 'full' }) },
  connectionStatus: { optional: fieldsByType({ boolean: 'showPrivileges' }) },
  getParameter: ANY_FIELDS,
  getLog: NO_FIELDS,
  getCmdLineOpts: NO_FIELDS,
  hostInfo: NO_FIELDS,
  serverStatus: ANY_FIELDS,
  dbStats: { optional: fieldsByType({ number: 'scale freeStorage' }) },
  collStats: { optional: fieldsByType({ number: 'scale' }) },
  whatsmyuri: NO_FIELDS,
};

/** The fields of one statement of a write command. */
export const STATEMENTS = {
  update: {
    required: fieldsByType({ object: 'q', update: 'u' }),
    optional: fieldsByType({ boolean: 'multi upsert', array: 'arrayFilters', object: 'collation sort', hint: 'hint' }),
    unsupported: splitNames('c'),
  },
  delete: {
    required: fieldsByType({ object: 'q', number: 'limit' }),
    optional: fieldsByType({ object: 'collation', hint: 'hint' }),
  },
} satisfies { readonly [command: string]: CommandSpec };

/** Commands of MongoDB that this store does not support (238). */
export const UNSUPPORTED_COMMANDS: ReadonlySet<string> = nameSet(
  'mapReduce renameCollection convertToCapped cloneCollectionAsCapped createUser updateUser dropUser usersInfo createRole grantRolesToUser saslStart',
  'authenticate currentOp killOp fsync compact reIndex profile setParameter replSetGetStatus replSetStepDown shardCollection enableSharding',
  'setFeatureCompatibilityVersion top shutdown',
);

/** Commands and stages that need a search service. A MongoDB server without one also returns SearchNotEnabled (31082). */
export const SEARCH_FEATURES: ReadonlySet<string> = nameSet(
  'createSearchIndexes dropSearchIndex updateSearchIndex $search $searchMeta $vectorSearch $listSearchIndexes',
);

/** Stages of MongoDB that this store does not support (238). */
export const UNSUPPORTED_STAGES: ReadonlySet<string> = nameSet(
  '$out $merge $sample $setWindowFields $geoNear $bucket $bucketAuto $sortByCount $redact $densify $fill $documents $changeStream',
  '$changeStreamSplitLargeEvent $collStats $indexStats $currentOp $listSessions $listLocalSessions $planCacheStats $querySettings $queryStats',
);

/** Query operators of MongoDB that this store does not support (238). */
export const UNSUPPORTED_QUERY_OPERATORS: ReadonlySet<string> = nameSet(
  '$where $text $jsonSchema $sampleRate $alwaysTrue $alwaysFalse $bitsAllSet $bitsAllClear $bitsAnySet $bitsAnyClear',
  '$geoWithin $geoIntersects $near $nearSphere $within $maxDistance $minDistance',
);

/** Update operators of MongoDB that this store does not support (238). */
export const UNSUPPORTED_UPDATE_OPERATORS: ReadonlySet<string> = nameSet('$bit');

/** Accumulators of MongoDB that this store does not support (238). */
export const UNSUPPORTED_ACCUMULATORS: ReadonlySet<string> = nameSet(
  '$accumulator $bottom $bottomN $firstN $lastN $maxN $median $mergeObjects $minN $percentile $stdDevPop $stdDevSamp $top $topN',
);

/** Expression operators of MongoDB that this store does not support (238). */
export const UNSUPPORTED_EXPRESSIONS: ReadonlySet<string> = nameSet(
  '$acos $acosh $allElementsTrue $anyElementTrue $asin $asinh $atan $atan2 $atanh $avg $binarySize $bitAnd $bitNot $bitOr $bitXor $bsonSize $convert $cos',
  '$cosh $dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateTrunc $dayOfMonth $dayOfWeek $dayOfYear $degreesToRadians $exp',
  '$firstN $function $hour $indexOfBytes $indexOfCP $isNumber $isoDayOfWeek $isoWeek $isoWeekYear $lastN $ln $log $log10 $ltrim $max $maxN $median $meta',
  '$millisecond $min $minN $minute $month $percentile $pow $radiansToDegrees $rand $range $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $rtrim',
  '$sampleRate $second $setEquals $setIsSubset $sin $sinh $sqrt $stdDevPop $stdDevSamp $strLenBytes $strcasecmp $substr $substrBytes $sum $tan $tanh $toBool',
  '$toDecimal $toHashedIndexKey $toObjectId $toUUID $trunc $tsIncrement $tsSecond $week $year $zip',
);

export const QUERY_OPERATORS = splitNames(
  '$eq $ne $gt $gte $lt $lte $in $nin $and $or $nor $not $exists $type $regex $options $all $size $elemMatch $mod $expr $comment',
);
export const UPDATE_OPERATORS = splitNames(
  '$set $unset $inc $mul $min $max $rename $setOnInsert $currentDate $push $each $position $slice $sort $addToSet $pop $pull $pullAll',
);
export const STAGES = splitNames(
  '$match $project $set $addFields $unset $sort $limit $skip $count $group $unwind $replaceRoot $replaceWith $facet $lookup $graphLookup $unionWith',
);
export const ACCUMULATORS = splitNames('$sum $avg $min $max $first $last $push $addToSet $count');
export const EXPRESSIONS = splitNames(
  '$eq $ne $gt $gte $lt $lte $cmp $and $or $not $cond $ifNull $switch $let $literal $add $subtract $multiply $divide $mod $abs $ceil $floor $round',
  '$concat $toLower $toUpper $substrCP $strLenCP $split $trim $size $arrayElemAt $first $last $slice $in $indexOfArray $concatArrays $filter $map $reduce',
  '$reverseArray $sortArray $setUnion $setIntersection $setDifference $isArray $mergeObjects $objectToArray $arrayToObject $getField $setField $unsetField',
  '$type $toString $toInt $toLong $toDouble $toDate $dateToString',
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

export const COLLATION_FIELDS: ReadonlySet<string> = nameSet('locale strength numericOrdering caseLevel');
export const UNSUPPORTED_COLLATION_FIELDS: ReadonlySet<string> = nameSet(
  'caseFirst alternate maxVariable backwards normalization',
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
