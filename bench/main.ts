// npm run bench [NAME …]: runs the figures, each a script of its own that prints its ratio against its peer in the same run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const all = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.replace(/\.ts$/, ''))
  .sort();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length) {
  console.error(`There is no figure ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
  process.exit(64);
}

for (const name of wanted.length ? wanted : all) {
  console.log(`\n== ${name}`);
  const [code] = await once(
    spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' }),
    'exit',
  );
  if (code !== 0) process.exitCode = 1;
}
