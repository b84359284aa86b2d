// Splits filters into predicates on paths.
import { bsonTag, type Doc, isDocument, type Value } from '../values/bson.ts';

/** A condition on a path. `together` is shared by the conditions of one `$elemMatch`, which one element must meet. */
export type Predicate = { path: string; operator: string; argument: Value; siblings: Doc; elemMatch?: Doc };

/** The parts of a filter: predicates that must all hold, and the branches of each `$or`. `whole`: nothing else is in it. */
export type FilterParts = { predicates: Predicate[]; alternatives: Doc[][]; complete: boolean };

/** Splits a filter into conditions that must all hold. Other operators are left to the compiled filter. */
export function splitFilter(filter: Doc): FilterParts {
  const demands: FilterParts = { predicates: [], alternatives: [], complete: true };
  collect(filter, '', demands);
  return demands;
}

/** Whether the value is a document of operators (`{$gt: 1}`). */
const isOperators = (value: Value): value is Doc =>
  isDocument(value) && Object.keys(value)[0]?.startsWith('$') === true && !isReference(value);

function collect(filter: Doc, prefix: string, demands: FilterParts, together?: Doc): void {
  for (const [name, condition] of Object.entries(filter)) {
    if (name === '$and' && Array.isArray(condition))
      for (const part of condition) collect(part as Doc, prefix, demands, together);
    else if (name === '$or' && Array.isArray(condition) && condition.length === 1)
      collect(condition[0] as Doc, prefix, demands, together);
    else if (name === '$or' && Array.isArray(condition) && !prefix) {
      demands.alternatives.push(condition as Doc[]);
      demands.complete = false;
    } else if (name.startsWith('$')) demands.complete &&= name === '$comment';
    else if (isOperators(condition)) collectOperators(condition, prefix + name, demands, together);
    else
      addPredicate(
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

function collectOperators(operators: Doc, path: string, demands: FilterParts, together?: Doc): void {
  for (const [operator, argument] of Object.entries(operators)) {
    if (operator === '$elemMatch' && isDocument(argument)) {
      demands.complete = false;
      // Conditions on the elements themselves or on fields of the elements: one element must meet all.
      if (isOperators(argument)) collectOperators(argument, path, demands, argument);
      else collect(argument, `${path}.`, demands, argument);
    } else if (operator === '$all' && Array.isArray(argument)) {
      demands.complete = false;
      const [first] = argument;
      if (argument.length > 0 && isOperators(first)) collectOperators(first, path, demands, together);
      else if (argument.length > 0)
        addPredicate(demands, { path, operator: '$eq', argument: first, siblings: {} }, together);
    } else if (operator !== '$options')
      addPredicate(demands, { path, operator, argument, siblings: operators }, together);
  }
}

const addPredicate = (demands: FilterParts, predicate: Predicate, together: Doc | undefined): void =>
  void demands.predicates.push(together ? { ...predicate, elemMatch: together } : predicate);

// {$ref, $id} is a reference to a document, not a list of operators.
const isReference = (value: Doc): boolean => '$ref' in value || '$id' in value;
