import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Slow test files run first, so that the workers finish at about the same time.
const SLOW = [
  'test/faults/',
  'scheduler/engines/occt/engine.test',
  'test/acceptance/startup',
  'test/acceptance/permissions',
];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = SLOW.findIndex((part) => moduleId.includes(part));
      return at < 0 ? SLOW.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  // Resolve graphql like Node; otherwise it is loaded twice, as index.mjs and index.js.
  resolve: { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] },
  test: {
    include: ['**/*.test.ts'],
    // test/split runs separately: npm run test:split
    exclude: ['node_modules/**', 'data/**', 'test/split/**'],
    globalSetup: ['test/support/nats-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
  },
});
