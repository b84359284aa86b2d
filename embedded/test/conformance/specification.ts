// Reads test files in MongoDB's unified test format.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EJSON } from 'bson';
import type { Document } from 'mongodb';

/** One test of a file. */
export type SpecifiedTest = {
  suite: string;
  file: string;
  description: string;
  common: Document;
  test: Document;
};

/** Reads all tests below a folder with one subfolder per suite, ordered by name. */
export function readSpecifications(folder: string): SpecifiedTest[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: suite }) =>
      readdirSync(join(folder, suite), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.json'))
        .flatMap((path) =>
          readTests(
            suite,
            basename(path, '.json'),
            EJSON.parse(readFileSync(join(folder, suite, path), 'utf8'), { relaxed: true }),
          ),
        ),
    )
    .sort((left, right) => (testName(left) < testName(right) ? -1 : 1));
}

/** Returns the unique name of a test. */
export const testName = ({ suite, file, description }: Pick<SpecifiedTest, 'suite' | 'file' | 'description'>): string =>
  `${suite} ${file}: ${description.trim()}`;

const readTests = (suite: string, file: string, common: Document): SpecifiedTest[] =>
  (common.tests ?? []).map((test: Document) => ({ suite, file, description: test.description, common, test }));

/** Returns why a test does not apply to a replica set of one member with this version; undefined if it applies. */
export function unmetRequirement({ common, test }: SpecifiedTest, version: string): string | undefined {
  if (test.skipReason) return `skipped by its file: ${test.skipReason}`;
  const unmet = [common.runOnRequirements, test.runOnRequirements].find(
    (requirements?: Document[]) => requirements && !requirements.some((requirement) => isMet(requirement, version)),
  );
  return unmet && `for ${unmet.map(formatRequirement).join(' or ')}`;
}

function isMet(
  { minServerVersion, maxServerVersion, topologies, serverless, auth, csfle }: Document,
  version: string,
): boolean {
  if (minServerVersion && compareVersions(version, minServerVersion) < 0) return false;
  if (maxServerVersion && compareVersions(version, maxServerVersion) > 0) return false;
  if (topologies && !topologies.includes('replicaset')) return false;
  return serverless !== 'require' && auth !== true && !csfle;
}

const formatRequirement = ({ minServerVersion, maxServerVersion, topologies, ...others }: Document): string =>
  [
    minServerVersion && `${minServerVersion} and later`,
    maxServerVersion && `${maxServerVersion} and earlier`,
    topologies && `topology ${topologies.join(', ')}`,
    ...Object.keys(others),
  ]
    .filter(Boolean)
    .join(', ');

function compareVersions(left: string, right: string): number {
  const [a, b] = [left, right].map((version) => version.split('.').map(Number)) as [number[], number[]];
  for (let at = 0; at < 3; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
