// Collations: the comparison of strings by the rules of a language.
import { notImplemented, storeError } from '../protocol/errors.ts';
import { COLLATION_FIELDS, UNSUPPORTED_COLLATION_FIELDS } from '../protocol/supported-features.ts';
import { lowerBound } from '../storage/lower-bound.ts';
import { asNumber, type Doc, type Value } from '../values/bson.ts';

/** Compares strings by the order of a language, ignoring case or accents if specified. Undefined is binary order. */
export type Collation = {
  compare(a: string, b: string): number;
  /** Returns the same string for all strings that compare equal, so that equality can be hashed. */
  canonicalForm(text: string): string;
};

/**
 * Compiles `{locale, strength, numericOrdering, caseLevel}`. Returns undefined (binary order) without a specification
 * or for the locale 'simple'.
 */
export function compileCollation(spec: Doc | undefined): Collation | undefined {
  if (!spec || Object.keys(spec).length === 0) return undefined;
  for (const key of Object.keys(spec)) checkField(key);
  const { locale } = spec;
  if (typeof locale !== 'string')
    throw storeError(40414, "BSON field 'collation.locale' is missing but a required field");
  if (locale === 'simple') return undefined;
  const collator = new Intl.Collator(toLanguageTag(locale), {
    sensitivity: sensitivity(spec),
    numeric: spec.numericOrdering === true,
  });
  return { compare: (a, b) => collator.compare(a, b), canonicalForm: createCanonicalizer(collator) };
}

function checkField(field: string): void {
  if (COLLATION_FIELDS.has(field)) return;
  if (UNSUPPORTED_COLLATION_FIELDS.has(field)) throw notImplemented(`the collation option ${field}`);
  throw storeError(40415, `BSON field 'collation.${field}' is an unknown field.`);
}

function sensitivity(spec: Doc): 'base' | 'accent' | 'case' | 'variant' {
  const strength = spec.strength === undefined ? 3 : asNumber(spec.strength);
  const caseLevel = spec.caseLevel === true;
  if (strength === 1) return caseLevel ? 'case' : 'base';
  if (strength === 2) return caseLevel ? 'variant' : 'accent';
  if (strength === 3) return 'variant';
  throw strength === 4 || strength === 5
    ? notImplemented(`the collation strength ${strength}`)
    : badValue('strength', spec.strength);
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
