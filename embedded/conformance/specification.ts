import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EJSON } from 'bson';
import type { Document } from 'mongodb';

/** One test of a file in MongoDB's unified test format. */
export type Specified = {
  /** The folder of its suite, its file without the ending, its description: together its name. */
  suite: string;
  file: string;
  description: string;
  /** What the file says for all its tests, and what the test says. */
  common: Document;
  test: Document;
};

/** Every test under a folder with one folder for each suite, in the order of their names. */
export function readSpecifications(folder: string): Specified[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: suite }) =>
      readdirSync(join(folder, suite), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.json'))
        .flatMap((path) =>
          testsOf(
            suite,
            basename(path, '.json'),
            EJSON.parse(readFileSync(join(folder, suite, path), 'utf8'), { relaxed: true }),
          ),
        ),
    )
    .sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
}

/** Unique among all tests, for a table and for people. */
export const nameOf = ({ suite, file, description }: Pick<Specified, 'suite' | 'file' | 'description'>): string =>
  `${suite} ${file}: ${description.trim()}`;

const testsOf = (suite: string, file: string, common: Document): Specified[] =>
  (common.tests ?? []).map((test: Document) => ({ suite, file, description: test.description, common, test }));

/** Why a test does not apply to a replica set of one with this version, in the words of its file; undefined if it does. */
export function unmetRequirement({ common, test }: Specified, version: string): string | undefined {
  if (test.skipReason) return `skipped by its file: ${test.skipReason}`;
  const unmet = [common.runOnRequirements, test.runOnRequirements].find(
    (requirements?: Document[]) => requirements && !requirements.some((requirement) => isMet(requirement, version)),
  );
  return unmet && `for ${unmet.map(inWords).join(' or ')}`;
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

const inWords = ({ minServerVersion, maxServerVersion, topologies, ...others }: Document): string =>
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
