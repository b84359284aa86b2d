// Limits the size of job logs.

const MAX_LINES = 10_000;
const MAX_CHARACTERS = 1_000_000;
const MAX_LINE_LENGTH = 2_000;
const LAST_LINE = `The log ends here. The limit is ${MAX_LINES} lines and ${MAX_CHARACTERS} characters.`;

/**
 * Returns the new lines that fit into a job's log of at most 10,000 lines and a million characters. If some do not fit,
 * the last line says that the log ends. Texts are split at line breaks, and lines truncated to 2,000 characters.
 */
export function fitLogLines(stored: { logLines: number; logSize: number }, texts: readonly string[]): string[] {
  let { logLines, logSize } = stored;
  const fitting: string[] = [];
  if (logLines >= MAX_LINES) return fitting;
  for (const line of texts.flatMap((text) => text.split(/\r\n|\n|\r/)).map(truncate)) {
    logLines += 1;
    logSize += line.length;
    if (logLines >= MAX_LINES || logSize > MAX_CHARACTERS) return [...fitting, LAST_LINE];
    fitting.push(line);
  }
  return fitting;
}

/** Returns how much lines count against the limits. The line that ends the log uses up the rest. */
export function logUsage(
  stored: { logLines: number },
  lines: readonly string[],
): { logLines: number; logSize: number } {
  const logSize = lines.reduce((sum, line) => sum + line.length, 0);
  return { logLines: lines.at(-1) === LAST_LINE ? MAX_LINES - stored.logLines : lines.length, logSize };
}

function truncate(line: string): string {
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)} …` : line;
}
