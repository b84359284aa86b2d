/** A known difference: whether it explains two answers to an operation of a kind over some documents, all written out as text. */
export type Difference = {
  reason: string;
  applies(kind: string, operation: string, ours: string, theirs: string, docs: string): boolean;
};
const updates = (kind: string) => kind === 'update' || kind === 'write';
const both =
  (...codes: string[]) =>
  (ours: string, theirs: string) =>
    codes.includes(`${ours}/${theirs}`.replaceAll('refused ', ''));

/** Where the DocumentDB engine differs from MongoDB: the fault is its own. On a MongoDB server nothing is excused. */
export const DOCUMENTDB: readonly Difference[] = [
  {
    reason: 'an empty array sorts as null, an index over nested arrays as missing',
    // also one that was computed, which the answer shows as the value of a field
    applies: (kind, operation, ours, _theirs, docs) =>
      (kind === 'sort' || operation.includes('sort:')) && (/\[\]|\[\[/.test(docs) || ours.includes(':[]')),
  },
  {
    reason: 'some operations take the engine down',
    applies: (_kind, _operation, _ours, theirs) => theirs === 'refused 91',
  },
  {
    reason: 'decimals with a fraction never equal doubles in $in, $lookup and $group',
    applies: (_, operation) => /decimal -?\d+e-/.test(operation) && /\$n?in|lookup|graph|addToSet/.test(operation),
  },
  {
    reason: '$[] over a value that is no array is PathNotViable, or nothing for $unset',
    applies: (kind, operation, ours, theirs) =>
      updates(kind) && operation.includes('$[') && ours === 'refused 2' && !theirs.startsWith('refused 2'),
  },
  {
    reason: 'a name inside an empty array is FailedToParse or passed over',
    applies: (kind, _, ours, theirs) =>
      updates(kind) && (both('28/9')(ours, theirs) || (ours === 'refused 28' && !theirs.startsWith('refused'))),
  },
  {
    reason: 'what refuses first when two things are wrong',
    applies: (kind, _, ours, theirs) =>
      updates(kind) &&
      both('2/40', '28/40', '2/28', '2/9', '14/28', '14/40', '40/2', '40/28', '40/9', '28/2', '40/14')(ours, theirs),
  },
  {
    reason: '$pop of a value that is no array is BadValue',
    applies: (kind, operation, ours, theirs) =>
      updates(kind) && operation.includes('$pop') && both('14/2')(ours, theirs),
  },
  {
    reason: '$push and $addToSet of nothing do not create the array',
    applies: (kind, operation) => updates(kind) && /\$each:\[\]|\$slice:int 0/.test(operation),
  },
  {
    reason: '$setOnInsert takes no part in conflicts',
    applies: (kind, operation, ours) => updates(kind) && operation.includes('$setOnInsert') && ours === 'refused 40',
  },
  {
    reason: '$unset through an array by name is refused',
    applies: (kind, operation, _, theirs) => updates(kind) && operation.includes('$unset') && theirs === 'refused 28',
  },
  {
    reason: '$pop, $pull and $rename of what is missing create its parents',
    applies: (kind, operation, _ours, theirs) =>
      updates(kind) && /\$pop|\$pull|\$rename/.test(operation) && /[abn]:\{\}/.test(theirs),
  },
  {
    reason: '$unset inside elements that are no documents is refused',
    applies: (kind, operation, _ours, theirs) =>
      updates(kind) && /\$unset.*\$\[\]/.test(operation) && theirs === 'refused 2',
  },
  {
    reason: '$unset and a following $set are taken for one stage',
    applies: (kind, operation, _ours, _theirs) => kind === 'pipeline' && /\$unset.*\$set/.test(operation),
  },
  {
    reason: '$inc and $mul replace a boolean',
    applies: (kind, operation, ours, theirs) =>
      updates(kind) && /\$inc|\$mul/.test(operation) && ours === 'refused 14' && !theirs.startsWith('refused'),
  },
  {
    reason: '$rename of an index beyond the array is refused',
    applies: (kind, operation, _, theirs) => updates(kind) && operation.includes('$rename') && theirs === 'refused 2',
  },
  {
    reason: '$mod of longs beyond 2^53 is that of the nearest doubles',
    applies: (kind, operation, ours, theirs) =>
      kind === 'expression' &&
      /\$mod:.*long -?\d{16,}/.test(operation) &&
      withoutNumbers(ours) === withoutNumbers(theirs),
  },
  {
    reason: 'branches that are not taken are evaluated',
    applies: (kind, _, ours, theirs) =>
      kind === 'expression' && theirs.startsWith('refused') && !ours.startsWith('refused'),
  },
  {
    reason: 'the first of several refusals',
    applies: (kind, _, ours, theirs) =>
      kind === 'expression' && both('2/241', '241/2', '14/2', '2/14', '14/241', '241/14')(ours, theirs),
  },
  {
    reason: '$arrayElemAt beyond a constant array is null',
    applies: (kind, operation, ours, theirs) =>
      kind === 'expression' &&
      operation.includes('$arrayElemAt') &&
      !ours.startsWith('refused') &&
      !theirs.startsWith('refused'),
  },
  {
    reason: 'updatedExisting is false where an update changes nothing',
    applies: (_kind, _operation, ours, theirs) =>
      ours.replace('updatedExisting:bool true', 'updatedExisting:bool false') === theirs,
  },
  {
    reason: 'what is wrong is not said where no document is found',
    applies: (_kind, _operation, ours, theirs) =>
      ours.startsWith('refused') && (theirs === '[]' || theirs.includes('n:int 0,nModified:int 0')),
  },
  {
    reason: 'what the engine itself does not support',
    applies: (_kind, _operation, _ours, theirs) => theirs === 'refused 115',
  },
  {
    reason: 'a positional $ without an element that matched changes nothing',
    applies: (kind, operation, ours, theirs) =>
      kind === 'write' && operation.includes('a.$') && ours === 'refused 2' && !theirs.startsWith('refused'),
  },
  {
    reason: '$all of nothing finds something',
    applies: (kind, operation) => kind === 'write' && operation.includes('$all:[]'),
  },
  {
    reason: 'of equal numbers of several types distinct and $group keep another one',
    applies: (_kind, operation, ours, theirs) =>
      /command:"distinct"|\$group/.test(operation) && withoutNumbers(ours) === withoutNumbers(theirs),
  },
  {
    reason: 'an array inside the element that a distinct path chooses is passed over',
    applies: (_kind, operation, _ours, _theirs, docs) =>
      operation.includes('command:"distinct",key:"a.0"') && docs.includes('a:[['),
  },
  {
    reason: 'a sparse index is used for an expression, which missing fields may meet',
    applies: (_kind, operation) => /\$expr:\{[^}]*\$b\.c/.test(operation),
  },
  {
    reason: 'an upsert may say by an expression in a branch what to find',
    applies: (_kind, _operation, ours) => ours === 'refused 224',
  },
  {
    reason: '$addToSet takes missing for null',
    applies: (kind, operation, ours, theirs) =>
      kind === 'pipeline' && operation.includes('$addToSet') && withoutNull(ours) === withoutNull(theirs),
  },
  {
    reason: 'a double added to a decimal brings 15 digits along, which $toString shows',
    applies: (_kind, operation, ours, theirs) =>
      operation.includes('$toString') && withoutZeros(ours) === withoutZeros(theirs),
  },
  {
    reason: 'missing sorts before null',
    applies: (kind, operation, _ours, theirs, docs) =>
      kind === 'read' &&
      operation.includes('sort:{') &&
      !theirs.startsWith('refused') &&
      docs.includes('a:null null') &&
      /_id:int \d+,[^a]/.test(docs),
  },
];

const withoutNumbers = (list: string): string => list.replace(/(?:int|long|double|decimal) [^"\]]*/g, 'number');
const withoutZeros = (text: string): string => text.replace(/(\.\d*?)0+(?=")/g, '$1');
const withoutNull = (text: string): string => text.replaceAll(/,?null null/g, '');
