// Generates the settings table in docs/operating.md. Run `node launch.mjs docs/settings-table.ts` after a change.
import { readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS } from '../subgraphs/core/platform/config.ts';

/** Returns the rows of the table. */
export function settingRows(): string[] {
  return Object.entries(SETTINGS).map(
    ([name, setting]) => `| \`${name}\` | ${formatDefault(name, setting.default)} | ${setting.description} |`,
  );
}

function formatDefault(name: string, value: unknown): string {
  if (name === 'PDM_DATA_DIR') return '`./data`';
  if (name === 'PDM_LOG') return '`pretty` on a terminal, else `json`';
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? '`on`' : '`off`';
  return `\`${Array.isArray(value) ? 'all' : value}\``;
}

const ROW = /^\| `[A-Z_]{4,}`/;

/** Replaces the rows of the table in a text; the table already has a title row and a ruler. */
function withTable(text: string): string {
  const lines = text.split('\n');
  const [first, last] = [lines.findIndex((line) => ROW.test(line)), lines.findLastIndex((line) => ROW.test(line))];
  return [...lines.slice(0, first), ...settingRows(), ...lines.slice(last + 1)].join('\n');
}

if (import.meta.main) {
  const file = new URL('./operating.md', import.meta.url);
  writeFileSync(file, withTable(readFileSync(file, 'utf8')));
}
