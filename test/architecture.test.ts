// The diagram in ARCHITECTURE.md and the import table in arrow.ts describe the same rules.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAY_IMPORT } from './arrow.ts';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const [, diagram = ''] = /```mermaid\n([\s\S]*?)```/.exec(text) ?? [];
const names = new Map([...diagram.matchAll(/(\w+)\[([^\]]+)\]/g)].map(([, id = '', folder = '']) => [id, folder]));
const drawn = [...diagram.matchAll(/^\s+(\w+)(?:\[[^\]]+\])? --> (\w+)/gm)].map(
  ([, from = '', to = '']) => [names.get(from) ?? from, names.get(to) ?? to] as const,
);

function reachable(from: string, seen = new Set<string>()): Set<string> {
  for (const [source, target] of drawn) if (source === from && !seen.has(target)) reachable(target, seen.add(target));
  return seen;
}

test('every arrow of the diagram is in the import table', () => {
  expect(drawn.length).toBeGreaterThan(20);
  expect(drawn.filter(([from, to]) => !MAY_IMPORT[from]?.includes(to))).toEqual([]);
});

test('every permitted import follows the arrows of the diagram', () => {
  const table = Object.entries(MAY_IMPORT).flatMap(([from, targets]) => targets.map((to) => ({ from, to })));
  expect(table.filter(({ from, to }) => !reachable(from).has(to))).toEqual([]);
});

test('every folder and file that ARCHITECTURE.md names exists', () => {
  const paths = [...text.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, path = '']) => path);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every function that a step of a walkthrough names occurs in a file of that step', () => {
  const steps = (text.split('## Walkthroughs')[1] ?? '').split(/\n(?=\d+\. |#)/).filter((step) => /^\d/.test(step));
  expect(steps.length).toBeGreaterThan(30);
  const missing = steps.flatMap((step) => {
    const sources = [...step.matchAll(/`([\w.-]+\/[\w./-]+\.ts)`/g)].map(([, path = '']) => readSource(path));
    const functions = [...step.matchAll(/`(\w+)\(\)`/g)].map(([, name = '']) => name);
    return functions.filter((name) => !sources.some((source) => new RegExp(`\\b${name}\\b`).test(source)));
  });
  expect(missing).toEqual([]);
});

function readSource(path: string): string {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
}
