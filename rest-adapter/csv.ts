// Tables as CSV (RFC 4180) that spreadsheets open as they are: UTF-8 with its mark, CRLF, and no cell that would be run as a formula.

export type Cell = string | number | boolean | null;
export type Column<R> = { title: string; value: (row: R) => Cell };

const MARK = '\ufeff';
const CHUNK = 64 * 1024;

/** The bytes of a table with a line of titles, in pieces of about 64 KiB. */
export function* csvChunks<R>(columns: readonly Column<R>[], rows: Iterable<R>): Generator<Buffer> {
  let text = MARK + csvLine(columns.map(({ title }) => title));
  for (const row of rows) {
    text += csvLine(columns.map(({ value }) => value(row)));
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text) yield Buffer.from(text);
}

/** One line with its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

// What a spreadsheet takes for the beginning of a formula, also in its full-width form; an apostrophe before it makes it text.
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const TO_BE_QUOTED = /[",\r\n]|^\s|\s$/;

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return TO_BE_QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
