import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatRows } from './formats-table.ts';

const document = readFileSync(new URL('./formats.md', import.meta.url), 'utf8');

test('docs/formats.md lists every format (update it with: node launch.mjs docs/formats-table.ts)', () => {
  expect(document.split('\n').filter((line) => /^\| .*`\./.test(line))).toEqual(formatRows());
});
