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

/** A name from a foreign file, short enough for a log line and without characters that steer it: control characters, ends of lines, turns of direction. */
export function shortName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
  return plain.length > LIMITS.nameLength ? `${plain.slice(0, LIMITS.nameLength).replace(HALF, '')}…` : plain;
}

// a cut goes between characters, not through one
const HALF = /[\ud800-\udbff]$/;
