// The test suites: `vitest run` is the main one, `--mode programs`, `faults`, `web` and `split` are the others.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PACKAGES } from './test/support/needs.ts';
import { NotRunReporter } from './test/support/not-run-reporter.ts';

type Suite = NonNullable<ViteUserConfig['test']>;

const EVERYWHERE = ['**/node_modules/**', 'data/**'];
/** Tests that are slow by nature: kills, power losses, full disks, overload, endurance, large files. */
const FAULTS = [
  'test/faults/*.test.ts',
  'test/acceptance/{disk-full,starvation}.test.ts',
  'scheduler/engines/occt/fuzz.test.ts',
  'scheduler/engines/occt/fcstd/fcstd-files.test.ts',
  'embedded/test/{disk-full,failing-sync,kill,power-loss,refused-sync}.test.ts',
  'scheduler/engines/occt/endurance.test.ts',
];
const WEB = ['test/web/*.test.ts'];
const SPLIT = ['test/split/*.test.ts'];
const NOT_MAIN = [...EVERYWHERE, ...FAULTS, ...WEB, ...SPLIT];
const API = 'test/acceptance/*.test.ts';
/** Acceptance tests that count the store commands of a single process, or start processes themselves. */
const SINGLE_PROCESS = [
  'child-processes',
  'first-start',
  'graphql',
  'starvation',
  'startup',
  'store-queries',
  'version-graph',
  'write-commands',
];

/** Suites by mode. */
const SUITES: Record<string, Suite> = {
  test: {
    projects: [
      { extends: true, test: { name: 'all', include: ['**/*.test.ts'], exclude: [...NOT_MAIN, API] } },
      // These files share processes: each would load and compile the service again, for two seconds of processor time.
      { extends: true, test: { name: 'api', include: [API], exclude: NOT_MAIN, isolate: false } },
    ],
  },
  faults: {
    // Six suites run in both: here at full length.
    include: [
      ...FAULTS,
      'embedded/test/gridfs.test.ts',
      'scheduler/engines/occt/colours-of-files.test.ts',
      'scheduler/engines/occt/formats/damaged-files.test.ts',
      'demo/write-step.test.ts',
      'scheduler/engines/occt/measure/measure-part.test.ts',
      'subgraphs/core/proof/compare-store.test.ts',
    ],
    exclude: EVERYWHERE,
    env: {
      STORE_FAULTS: '1',
      STORE_BIG_FILES: '1',
      PDM_TEST_COLORED_FILES: 'all',
      PDM_TEST_DEMO_PARTS: 'all',
      PDM_TEST_ENDURANCE: '1',
      PDM_TEST_TAMPERINGS: '1000',
      PDM_TEST_DAMAGED_FILES: '1000',
      PDM_TEST_MEASURED_PARTS: '200',
      PDM_TEST_PROVEN_HISTORIES: process.env.PDM_TEST_PROVEN_HISTORIES ?? '1000',
      PDM_TEST_KILLS: process.env.PDM_TEST_KILLS ?? '20',
      PDM_TEST_LARGE_FILE_MB: process.env.PDM_TEST_LARGE_FILE_MB ?? '500',
    },
  },
  // Tests of the main suite that a machine without the programs of `PACKAGES` skips, with the other tests of their files.
  get programs() {
    return { include: filesThatNeedPrograms(), exclude: NOT_MAIN };
  },
  web: { include: WEB, exclude: EVERYWHERE },
  // The acceptance tests with every role in its own process.
  split: {
    include: ['test/acceptance/*.test.ts', ...SPLIT],
    exclude: [...EVERYWHERE, ...SINGLE_PROCESS.map((name) => `test/acceptance/${name}.test.ts`)],
    env: { PDM_TEST_SPLIT: '1' },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
};

function filesThatNeedPrograms(): string[] {
  const need = new RegExp(`needs\\('(${Object.keys(PACKAGES).join('|')})'`);
  return globSync('**/*.test.ts', { exclude: ['**/node_modules'] }).filter((file) =>
    need.test(readFileSync(file, 'utf8')),
  );
}

// Slow test files run first, so that the workers finish at about the same time.
const SLOW = ['scheduler/engines/occt/engine.test', 'test/acceptance/startup', 'test/acceptance/permissions'];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = SLOW.findIndex((part) => moduleId.includes(part));
      return at < 0 ? SLOW.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig(({ mode }) => ({
  // Resolve graphql like Node; otherwise it is loaded twice, as index.mjs and index.js.
  resolve: { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] },
  test: {
    globalSetup: ['test/support/nats-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    reporters: ['default', new NotRunReporter()],
    ...SUITES[mode],
  },
}));
