// Runs the tests of MongoDB's drivers against the store.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../test/support/needs.ts';
import { type Outcome, runTest } from './run-test.ts';
import { readSpecifications, type SpecifiedTest, testName } from './specification.ts';

// MONGODB_SPECS_DIR is the folder with the test files. Their license does not allow a copy in this repository.
const folder = process.env.MONGODB_SPECS_DIR;
const specified = folder ? readSpecifications(folder) : [];

/**
 * A row of exclusions.tsv: a test that does not pass, the cause, and part of its error, so that another error is
 * noticed.
 */
type Exclusion = { name: string; outcome: string; cause: string; failure: string };
const exclusions = new Map(readExclusions().map((exclusion) => [exclusion.name, exclusion]));

const specifications = needs('MongoDB specifications', folder !== undefined);
describe.skipIf(specifications.isMissing)(specifications.title('the MongoDB driver tests'), () => {
  const data = mkdtempSync(join(tmpdir(), 'store-conformance-'));
  const counts = new Map<string, { passed: number; failed: number; skipped: number }>();
  let stop: () => Promise<void>;
  let uri: string;
  let admin: MongoClient;

  beforeAll(async () => {
    const failpoints = join(import.meta.dirname, 'failpoints.ts');
    const store = spawn(
      process.execPath,
      [
        join(import.meta.dirname, '../../process/main.ts'),
        '--data',
        data,
        '--port',
        '0',
        '--test-commands',
        failpoints,
      ],
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

  test.each(specified.map((one) => [testName(one), one] as const))('%s', async (name, one) => {
    const outcome = await runTest(admin, uri, one);
    count(one, outcome);
    const excluded = exclusions.get(name);
    if (outcome.outcome === 'passed')
      return expect(excluded, 'passes, but is listed in exclusions.tsv').toBeUndefined();
    expect(excluded?.outcome, `not listed in exclusions.tsv as ${outcome.outcome}: ${outcome.reason}`).toBe(
      outcome.outcome,
    );
    expect(outcome.reason).toContain(excluded?.failure);
  });

  test('lists only exclusions of existing tests', () => {
    const names = new Set(specified.map(testName));
    expect([...exclusions.keys()].filter((name) => !names.has(name))).toEqual([]);
  });

  function count({ suite }: SpecifiedTest, { outcome }: Outcome): void {
    const sums = counts.get(suite) ?? { passed: 0, failed: 0, skipped: 0 };
    counts.set(suite, sums);
    sums[outcome]++;
  }
});

test('lists each exclusion with its cause and error', () => {
  for (const { name, outcome, cause, failure } of exclusions.values()) {
    expect(['failed', 'skipped'], name).toContain(outcome);
    expect(cause, name).toMatch(
      outcome === 'skipped' ? /^test requirement$/ : /^(unsupported|driver|single member|test requirement): ./,
    );
    expect(failure, name).not.toBe('');
  }
});

function readExclusions(): Exclusion[] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, 'exclusions.tsv'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const [suite = '', file = '', description = '', outcome = '', failure = '', cause = ''] = line.split('\t');
    return { name: testName({ suite, file, description }), outcome, cause, failure };
  });
}
