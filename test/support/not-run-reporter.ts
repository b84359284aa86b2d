// Reports at the end of a test run what did not run, why, and how to run it.
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { CONDITIONS, type Need, PACKAGES } from './needs.ts';

const REASON = /not run: ([^)]+)/;
const OTHER = 'no stated reason';

/** Prints three lines after the results, or one if everything ran. */
export class NotRunReporter implements Reporter {
  #isFiltered = false;

  onInit({ config }: Vitest): void {
    this.#isFiltered = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const reasons = modules.flatMap((module) => [...module.children.allTests('skipped')].map(reasonOf));
    // With a name filter (-t), tests that do not match are skipped too.
    console.log(`\n${summarize(this.#isFiltered ? reasons.filter((reason) => reason !== OTHER) : reasons)}\n`);
  }
}

/** Returns the summary for the reasons of the skipped tests. */
export function summarize(reasons: readonly string[]): string {
  if (!reasons.length) return 'Not run: nothing, all tests ran.';
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const ranked = [...counts].sort(([, a], [, b]) => b - a);
  const missing = ranked.map(([reason]) => reason);
  const packages = missing.flatMap((reason) => (reason in PACKAGES ? PACKAGES[reason as keyof typeof PACKAGES] : []));
  const conditions = missing.flatMap((reason) =>
    reason in CONDITIONS ? `${CONDITIONS[reason as keyof typeof CONDITIONS]} (${reason})` : [],
  );
  const ways = [...(packages.length ? [`apt-get install -y ${packages.join(' ')}`] : []), ...conditions];
  return [
    `Not run: ${reasons.length} ${reasons.length === 1 ? 'test' : 'tests'}.`,
    `Missing: ${ranked.map(([reason, count]) => `${reason} (${count})`).join(', ')}.`,
    `To run them: ${ways.join('; ') || 'see the skipped tests above'}.`,
  ].join('\n');
}

function reasonOf(test: TestCase): Need | string {
  const result = test.result();
  const note = result.state === 'skipped' ? (result.note ?? '') : '';
  return REASON.exec(note)?.[1] ?? REASON.exec(test.fullName)?.[1] ?? OTHER;
}
