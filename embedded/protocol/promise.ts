// What the embedded store promises, as data: validate.ts refuses the rest, README.md is compared with it, tests try every name.

/** The BSON type a field of a command must have; `number` is any of the four number types. */
export type FieldType = 'object' | 'array' | 'number' | 'boolean' | 'string' | 'hint' | 'update' | 'any';

/** The fields of one command. `refused` are real MongoDB options outside the promise: they may only say "no". */
export type CommandPromise = { required?: Fields; optional?: Fields; refused?: readonly string[] };
export type Fields = { readonly [field: string]: FieldType };

/** Fields that any command may carry. */
export const COMMON_FIELDS = typed({
  string: '$db apiVersion',
  object: 'lsid $readPreference $clusterTime readConcern writeConcern',
  number: 'txnNumber maxTimeMS',
  boolean: 'autocommit startTransaction apiStrict apiDeprecationErrors',
  any: 'comment',
});

const NOTHING: CommandPromise = {};
const FREE: CommandPromise = { optional: { '*': 'any' } };

const FIND_AND_MODIFY: CommandPromise = {
  optional: typed({
    object: 'query sort fields projection collation let',
    boolean: 'remove new upsert bypassDocumentValidation',
    update: 'update',
    array: 'arrayFilters',
    hint: 'hint',
  }),
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
  commitTransaction: { optional: typed({ object: 'recoveryToken' }) },
  abortTransaction: { optional: typed({ object: 'recoveryToken' }) },
  find: {
    optional: typed({
      object: 'filter sort projection collation let',
      hint: 'hint',
      number: 'skip limit batchSize',
      boolean: 'singleBatch noCursorTimeout',
    }),
    refused: words('min max returnKey showRecordId tailable awaitData oplogReplay allowDiskUse allowPartialResults'),
  },
  getMore: { required: typed({ string: 'collection' }), optional: typed({ number: 'batchSize' }) },
  killCursors: { required: typed({ array: 'cursors' }) },
  aggregate: {
    required: typed({ array: 'pipeline' }),
    optional: typed({ object: 'cursor collation let', hint: 'hint', boolean: 'bypassDocumentValidation' }),
    refused: words('explain allowDiskUse'),
  },
  count: { optional: typed({ object: 'query collation', number: 'limit skip', hint: 'hint', any: 'fields' }) },
  distinct: { required: typed({ string: 'key' }), optional: typed({ object: 'query collation', hint: 'hint' }) },
  explain: { optional: typed({ string: 'verbosity' }) },
  insert: { optional: typed({ array: 'documents', boolean: 'ordered bypassDocumentValidation' }) },
  update: { optional: typed({ array: 'updates', boolean: 'ordered bypassDocumentValidation', object: 'let' }) },
  delete: { optional: typed({ array: 'deletes', boolean: 'ordered', object: 'let' }) },
  findAndModify: FIND_AND_MODIFY,
  findandmodify: FIND_AND_MODIFY,
  bulkWrite: {
    optional: typed({
      array: 'ops nsInfo',
      boolean: 'ordered errorsOnly bypassDocumentValidation',
      object: 'let cursor',
    }),
  },
  create: {
    optional: typed({ object: 'changeStreamPreAndPostImages' }),
    refused: words(
      'capped timeseries clusteredIndex encryptedFields viewOn pipeline validator validationLevel validationAction collation storageEngine',
      'indexOptionDefaults expireAfterSeconds size max',
    ),
  },
  drop: NOTHING,
  dropDatabase: NOTHING,
  createIndexes: { required: typed({ array: 'indexes' }), refused: words('commitQuorum') },
  dropIndexes: { required: typed({ any: 'index' }) },
  collMod: {
    optional: typed({ object: 'index' }),
    refused: words(
      'validator validationLevel validationAction viewOn pipeline changeStreamPreAndPostImages cappedSize cappedMax',
    ),
  },
  listCollections: { optional: typed({ object: 'filter cursor', boolean: 'nameOnly authorizedCollections' }) },
  listDatabases: { optional: typed({ object: 'filter', boolean: 'nameOnly authorizedDatabases' }) },
  listIndexes: { optional: typed({ object: 'cursor' }) },
  validate: { optional: typed({ boolean: 'full' }) },
  connectionStatus: { optional: typed({ boolean: 'showPrivileges' }) },
  getParameter: FREE,
  getLog: NOTHING,
  getCmdLineOpts: NOTHING,
  hostInfo: NOTHING,
  serverStatus: FREE,
  dbStats: { optional: typed({ number: 'scale freeStorage' }) },
  collStats: { optional: typed({ number: 'scale' }) },
  whatsmyuri: NOTHING,
};

