// Known differences between servers, which the differential tests ignore.

/**
 * A known difference. `applies` receives the kind of operation, the operation, both results and the documents as text.
 */
export type Difference = {
  reason: string;
  applies(kind: string, operation: string, ours: string, theirs: string, docs: string): boolean;
};
const isUpdate = (kind: string) => kind === 'update' || kind === 'write';
const sortsByFields = (kind: string, operation: string) =>
  kind === 'sort' || /\bsort:\{(?!_id:int -?1\})/.test(operation);
const hasCodes =
  (...codes: string[]) =>
  (ours: string, theirs: string) =>
    codes.includes(`${ours}/${theirs}`.replaceAll('refused ', ''));

/** Differences between DocumentDB and MongoDB. Tests against a MongoDB server allow no differences. */
export const DOCUMENTDB: readonly Difference[] = [
  {
    reason: 'sorts an empty array as null, and an index over nested arrays as missing',
    // Also a computed empty array, which the result contains.
    applies: (kind, operation, ours, _theirs, docs) =>
      sortsByFields(kind, operation) && (/\[\]|\[\[/.test(docs) || ours.includes(':[]')),
  },
  {
    reason: 'crashes on some operations',
    applies: (_kind, _operation, _ours, theirs) => theirs === 'refused 91',
  },
  {
    reason: 'never treats decimals with a fraction as equal to doubles in $in, $lookup and $group',
    applies: (_, operation) => /decimal -?\d+e-/.test(operation) && /\$n?in|lookup|graph|addToSet/.test(operation),
  },
  {
    reason: 'reports PathNotViable for $[] on a value that is not an array, and nothing for $unset',
    applies: (kind, operation, ours, theirs) =>
      isUpdate(kind) && operation.includes('$[') && ours === 'refused 2' && !theirs.startsWith('refused 2'),
  },
  {
    reason: 'reports FailedToParse for a field name in an empty array, or ignores it',
    applies: (kind, _, ours, theirs) =>
      isUpdate(kind) && (hasCodes('28/9')(ours, theirs) || (ours === 'refused 28' && !theirs.startsWith('refused'))),
  },
  {
    reason: 'reports another error first if an update has two errors',
    applies: (kind, _, ours, theirs) =>
      isUpdate(kind) &&
      hasCodes(
        '2/40',
        '28/40',
        '2/28',
        '2/9',
        '14/28',
        '14/40',
        '40/2',
        '40/28',
        '40/9',
        '28/2',
        '40/14',
        '40/54',
      )(ours, theirs),
  },
  {
    reason: 'ignores $setOnInsert when it detects conflicting paths',
    applies: (kind, operation, ours) => isUpdate(kind) && operation.includes('$setOnInsert') && ours === 'refused 40',
  },
  {
    reason: 'rejects $unset of a named field of an array',
    applies: (kind, operation, _, theirs) => isUpdate(kind) && operation.includes('$unset') && theirs === 'refused 28',
  },
  {
    reason: 'rejects $unset in elements that are not documents',
    applies: (kind, operation, _ours, theirs) =>
      isUpdate(kind) && /\$unset.*\$\[\]/.test(operation) && theirs === 'refused 2',
  },
  {
    reason: 'combines $unset and a following $set into one stage',
    applies: (kind, operation, _ours, _theirs) => kind === 'pipeline' && /\$unset.*\$set/.test(operation),
  },
  {
    reason: 'replaces a boolean with $inc',
    applies: (kind, operation, ours, theirs) =>
      isUpdate(kind) && operation.includes('$inc') && ours === 'refused 14' && !theirs.startsWith('refused'),
  },
  {
    reason: 'evaluates branches that are not taken',
    applies: (kind, _, ours, theirs) =>
      kind === 'expression' && theirs.startsWith('refused') && !ours.startsWith('refused'),
  },
  {
    reason: 'reports another error first if an expression has several errors',
    applies: (kind, _, ours, theirs) =>
      kind === 'expression' && hasCodes('2/241', '241/2', '14/2', '2/14', '14/241', '241/14')(ours, theirs),
  },
  {
    reason: 'returns updatedExisting false if an update changes nothing',
    applies: (_kind, _operation, ours, theirs) =>
      ours.replace('updatedExisting:bool true', 'updatedExisting:bool false') === theirs,
  },
  {
    reason: 'reports no error if no document matches',
    applies: (_kind, _operation, ours, theirs) =>
      ours.startsWith('refused') && (theirs === '[]' || theirs.includes('n:int 0,nModified:int 0')),
  },
  {
    reason: 'does not support the operation',
    applies: (_kind, _operation, _ours, theirs) => theirs === 'refused 115',
  },
  {
    reason: 'returns another of several equal numbers of different types for distinct and $group',
    applies: (_kind, operation, ours, theirs) =>
      /command:"distinct"|\$group/.test(operation) && withoutNumbers(ours) === withoutNumbers(theirs),
  },
  {
    reason: 'ignores an array in the element that the path of distinct selects',
    applies: (_kind, operation, _ours, _theirs, docs) =>
      operation.includes('command:"distinct",key:"a.0"') && docs.includes('a:[['),
  },
  {
    reason: 'uses a sparse index for an expression that missing fields can meet',
    applies: (_kind, operation, ours, theirs) =>
      /\$expr:\{[^}]*\$b\.c/.test(operation) && findsFewer(operation, ours, theirs),
  },
  {
    reason: 'accepts an upsert whose filter has an expression in a branch',
    applies: (_kind, _operation, ours) => ours === 'refused 224',
  },
  {
    // MongoDB's manual, "Comparison and Sort Order": a missing field and null are equivalent in the order of a sort.
    reason: 'sorts missing before null',
    applies: (kind, operation, _ours, theirs, docs) =>
      kind === 'read' &&
      !theirs.startsWith('refused') &&
      ['a', 'b', 'c'].some(
        (field) =>
          new RegExp(`sort:\\{([^}]*,)?${field}\\b`).test(operation) &&
          new RegExp(`[{,]${field}:\\[?null null`).test(docs),
      ),
  },
  {
    // MongoDB's SortKeyGenerator takes the first key of an index over the paths, and rejects parallel arrays.
    reason: 'sorts by each path on its own if several paths lead to arrays',
    applies: (kind, operation, ours, theirs, docs) =>
      sortsByFields(kind, operation) &&
      isResult(theirs) &&
      (ours === 'refused 2' || (/[{,]([ab])(?:\.[^:]*)?:int -?1,\1[.:]/.test(operation) && docs.includes(':['))),
  },
  {
    // MongoDB's BtreeKeyGenerator continues from the element of a numeric path.
    reason: 'sorts an array that a numeric path selects as missing',
    applies: (kind, operation, _ours, theirs, docs) =>
      sortsByFields(kind, operation) &&
      isResult(theirs) &&
      /\ba\.\d[^:]*:int -?1/.test(operation) &&
      /\ba:\[[^\]]*\[/.test(docs),
  },
  {
    // MongoDB's manual, "$push (aggregation)": in the order of the documents that the stage receives.
    reason: 'pushes the values of a group in another order',
    applies: (kind, operation, ours, theirs) =>
      kind === 'pipeline' && operation.includes('$push') && withoutOrder(ours) === withoutOrder(theirs),
  },
  {
    // MongoDB's AccumulatorAddToSet adds a value unless it is missing.
    reason: 'adds null to the set of $addToSet for a missing value',
    applies: (kind, operation, ours, theirs) =>
      kind === 'pipeline' && operation.includes('$addToSet') && withoutNulls(ours) === withoutNulls(theirs),
  },
  {
    // MongoDB's manual, "Comparison/Sort Order": numbers are converted before they are compared, also inside of documents.
    reason: 'never finds a document with a decimal in $lookup by one with an equal number of another type',
    applies: (kind, operation, ours, theirs, docs) =>
      kind === 'pipeline' &&
      /\$lookup:\{as:"j",(?:foreignField:"c",|.*localField:"c"\})/.test(operation) &&
      /c:\{b:decimal/.test(docs) &&
      isResult(ours) &&
      isResult(theirs),
  },
  {
    // MongoDB's manual, "$gt (aggregation)": values of different types are compared by the order of the types.
    reason: 'finds only values of the same type by an index for a comparison in $expr',
    applies: (kind, operation, ours, theirs) =>
      kind === 'read' && /\$expr:\{\$[gl]te?:\["\$a",/.test(operation) && findsFewer(operation, ours, theirs),
  },
  {
    // MongoDB's $elemMatch applies $size to an element that is an array (ElemMatchValueMatchExpression).
    reason: 'finds no empty array in an array by an index for $size in $elemMatch',
    applies: (_kind, operation, ours, theirs, docs) =>
      /\ba:\{\$elemMatch:\{\$size/.test(operation) &&
      /\ba:\[[^\]]*\[/.test(docs) &&
      findsFewer(operation, ours, theirs),
  },
  {
    // MongoDB's manual, "Comparison/Sort Order", as above: DocumentDB does so for $eq, and for $in with one value.
    reason: 'finds documents and arrays by $in with several values only if their numbers have the same type',
    applies: (_kind, operation, ours, theirs) =>
      /\$n?in:\[(?:[^[\]{}]*,)?(?:\[[^\]]*|\{[^}]*)(?:int|long|double|decimal) /.test(operation) &&
      (findsFewer(operation, ours, theirs) || findsFewer(operation, theirs, ours)),
  },
  {
    // MongoDB's manual, "Comparison/Sort Order": most comparisons are limited to values of the type of the operand.
    reason: 'finds an array in an array with $gt of a document',
    applies: (_kind, operation, ours, theirs, docs) =>
      /\$gte?:\{/.test(operation) &&
      /\[\[/.test(docs) &&
      (findsFewer(operation, ours, theirs) || findsFewer(operation, theirs, ours)),
  },
  {
    reason: 'fails on a $match of the result of $avg',
    applies: (kind, operation, _ours, theirs) =>
      kind === 'pipeline' && /\$avg.*\$match/.test(operation) && theirs === 'refused 1',
  },
  {
    reason: 'does not sort by _id if other fields and a collation follow',
    applies: (kind, operation, _ours, theirs) =>
      kind === 'read' && /collation:.*sort:\{_id:int 1,/.test(operation) && !isAscending(idsOf(theirs)),
  },
  {
    // MongoDB's manual, "update": nModified does not count an update that changes nothing.
    reason: 'counts $unset of an element that is null as a modification',
    applies: (kind, operation, ours, theirs) =>
      kind === 'write' && operation.includes('$unset') && withoutCount(ours) === withoutCount(theirs),
  },
];

const idsOf = (list: string): number[] => [...list.matchAll(/\{_id:int (\d+)/g)].map(([, id]) => Number(id));
const isAscending = (list: readonly number[]): boolean => list.every((id, n) => n === 0 || id > (list[n - 1] ?? 0));
const withoutCount = (result: string): string => result.replace(/nModified:int \d+/, '');
// Each array as a sorted list of what is between its commas.
function withoutOrder(list: string): string {
  const inner = list.replace(/\[([^[\]]*)\]/g, (_, items: string) => {
    const parts = items.split(',').filter((item) => item !== '');
    return `(${parts.sort().join()})`;
  });
  return inner === list ? list : withoutOrder(inner);
}
// The elements of a set have no order.
const withoutNulls = (list: string): string => withoutOrder(list.replace(/(?<=[[,])null null(?:,|(?=\]))/g, ''));
const isResult = (result: string): boolean => !result.startsWith('refused');
// Whether a query finds only a part of the documents, as far as its result shows: a list with ids, or a count.
function findsFewer(operation: string, ours: string, theirs: string): boolean {
  if (!isResult(ours) || !isResult(theirs)) return false;
  if (operation.includes('command:"count"')) return Number(theirs.split(' ')[1]) < Number(ours.split(' ')[1]);
  if (/command:"(?!find")|\b(?:limit|skip):/.test(operation)) return true;
  const found = new Set(idsOf(ours));
  return idsOf(theirs).every((id) => found.has(id)) && idsOf(theirs).length < found.size;
}
const withoutNumbers = (list: string): string => list.replace(/(?:int|long|double|decimal) [^"\]]*/g, 'number');
