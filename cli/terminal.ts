import { styleText } from 'node:util';

/** Where something is written: a terminal, a pipe, or a test. */
export type Screen = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/** What a command may touch besides the service and the files that it is given. */
export type Terminal = {
  out: Screen;
  err: Screen;
  environment: Readonly<Record<string, string | undefined>>;
  /** The home folder, for settings where XDG_CONFIG_HOME is not set. */
  home: string;
  /** Aborts with Ctrl-C. */
  signal: AbortSignal;
  /** Asks for a text that is not shown while it is typed; the first line of standard input where that is no terminal. */
  askSecret(question: string): Promise<string>;
};

export type Paint = Parameters<typeof styleText>[0];

/** Writes a line. */
export function say(screen: Screen, line = ''): void {
  screen.write(`${line}\n`);
}

/** Writes an answer of the service as JSON. */
export function sayJson({ out }: Pick<Terminal, 'out'>, value: unknown): void {
  say(out, JSON.stringify(value, null, 2));
}

/** Colours a text on a terminal that wants colours: not in a pipe, and not with NO_COLOR set or TERM=dumb. */
export function painter(screen: Screen, environment: Terminal['environment']): (paint: Paint, text: string) => string {
  const colours = screen.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
  return colours ? (paint, text) => styleText(paint, text, { validateStream: false }) : (_, text) => text;
}

/** A text of the service without what would steer a terminal: escapes, other controls and marks that turn the direction of writing. */
export function plain(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/gu, ' ').replace(STEERING, '\uFFFD');
}

/** The same for a text of several lines. */
export function plainLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(STEERING, '\uFFFD'))
    .join('\n');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const STEERING = /[\u0000-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\uFF01-\uFF60]/gu;
const BESIDE = /\p{Mark}/gu;

/** How many places a text takes on a terminal. */
export function widthOf(text: string): number {
  const shown = text.replace(BESIDE, '');
  return [...shown].length + (shown.match(WIDE)?.length ?? 0);
}

/** Lines of columns as wide as their widest cell; numbers stand at the right. Nothing but a line when there are no rows. */
export function table(
  titles: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
  paint: ReturnType<typeof painter>,
): string[] {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? String(cell) : plain(cell))));
  const widths = titles.map((title, at) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[at] ?? '')), widthOf(title)),
  );
  const right = titles.map(
    (_, at) => rows.length > 0 && rows.every((row) => typeof row[at] === 'number' || row[at] === null),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => {
        const room = ' '.repeat((widths[at] ?? 0) - widthOf(cell));
        return right[at] ? room + cell : cell + room;
      })
      .join('  ')
      .trimEnd();
  return [paint('bold', line(titles)), ...cells.map(line)];
}

/** A time as people of this machine write it, to the minute. */
export function when(time: string | null): string {
  return time ? new Date(time).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' }) : '';
}

/** A number of bytes: 1.5 MB. */
export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), units.length - 1);
  return `${power ? (count / 1000 ** power).toFixed(1) : count} ${units[power]}`;
}
