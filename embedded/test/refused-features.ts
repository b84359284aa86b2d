// Features of MongoDB that the store refuses, as data for the tests.
const splitNames = (...lines: string[]): readonly string[] => lines.join(' ').split(' ');

/** Names by the place where they are used. */
export const REFUSED = {
  commands: splitNames(
    'mapReduce renameCollection convertToCapped cloneCollectionAsCapped createUser updateUser dropUser',
    'usersInfo createRole grantRolesToUser saslStart authenticate currentOp killOp fsync compact reIndex',
    'profile setParameter replSetGetStatus replSetStepDown shardCollection enableSharding',
    'setFeatureCompatibilityVersion top shutdown collMod getCmdLineOpts hostInfo serverStatus dbStats',
    'collStats whatsmyuri',
  ),
  stages: splitNames(
    '$facet $graphLookup $unionWith $out $merge $sample $setWindowFields $geoNear $bucket $bucketAuto',
    '$sortByCount $redact $densify $fill $documents $changeStream $changeStreamSplitLargeEvent $collStats',
    '$indexStats $currentOp $listSessions $listLocalSessions $planCacheStats $querySettings $queryStats',
  ),
  queryOperators: splitNames(
    '$all $mod $where $text $jsonSchema $sampleRate $alwaysTrue $alwaysFalse $bitsAllSet $bitsAllClear',
    '$bitsAnySet $bitsAnyClear $geoWithin $geoIntersects $near $nearSphere $within $maxDistance $minDistance',
  ),
  updateOperators: splitNames('$bit $rename $currentDate $mul $min $push $addToSet $pop $pull $pullAll'),
  accumulators: splitNames(
    '$accumulator $bottom $bottomN $firstN $lastN $maxN $median $mergeObjects $minN $percentile $stdDevPop',
    '$stdDevSamp $top $topN',
  ),
  expressions: splitNames(
    '$abs $acos $acosh $allElementsTrue $anyElementTrue $arrayToObject $asin $asinh $atan $atan2 $atanh $avg',
    '$binarySize $bitAnd $bitNot $bitOr $bitXor $bsonSize $ceil $cmp $concatArrays $convert $cos $cosh',
    '$dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString $dateTrunc',
    '$dayOfMonth $dayOfWeek $dayOfYear $degreesToRadians $exp $firstN $floor $function $getField $hour',
    '$indexOfArray $indexOfBytes $indexOfCP $isNumber $isoDayOfWeek $isoWeek $isoWeekYear $lastN $let $ln $log',
    '$log10 $ltrim $max $maxN $median $meta $millisecond $min $minN $minute $mod $month $objectToArray',
    '$percentile $pow $radiansToDegrees $rand $range $reduce $regexFind $regexFindAll $regexMatch $replaceAll',
    '$replaceOne $reverseArray $round $rtrim $sampleRate $second $setDifference $setEquals $setField',
    '$setIntersection $setIsSubset $setUnion $sin $sinh $sortArray $split $sqrt $stdDevPop $stdDevSamp',
    '$strLenBytes $strLenCP $strcasecmp $substr $substrBytes $substrCP $sum $switch $tan $tanh $toBool $toDate',
    '$toDecimal $arrayElemAt $concat $divide $filter $first $in $isArray $last $map $mergeObjects $toLower',
    '$toString $toUpper $type $toDouble $toHashedIndexKey $toInt $toLong $toObjectId $toUUID $trim $trunc',
    '$tsIncrement $tsSecond $unsetField $week $year $zip',
  ),
  indexTypes: splitNames('text hashed 2d 2dsphere'),
} as const;

/** Options by command, statement or embedded document; those of every command have the key ''. */
export const REFUSED_OPTIONS: { readonly [place: string]: readonly string[] } = {
  find: splitNames('min max'),
  count: splitNames('fields'),
  create: splitNames(
    'timeseries clusteredIndex encryptedFields viewOn pipeline validator validationLevel validationAction',
    'collation storageEngine indexOptionDefaults expireAfterSeconds size max changeStreamPreAndPostImages',
    'autoIndexId',
  ),
  createIndexes: splitNames('commitQuorum'),
  update: splitNames('c sampleId'),
  delete: splitNames('sampleId'),
  'bulkWrite update': splitNames('constants sampleId'),
  'bulkWrite delete': splitNames('sampleId'),
  collation: splitNames('caseFirst alternate maxVariable'),
  lsid: splitNames('uid txnNumber txnUUID'),
  readPreference: splitNames('tags hedge maxStalenessSeconds'),
  readConcern: splitNames('atClusterTime provenance'),
  writeConcern: splitNames('provenance'),
  nsInfo: splitNames('collectionUUID encryptionInformation'),
  '': splitNames('collectionUUID encryptionInformation querySettings $audit $client'),
  index: splitNames(
    'weights default_language language_override textIndexVersion 2dsphereIndexVersion bits min max',
    'wildcardProjection storageEngine prepareUnique clustered ns',
  ),
};
