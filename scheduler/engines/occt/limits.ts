/** How large an input may be before the engine refuses it; all are checked without doing the work they forbid. */
export const LIMITS = {
  /** placed products of one assembly */
  occurrences: 100_000,
  /** levels of an assembly */
  depth: 50,
  /** brackets within brackets in one statement of a STEP file */
  nesting: 100,
  /** entries of the structure tree in the properties */
  structureEntries: 2000,
  /** characters of a name in log lines, messages and the structure tree */
  nameLength: 200,
} as const;

/** A name from a foreign file, short enough for a log line and without control characters. */
export function shortName(name: string): string {
  const plain = name.replace(/\p{Cc}+/gu, ' ');
  return plain.length > LIMITS.nameLength ? `${plain.slice(0, LIMITS.nameLength)}…` : plain;
}
