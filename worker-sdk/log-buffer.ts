const MAX_LINE_LENGTH = 2_000;
const MAX_CHARACTERS = 1_000_000;
const MAX_BATCH_CHARACTERS = 100_000;
const MAX_BATCH_LINES = 2_000;

/**
 * Log lines that wait to be sent. The service keeps a million characters per job; one batch carries a tenth of that.
 */
export type LogBuffer = {
  add(line: string): void;
  hasLines(): boolean;
  takeBatch(): string[];
  putBack(lines: string[]): void;
};

/** Returns an empty buffer. It truncates lines over 2,000 characters and drops lines above the limit per job. */
export function createLogBuffer(): LogBuffer {
  let pending: string[] = [];
  let collected = 0;
  return {
    add: (line) => {
      if (collected >= MAX_CHARACTERS) return;
      const truncated = line.slice(0, MAX_LINE_LENGTH);
      collected += truncated.length + 1;
      pending.push(truncated);
    },
    hasLines: () => pending.length > 0,
    takeBatch: () => {
      let characters = 0;
      const end = pending.findIndex((line, index) => {
        characters += line.length;
        return index >= MAX_BATCH_LINES || characters > MAX_BATCH_CHARACTERS;
      });
      const batch = end < 0 ? pending : pending.slice(0, end);
      pending = end < 0 ? [] : pending.slice(end);
      return batch;
    },
    putBack: (lines) => {
      pending = [...lines, ...pending];
    },
  };
}
