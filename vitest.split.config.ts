import { defineConfig, mergeConfig } from 'vitest/config';
import usual from './vitest.config.ts';

// The acceptance suite with every role in a process of its own. Left out is what looks into one process: it counts the commands that the API
// sends to the store, or starts processes itself.
const INSIDE = ['graphql', 'store-queries', 'version-graph', 'starting'].map(
  (name) => `test/acceptance/${name}.test.ts`,
);

const split = mergeConfig(
  usual,
  defineConfig({ test: { env: { PDM_TEST_SPLIT: '1' }, testTimeout: 60_000, hookTimeout: 120_000 } }),
);
split.test.exclude = ['node_modules/**', ...INSIDE];
split.test.include = ['test/acceptance/*.test.ts', 'test/split/*.test.ts'];

export default split;
