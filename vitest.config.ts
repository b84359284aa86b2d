import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The longest files first, so that no worker is left alone with one at the end.
const LONGEST = [
  'test/faults/',
  'scheduler/engines/occt/engine.test',
  'test/acceptance/starting',
  'test/acceptance/permissions',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((part) => moduleId.includes(part));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  // as Node resolves it; else graphql is loaded twice, as index.mjs and as index.js
  resolve: { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] },
  test: {
    include: ['**/*.test.ts'],
    // the roles in processes of their own have a run of their own: npm run test:split
    exclude: ['node_modules/**', 'data/**', 'test/split/**'],
    globalSetup: ['test/support/nats-set-up.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
});
