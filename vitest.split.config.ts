import { defineConfig, mergeConfig } from 'vitest/config';
import baseConfig from './vitest.config.ts';

// The acceptance tests with every role in its own process, except tests that count store commands of a single process
// or start processes themselves.
const SINGLE_PROCESS = ['graphql', 'store-queries', 'version-graph', 'starting'].map(
  (name) => `test/acceptance/${name}.test.ts`,
);

const split = mergeConfig(
  baseConfig,
  defineConfig({ test: { env: { PDM_TEST_SPLIT: '1' }, testTimeout: 60_000, hookTimeout: 120_000 } }),
);
split.test.exclude = ['node_modules/**', ...SINGLE_PROCESS];
split.test.include = ['test/acceptance/*.test.ts', 'test/split/*.test.ts'];

export default split;