/** The fields of one statement of a write command. */
export const STATEMENTS = {
  update: {
    required: typed({ object: 'q', update: 'u' }),
    optional: typed({ boolean: 'multi upsert', array: 'arrayFilters', object: 'collation sort', hint: 'hint' }),
    refused: words('c'),
  },
  delete: { required: typed({ object: 'q', number: 'limit' }), optional: typed({ object: 'collation', hint: 'hint' }) },
} satisfies { readonly [command: string]: CommandPromise };

/** Commands of MongoDB that this store does not have; any other name is unknown. */
export const REFUSED_COMMANDS: ReadonlySet<string> = names(
  'mapReduce renameCollection convertToCapped cloneCollectionAsCapped createUser updateUser dropUser usersInfo createRole grantRolesToUser saslStart',
  'authenticate currentOp killOp fsync compact reIndex profile setParameter replSetGetStatus replSetStepDown shardCollection enableSharding',
  'setFeatureCompatibilityVersion top shutdown',
);

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

export const QUERY_OPERATORS = words(
  '$eq $ne $gt $gte $lt $lte $in $nin $and $or $nor $not $exists $type $regex $options $all $size $elemMatch $mod $expr $comment',
);
export const UPDATE_OPERATORS = words(
  '$set $unset $inc $mul $min $max $rename $setOnInsert $currentDate $push $each $position $slice $sort $addToSet $pop $pull $pullAll',
);
export const STAGES = words(
  '$match $project $set $addFields $unset $sort $limit $skip $count $group $unwind $replaceRoot $replaceWith $facet $lookup $graphLookup $unionWith',
);
export const ACCUMULATORS = words('$sum $avg $min $max $first $last $push $addToSet $count');
export const EXPRESSIONS = words(
  '$eq $ne $gt $gte $lt $lte $cmp $and $or $not $cond $ifNull $switch $let $literal $add $subtract $multiply $divide $mod $abs $ceil $floor $round',
  '$concat $toLower $toUpper $substrCP $strLenCP $split $trim $size $arrayElemAt $first $last $slice $in $indexOfArray $concatArrays $filter $map $reduce',
  '$reverseArray $sortArray $setUnion $setIntersection $setDifference $isArray $mergeObjects $objectToArray $arrayToObject $getField $setField $unsetField',
  '$type $toString $toInt $toLong $toDouble $toDate $dateToString',
);

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
export const REFUSED_COLLATION_FIELDS: ReadonlySet<string> = names(
  'caseFirst alternate maxVariable backwards normalization',
);

/** A snapshot only inside a transaction (246 elsewhere). */
export const READ_CONCERNS: ReadonlySet<string> = names('local available majority linearizable snapshot');

function words(...lines: string[]): readonly string[] {
  return lines.join(' ').split(' ');
}

function names(...lines: string[]): ReadonlySet<string> {
  return new Set(words(...lines));
}

// The fields by the type they must have.
function typed(byType: { [type in FieldType]?: string }): Fields {
  return Object.fromEntries(
    Object.entries(byType).flatMap(([type, fields]) => words(fields).map((field) => [field, type as FieldType])),
  );
}
