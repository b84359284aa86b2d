// Decides whether a query can use a partial index.
import { type Doc, isTruthy, setField, type Value } from '../values/bson.ts';
import { compare, equal, RANK, rankOf } from '../values/compare.ts';
import { compileFilter } from './match.ts';
import { type Predicate, splitFilter } from './predicates.ts';

/**
 * Whether every document that meets the predicates also meets the filter of a partial index, so the index contains it.
 */
export function impliesFilter(predicates: Predicate[], filter: Doc): boolean {
  const required = splitFilter(filter);
  if (!required.complete) return false;
  return required.predicates.every((condition) =>
    predicates.some((known) => known.path === condition.path && implies(known, condition)),
  );
}

function implies(known: Predicate, condition: Predicate): boolean {
  if (known.operator === condition.operator && equal(known.argument, condition.argument)) return true;
  const { operator, argument } = known;
  if (operator === '$eq') return valueMeets(argument, condition);
  if (operator === '$in')
    return Array.isArray(argument) && argument.length > 0 && argument.every((value) => valueMeets(value, condition));
  if (condition.operator === '$exists') return isTruthy(condition.argument) && excludesMissing(known);
  return rangeImplies(known, condition);
}

// For example {$gt: 5} implies {$gte: 3}. Only values of the same type compare.
function rangeImplies(known: Predicate, condition: Predicate): boolean {
  if (rankOf(known.argument) !== rankOf(condition.argument)) return false;
  const order = compare(known.argument, condition.argument);
  const isLower = (operator: string) => operator === '$gt' || operator === '$gte';
  const isUpper = (operator: string) => operator === '$lt' || operator === '$lte';
  const strict = condition.operator.length === 3 && known.operator.length === 4;
  if (isLower(known.operator) && isLower(condition.operator)) return strict ? order > 0 : order >= 0;
  if (isUpper(known.operator) && isUpper(condition.operator)) return strict ? order < 0 : order <= 0;
  return false;
}

function excludesMissing({ operator, argument }: Predicate): boolean {
  if (operator === '$exists') return isTruthy(argument);
  if (operator === '$ne') return rankOf(argument) === RANK.null;
  return (COMPARISONS.has(operator) && rankOf(argument) !== RANK.null) || operator === '$regex' || operator === '$type';
}

const COMPARISONS = new Set(['$gt', '$gte', '$lt', '$lte']);

// Whether a document with just this value meets the condition. Null also matches a missing field.
function valueMeets(value: Value, { path, operator, argument }: Predicate): boolean {
  if (rankOf(value) === RANK.null) return operator === '$eq' && rankOf(argument) === RANK.null;
  return compileFilter({ [path]: { [operator]: argument } }).test(documentWith(path, value));
}

function documentWith(path: string, value: Value): Doc {
  const [first, ...rest] = path.split('.');
  const doc: Doc = {};
  setField(doc, first ?? '', rest.length > 0 ? documentWith(rest.join('.'), value) : value);
  return doc;
}
