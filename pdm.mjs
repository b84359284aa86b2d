#!/usr/bin/env node
// `npx pdm …`: the operator's command, run like everything else.
process.argv.splice(2, 0, 'operate/main.ts');
await import('./launch.mjs');
