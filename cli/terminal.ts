// Output of the CLI: streams, colors, tables, and formats of times and sizes.
import { styleText } from 'node:util';

/** An output stream: a terminal, a pipe, or a test. */
export type Screen = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/** The environment of a command. */
export type Terminal = {
  out: Screen;
  err: Screen;
  environment: Readonly<Record<string, string | undefined>>;
  /** The home directory; holds the credentials unless XDG_CONFIG_HOME is set. */
  home: string;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** Prompts for a secret without echoing it; reads the first line of standard input if that is a pipe. */
  promptSecret(question: string): Promise<string>;
};

export type Style = Parameters<typeof styleText>[0];

export function writeLine(screen: Screen, line = ''): void {
  screen.write(`${line}\n`);
}

export function writeJson({ out }: Pick<Terminal, 'out'>, value: unknown): void {
  writeLine(out, JSON.stringify(value, null, 2));
}

/** Returns a function that styles text, if the output is a terminal and neither NO_COLOR nor TERM=dumb is set. */
export function createStyler(
  screen: Screen,
  environment: Terminal['environment'],
): (style: Style, text: string) => string {
  const colors = screen.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
  return colors ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}

/** Replaces control characters and bidirectional marks, so that text from the service cannot control the terminal. */
export function sanitize(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/gu, ' ').replace(UNSAFE, '\uFFFD');
}

/** Like `sanitize`, but keeps line breaks. */
export function sanitizeLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(UNSAFE, '\uFFFD'))
    .join('\n');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters that must not reach a terminal
const UNSAFE = /[\u0000-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uFF01-\uFF60]/gu;
const COMBINING = /\p{Mark}/gu;

/** Returns the number of terminal columns that a text occupies. */
export function displayWidth(text: string): number {
  const visible = text.replace(COMBINING, '');
  return [...visible].length + (visible.match(WIDE)?.length ?? 0);
}

/** Formats rows as aligned columns under a title line. Columns of numbers are right-aligned. */
export function formatTable(
  titles: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
  style: ReturnType<typeof createStyler>,
): string[] {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? String(cell) : sanitize(cell))));
  const widths = titles.map((title, column) =>
    cells.reduce((width, row) => Math.max(width, displayWidth(row[column] ?? '')), displayWidth(title)),
  );
  const rightAligned = titles.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number' || row[column] === null),
  );
  const formatRow = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - displayWidth(cell));
        return rightAligned[column] ? padding + cell : cell + padding;
      })
      .join('  ')
      .trimEnd();
  return [style('bold', formatRow(titles)), ...cells.map(formatRow)];
}

/** Formats a time in the local time zone, to the minute: 2026-03-02 14:10. */
export function formatTime(time: string | null): string {
  return time ? new Date(time).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' }) : '';
}

/** Formats a number of bytes: 1.5 MB. */
export function formatBytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), units.length - 1);
  return `${power ? (count / 1000 ** power).toFixed(1) : count} ${units[power]}`;
}
