// Formats tables as CSV (RFC 4180) for spreadsheets: UTF-8 with a byte order mark, CRLF, and no cell that is evaluated
// as a formula.

export type Cell = string | number | boolean | null;
export type Column<R> = { title: string; value: (row: R) => Cell };

const BYTE_ORDER_MARK = '\ufeff';
const CHUNK_CHARACTERS = 64 * 1024;

/** Yields the bytes of a table with a header line, in chunks of about 64 KiB. */
export function* csvChunks<R>(columns: readonly Column<R>[], rows: Iterable<R>): Generator<Buffer> {
  let text = BYTE_ORDER_MARK + csvLine(columns.map(({ title }) => title));
  for (const row of rows) {
    text += csvLine(columns.map(({ value }) => value(row)));
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text) yield Buffer.from(text);
}

/** Formats one line with its CRLF. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

// Characters that start a formula in a spreadsheet, also in full-width form. A leading apostrophe makes the cell text.
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
