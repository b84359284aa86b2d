// Writes the table of settings into docs/operating.md: `node launch.mjs docs/settings-table.ts` after a change of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS } from '../subgraphs/core/platform/config.ts';

/** The rows of the table, in order. */
export function settingRows(): string[] {
  return Object.entries(SETTINGS).map(
    ([name, setting]) => `| \`${name}\` | ${shown(name, setting.default)} | ${setting.description} |`,
  );
}

function shown(name: string, value: unknown): string {
  if (name === 'PDM_DATA_DIR') return '`./data`';
  if (name === 'PDM_LOG') return '`pretty` on a terminal, else `json`';
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? '`on`' : '`off`';
  return `\`${Array.isArray(value) ? 'all' : value}\``;
}

const ROW = /^\| `[A-Z_]{4,}`/;

/** The text with its table of settings, a title row and a ruler above the first row, made anew. */
function withTable(text: string): string {
  const lines = text.split('\n');
  const cells = [['setting', 'default', 'what it is'], ...settingRows().map((row) => row.slice(2, -2).split(' | '))];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${widths.map((width, i) => (row[i] ?? '').padEnd(width)).join(' | ')} |`;
  const table = [
    line(cells[0] ?? []),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...cells.slice(1).map(line),
  ];
  const [first, last] = [lines.findIndex((row) => ROW.test(row)), lines.findLastIndex((row) => ROW.test(row))];
  return [...lines.slice(0, first - 2), ...table, ...lines.slice(last + 1)].join('\n');
}

if (import.meta.main) {
  const file = new URL('./operating.md', import.meta.url);
  writeFileSync(file, withTable(readFileSync(file, 'utf8')));
}
