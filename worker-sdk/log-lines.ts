const LINE_LENGTH = 2_000;
const MOST_CHARACTERS = 1_000_000;
const BATCH_CHARACTERS = 100_000;
const BATCH_LINES = 2_000;

/** Log lines on their way to the service, which keeps a million characters for each job; one request carries a tenth of that. */
export type LogLines = { add(line: string): void; any(): boolean; take(): string[]; putBack(lines: string[]): void };

/** An empty line-up. Lines over 2,000 characters are cut; what the service would not keep is not collected. */
export function logLines(): LogLines {
  let waiting: string[] = [];
  let collected = 0;
  return {
    add: (line) => {
      if (collected >= MOST_CHARACTERS) return;
      const cut = line.slice(0, LINE_LENGTH);
      collected += cut.length + 1;
      waiting.push(cut);
    },
    any: () => waiting.length > 0,
    take: () => {
      let characters = 0;
      const end = waiting.findIndex((line, index) => {
        characters += line.length;
        return index >= BATCH_LINES || characters > BATCH_CHARACTERS;
      });
      const taken = end < 0 ? waiting : waiting.slice(0, end);
      waiting = end < 0 ? [] : waiting.slice(end);
      return taken;
    },
    putBack: (lines) => {
      waiting = [...lines, ...waiting];
    },
  };
}
