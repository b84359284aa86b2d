import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cell, csvChunks, csvLine } from './csv.ts';

/** Parses CSV according to RFC 4180, independently of the writer. */
function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const record: string[] = [];
    for (;;) {
      const [whole = '', quoted, plain = ''] = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))/y[Symbol.match](text.slice(at)) ?? [];
      record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      at += whole.length;
      const end = text.startsWith('\r\n', at);
      if (!end && text[at] !== ',') throw new Error(`neither comma nor line end at ${at}`);
      at += end ? 2 : 1;
      if (end) break;
    }
    records.push(record);
  }
  return records;
}

const cells: fc.Arbitrary<Cell> = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'ü', '"', ',', ';', '\r', '\n', '\t', '=', '+', '-', '@', "'", ' ', '螺') }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);

test('returns cells that an RFC 4180 reader parses unchanged, except for the apostrophe before formulas', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cells, { minLength: 2, maxLength: 4 }), { maxLength: 5 }), (rows) => {
      const shown = (cell: Cell) =>
        typeof cell === 'string' && /^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell === null ? '' : String(cell);
      expect(readCsv(rows.map(csvLine).join(''))).toEqual(rows.map((row) => row.map(shown)));
    }),
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', '＋1', '－1', '＠x'])('escapes %j as text', (cell) => {
  expect(readCsv(csvLine([cell]))).toEqual([[`'${cell}`]]);
});

test('keeps negative numbers and leading or trailing spaces', () => {
  expect(csvLine([-1, ' x', null, true])).toBe('-1," x",,true\r\n');
});

test('starts a table with the UTF-8 byte order mark and its header row, and streams it in chunks', () => {
  const columns = [{ title: 'Größe', value: (row: string) => row }];
  expect([...csvChunks(columns, [])].map(String)).toEqual(['\ufeffGröße\r\n']);
  const rows = Array.from({ length: 20_000 }, (_, i) => `row ${i}`);
  const chunks = [...csvChunks(columns, rows)];
  expect(chunks.length).toBeGreaterThan(2);
  expect(Buffer.concat(chunks).toString()).toBe(`\ufeffGröße\r\n${rows.map((row) => `${row}\r\n`).join('')}`);
});
