// Splits filters into predicates on paths.
import { bsonTag, type Doc, isDocument, type Value } from '../values/bson.ts';

/** A condition on a path. `elemMatch` is shared by the conditions of one `$elemMatch`, which one element must meet. */
export type Predicate = { path: string; operator: string; argument: Value; siblings: Doc; elemMatch?: Doc };

/**
 * The parts of a filter: predicates that must all hold, and the branches of each `$or`. `complete`: only predicates.
 */
export type FilterParts = { predicates: Predicate[]; alternatives: Doc[][]; complete: boolean };

/** Splits a filter into conditions that must all hold. Other operators are left to the compiled filter. */
export function splitFilter(filter: Doc): FilterParts {
  const parts: FilterParts = { predicates: [], alternatives: [], complete: true };
  collect(filter, '', parts);
  return parts;
}

/** Whether the value is a document of operators (`{$gt: 1}`). */
const isOperators = (value: Value): value is Doc =>
  isDocument(value) && Object.keys(value)[0]?.startsWith('$') === true && !isReference(value);

function collect(filter: Doc, prefix: string, parts: FilterParts, elemMatch?: Doc): void {
  for (const [name, condition] of Object.entries(filter)) {
    if (name === '$and' && Array.isArray(condition))
      for (const part of condition) collect(part as Doc, prefix, parts, elemMatch);
    else if (name === '$or' && Array.isArray(condition) && condition.length === 1)
      collect(condition[0] as Doc, prefix, parts, elemMatch);
    else if (name === '$or' && Array.isArray(condition) && !prefix) {
      parts.alternatives.push(condition as Doc[]);
      parts.complete = false;
    } else if (name.startsWith('$')) parts.complete &&= name === '$comment';
    else if (isOperators(condition)) collectOperators(condition, prefix + name, parts, elemMatch);
    else
      addPredicate(
        parts,
        {
          path: prefix + name,
          operator: bsonTag(condition) === 'BSONRegExp' ? '$regex' : '$eq',
          argument: condition,
          siblings: {},
        },
        elemMatch,
      );
  }
}

function collectOperators(operators: Doc, path: string, parts: FilterParts, elemMatch?: Doc): void {
  for (const [operator, argument] of Object.entries(operators)) {
    if (operator === '$elemMatch' && isDocument(argument)) {
      parts.complete = false;
      // Conditions on the elements themselves or on fields of the elements: one element must meet all.
      if (isOperators(argument)) collectOperators(argument, path, parts, argument);
      else collect(argument, `${path}.`, parts, argument);
    } else if (operator !== '$options')
      addPredicate(parts, { path, operator, argument, siblings: operators }, elemMatch);
  }
}

const addPredicate = (parts: FilterParts, predicate: Predicate, elemMatch: Doc | undefined): void =>
  void parts.predicates.push(elemMatch ? { ...predicate, elemMatch } : predicate);

// {$ref, $id} is a reference to a document, not a list of operators.
const isReference = (value: Doc): boolean => '$ref' in value || '$id' in value;
