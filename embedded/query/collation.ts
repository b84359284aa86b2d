// Collations: the comparison of strings by the rules of a language.
import { notImplemented, storeError } from '../protocol/errors.ts';
import { lowerBound } from '../storage/lower-bound.ts';
import { asNumber, type Doc, type Value } from '../values/bson.ts';

/** Compares strings by the order of a language, ignoring case or accents if specified. Undefined is binary order. */
export type Collation = {
  compare(a: string, b: string): number;
  /** Returns the same string for all strings that compare equal, so that equality can be hashed. */
  canonicalForm(text: string): string;
};

/**
 * Compiles `{locale, strength}`. Returns undefined (binary order) without a specification or for the locale 'simple'.
 * The types of the fields must have been validated.
 */
export function compileCollation(spec: Doc | undefined): Collation | undefined {
  if (!spec || Object.keys(spec).length === 0) return undefined;
  const locale = String(spec.locale);
  const sensitivity = sensitivityOf(spec.strength ?? 3);
  if (locale === 'simple') return undefined;
  const collator = new Intl.Collator(toLanguageTag(locale), { sensitivity });
  return { compare: (a, b) => collator.compare(a, b), canonicalForm: createCanonicalizer(collator) };
}

function sensitivityOf(strength: Value): 'base' | 'accent' | 'variant' {
  const level = asNumber(strength);
  if (level === 1) return 'base';
  if (level === 2) return 'accent';
  if (level === 3) return 'variant';
  throw level === 4 || level === 5 ? notImplemented(`the collation strength ${level}`) : badValue('strength', strength);
}

function toLanguageTag(locale: string): string {
  const tag = locale.replace('@collation=', '-u-co-').replaceAll('_', '-');
  try {
    if (Intl.Collator.supportedLocalesOf(tag).length > 0) return tag;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw badValue('locale', locale);
}

function createCanonicalizer(collator: Intl.Collator): (text: string) => string {
  const known = new Map<string, string>();
  const distinct: string[] = [];
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const at = lowerBound(distinct.length, (at) => collator.compare(distinct[at]!, text) >= 0);
    if (at === distinct.length || collator.compare(distinct[at]!, text) !== 0) distinct.splice(at, 0, text);
    known.set(text, distinct[at]!);
    return distinct[at]!;
  };
}

const badValue = (field: string, value: Value) =>
  storeError(2, `Field '${field}' is invalid in: { ${field}: ${JSON.stringify(value)} }`);
