/** Input limits. Each is checked before the work it bounds. */
export const LIMITS = {
  /** part placements in one assembly */
  occurrences: 100_000,
  /** nesting levels of an assembly */
  depth: 50,
  /** nested parentheses in one statement of a STEP file */
  nesting: 100,
  /** entries of the structure tree in the properties */
  structureEntries: 2000,
  /** triangles of a mesh file */
  triangles: 2_000_000,
  /** triangles of a mesh file in all places */
  placedTriangles: 20_000_000,
  /** characters of a name in log lines, messages and the structure tree */
  nameLength: 200,
} as const;

/** Truncates an untrusted name and replaces control characters, line breaks and bidirectional overrides with spaces. */
export function sanitizeName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
  if (plain.length <= LIMITS.nameLength) return plain;
  return `${plain.slice(0, LIMITS.nameLength).replace(HIGH_SURROGATE_AT_END, '')}…`;
}

// Truncation must not split a surrogate pair.
const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;
