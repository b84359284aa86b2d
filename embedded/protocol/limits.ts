// The limits of the store, listed in the README.

/** Limits in bytes (`…Bytes`), milliseconds (`…Ms`) and counts. */
export const LIMITS = {
  documentBytes: 16 * 2 ** 20,
  /** Nesting depth of documents and arrays (InvalidBSON above it). */
  nestingLevels: 200,
  messageBytes: 48_000_000,
  batchStatements: 100_000,
  /** Memory of a sort, group or join (QueryExceededMemoryLimitNoDiskUseAllowed above it). */
  memoryBytes: 100 * 2 ** 20,
  transactionMs: 60_000,
  /** Total size of the writes of a transaction (TransactionTooLarge above it). */
  transactionBytes: 64 * 2 ** 20,
  idleCursorMs: 10 * 60_000,
  /** Time of one regular expression search in one string (Location51156 above it). */
  regexMs: 100,
} as const;
