import { bsonTag, type Doc, isDocument, type Value } from '../values/bson.ts';

/** One condition on a path. `together` is shared by the conditions that one array element must meet at once (`$elemMatch`). */
export type Predicate = { path: string; operator: string; argument: Value; siblings: Doc; together?: Doc };

/** What a filter demands: every predicate, and for each `$or` the filters of which one must hold. `whole` when nothing else was in the filter. */
export type Demands = { predicates: Predicate[]; alternatives: Doc[][]; whole: boolean };

/** Takes a filter apart into conditions that must all hold. What it does not understand is left to the filter itself. */
export function demandsOf(filter: Doc): Demands {
  const demands: Demands = { predicates: [], alternatives: [], whole: true };
  collect(filter, '', demands);
  return demands;
}

/** Does the value stand for conditions (`{$gt: 1}`) and not for itself? */
const isOperators = (value: Value): value is Doc =>
  isDocument(value) && Object.keys(value)[0]?.startsWith('$') === true && !isReference(value);

function collect(filter: Doc, prefix: string, demands: Demands, together?: Doc): void {
  for (const [name, condition] of Object.entries(filter)) {
    if (name === '$and' && Array.isArray(condition))
      for (const part of condition) collect(part as Doc, prefix, demands, together);
    else if (name === '$or' && Array.isArray(condition) && condition.length === 1)
      collect(condition[0] as Doc, prefix, demands, together);
    else if (name === '$or' && Array.isArray(condition) && !prefix) {
      demands.alternatives.push(condition as Doc[]);
      demands.whole = false;
    } else if (name.startsWith('$')) demands.whole &&= name === '$comment';
    else if (isOperators(condition)) collectOperators(condition, prefix + name, demands, together);
    else
      add(
        demands,
        {
          path: prefix + name,
          operator: bsonTag(condition) === 'BSONRegExp' ? '$regex' : '$eq',
          argument: condition,
          siblings: {},
        },
        together,
      );
  }
}

function collectOperators(operators: Doc, path: string, demands: Demands, together?: Doc): void {
  for (const [operator, argument] of Object.entries(operators)) {
    if (operator === '$elemMatch' && isDocument(argument)) {
      demands.whole = false;
      // Conditions on the elements themselves, or on fields of the elements: either way one element meets them all.
      if (isOperators(argument)) collectOperators(argument, path, demands, argument);
      else collect(argument, `${path}.`, demands, argument);
    } else if (operator === '$all' && Array.isArray(argument)) {
      demands.whole = false;
      const [first] = argument;
      if (argument.length > 0 && isOperators(first)) collectOperators(first, path, demands, together);
      else if (argument.length > 0) add(demands, { path, operator: '$eq', argument: first, siblings: {} }, together);
    } else if (operator !== '$options') add(demands, { path, operator, argument, siblings: operators }, together);
  }
}

const add = (demands: Demands, predicate: Predicate, together: Doc | undefined): void =>
  void demands.predicates.push(together ? { ...predicate, together } : predicate);

// {$ref, $id} is a reference to a document, not a list of operators.
const isReference = (value: Doc): boolean => '$ref' in value || '$id' in value;
