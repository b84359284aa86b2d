// Prints the table of settings for docs/operating.md.
import { SETTINGS } from '../subgraphs/core/config.ts';

/** The rows of the table, in order. */
export function settingRows(): string[] {
  return Object.entries(SETTINGS).map(([name, { absent, says }]) => `| \`${name}\` | ${shown(name, absent)} | ${says} |`);
}

function shown(name: string, absent: unknown): string {
  if (name === 'PDM_DATA_DIR') return '`./data`';
  if (name === 'PDM_LOG') return '`pretty` on a terminal, else `json`';
  if (absent === null) return '–';
  if (typeof absent === 'boolean') return absent ? '`on`' : '`off`';
  return `\`${Array.isArray(absent) ? 'all' : absent}\``;
}
