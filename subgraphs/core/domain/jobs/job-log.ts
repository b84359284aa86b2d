const MOST_LINES = 10_000;
const MOST_CHARACTERS = 1_000_000;
const LINE_LENGTH = 2_000;
const LAST_LINE = `The log ends here: it holds at most ${MOST_LINES} lines and ${MOST_CHARACTERS} characters.`;

/**
 * What of some new lines still fits into a job's log, which holds 10,000 lines and a million characters; the first time something
 * does not fit, a last line says so. Texts with line breaks become several lines, a line over 2,000 characters is cut.
 */
export function fittingLines(stored: { logLines: number; logSize: number }, texts: readonly string[]): string[] {
  let { logLines, logSize } = stored;
  const fitting: string[] = [];
  if (logLines >= MOST_LINES) return fitting;
  for (const line of texts.flatMap((text) => text.split(/\r\n|\n|\r/)).map(cut)) {
    logLines += 1;
    logSize += line.length;
    if (logLines >= MOST_LINES || logSize > MOST_CHARACTERS) return [...fitting, LAST_LINE];
    fitting.push(line);
  }
  return fitting;
}

/** How much lines count against the bounds; the line that says that the log has ended fills it up. */
export function weightOf(
  stored: { logLines: number },
  lines: readonly string[],
): { logLines: number; logSize: number } {
  const logSize = lines.reduce((sum, line) => sum + line.length, 0);
  return { logLines: lines.at(-1) === LAST_LINE ? MOST_LINES - stored.logLines : lines.length, logSize };
}

function cut(line: string): string {
  return line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)} …` : line;
}
