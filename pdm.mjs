#!/usr/bin/env node
// `npx pdm …`: the CLI. Runs directly on Node 24 with installed packages, otherwise through launch.mjs.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= 24 && existsSync(at('node_modules/commander/package.json'))) {
  module.enableCompileCache(at('node_modules/.cache/node'));
  await import('./app/pdm.ts');
} else {
  process.argv.splice(2, 0, 'app/pdm.ts');
  await import('./launch.mjs');
}
