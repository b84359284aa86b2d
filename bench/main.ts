// npm run bench [NAME …]: runs all or the named benchmarks, each as a separate script.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const all = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.replace(/\.ts$/, ''))
  .sort();
const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !all.includes(name));
if (unknown.length) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Available: ${all.join(', ')}.`);
  process.exit(64);
}

for (const name of requested.length ? requested : all) {
  console.log(`\n== ${name}`);
  const [code] = await once(
    spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' }),
    'exit',
  );
  if (code !== 0) process.exitCode = 1;
}
