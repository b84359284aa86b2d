// Generates the tables in docs/formats.md. Run `node launch.mjs docs/formats-table.ts` after a change.
import { readFileSync, writeFileSync } from 'node:fs';
import { type FileFormat, FORMATS } from '../subgraphs/core/domain/formats/formats.ts';

/** Returns the rows of the table. */
export function formatRows(): string[] {
  return Object.values<FileFormat>(FORMATS).map((format) => `| ${cellsOf(format).join(' | ')} |`);
}

function cellsOf({ name, extensions, mediaType, content, reads, export: exported, worker }: FileFormat): string[] {
  return [
    name,
    extensions.map((each) => `\`.${each}\``).join(' '),
    `\`${mediaType}\``,
    CONTENT[content],
    reads ? READS[reads] : 'no',
    exported ? `\`${exported.format}\`` : '–',
    worker ?? '–',
  ];
}

const CONTENT = { exact: 'exact surfaces', mesh: 'triangles', native: 'one CAD system', drawing: 'drawing or image' };
const READS = { exact: 'yes', mesh: 'as triangles' };

const ROW = /^\| .*`\./;

/** Replaces the rows of the table in a text; the table already has a title row and a ruler. */
function withTable(text: string): string {
  const lines = text.split('\n');
  const [first, last] = [lines.findIndex((line) => ROW.test(line)), lines.findLastIndex((line) => ROW.test(line))];
  return [...lines.slice(0, first), ...formatRows(), ...lines.slice(last + 1)].join('\n');
}

if (import.meta.main) {
  const file = new URL('./formats.md', import.meta.url);
  writeFileSync(file, withTable(readFileSync(file, 'utf8')));
}
