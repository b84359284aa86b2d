import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Outcome, runTest } from './run-test.ts';
import { nameOf, readSpecifications, type Specified } from './specification.ts';

// The tests of MongoDB's drivers, which say what a server answers. Their licence does not let them lie here: MONGODB_SPECS_DIR is the folder with them.
const folder = process.env.MONGODB_SPECS_DIR;
const specified = folder ? readSpecifications(folder) : [];

/** A row of exclusions.tsv: what does not pass, whose doing that is, and words of the failure, so that another failure shows. */
type Exclusion = { name: string; outcome: string; by: string; failure: string };
const exclusions = new Map(readExclusions().map((exclusion) => [exclusion.name, exclusion]));

describe.skipIf(!folder)(
  folder ? 'the tests of MongoDB drivers' : 'the tests of MongoDB drivers: not run, MONGODB_SPECS_DIR is not set',
  () => {
    const data = mkdtempSync(join(tmpdir(), 'store-conformance-'));
    const counts = new Map<string, { passed: number; failed: number; skipped: number }>();
    let stop: () => Promise<void>;
    let uri: string;
    let admin: MongoClient;

    beforeAll(async () => {
      const store = spawn(
        process.execPath,
        [join(import.meta.dirname, '../process/main.ts'), '--data', data, '--port', '0', '--test-commands'],
        {
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      );
      const ready = await new Promise<string>((resolve) =>
        store.stdout.once('data', (chunk: Buffer) => resolve(String(chunk).trim())),
      );
      uri = ready.replace('ready ', '').replace('directConnection=true', 'replicaSet=rs0');
      admin = await MongoClient.connect(uri);
      stop = async () => {
        const ended = new Promise((resolve) => store.once('exit', resolve));
        store.kill('SIGTERM');
        await ended;
      };
    });
    afterAll(async () => {
      await admin.close();
      await stop();
      rmSync(data, { recursive: true, force: true });
      for (const [suite, { passed, failed, skipped }] of counts)
        console.info(`${suite}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
    });

    test.each(specified.map((one) => [nameOf(one), one] as const))('%s', async (name, one) => {
      const outcome = await runTest(admin, uri, one);
      count(one, outcome);
      const excluded = exclusions.get(name);
      if (outcome.outcome === 'passed')
        return expect(excluded, 'passes, but is listed in exclusions.tsv').toBeUndefined();
      expect(excluded?.outcome, `not listed in exclusions.tsv as ${outcome.outcome}: ${outcome.because}`).toBe(
        outcome.outcome,
      );
      expect(outcome.because).toContain(excluded?.failure);
    });

    test('every exclusion names a test', () => {
      const names = new Set(specified.map(nameOf));
      expect([...exclusions.keys()].filter((name) => !names.has(name))).toEqual([]);
    });

    function count({ suite }: Specified, { outcome }: Outcome): void {
      const sums = counts.get(suite) ?? { passed: 0, failed: 0, skipped: 0 };
      counts.set(suite, sums);
      sums[outcome]++;
    }
  },
);

test('every exclusion says whose doing it is and by what words it is known', () => {
  for (const { name, outcome, by, failure } of exclusions.values()) {
    expect(['failed', 'skipped'], name).toContain(outcome);
    expect(by, name).toMatch(outcome === 'skipped' ? /^the test$/ : /^(the promise|the driver|one member|the test): ./);
    expect(failure, name).not.toBe('');
  }
});

function readExclusions(): Exclusion[] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, 'exclusions.tsv'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const [suite = '', file = '', description = '', outcome = '', failure = '', by = ''] = line.split('\t');
    return { name: nameOf({ suite, file, description }), outcome, by, failure };
  });
}
