/** The limits of the promise, in bytes, milliseconds and pieces; the README names them. */
export const LIMITS = {
  documentBytes: 16 * 2 ** 20,
  /** Documents and arrays inside each other (22). */
  nestingLevels: 200,
  messageBytes: 48_000_000,
  batchStatements: 100_000,
  /** What a sort, a group or a join may hold (292). */
  memoryBytes: 100 * 2 ** 20,
  transactionMs: 60_000,
  /** What a transaction may write (257). */
  transactionBytes: 64 * 2 ** 20,
  idleCursorMs: 10 * 60_000,
  /** One regular expression in one text (51156). */
  regexMs: 100,
} as const;
