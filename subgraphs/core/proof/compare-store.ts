// Compares every stored record with the audit log: the replay of a chain says what its records contain.
import { compareRecord } from '../domain/audit/compare-records.ts';
import { type LoggedFields, loggedFields, type ProvenCollection } from '../domain/audit/proven-record.ts';
import { type ChainState, type ReplayedRecord, replayChain } from '../domain/audit/replay.ts';
import {
  countStored,
  DOCUMENT_COLLECTIONS,
  provenRecords,
  provenReferences,
  recordsWithoutChain,
  replayedRecords,
  SHARED_CHAINS,
  type StoredChain,
  storedContents,
} from '../store/audit/proven-records.ts';
import type { Scope } from '../store/query/scope.ts';
import { withSnapshot } from '../store/query/snapshot.ts';
import { compareChain, expectedPlace, type RecordDifference, type Surroundings } from './compare-chain.ts';

/** The numbers of replayed audit records, and of stored records that were compared. */
export type Progress = { replayed: number; compared: number };

export type Comparison = Progress & {
  /** The chains of an earlier version whose state is not in the log yet. */
  unknownChains: number;
};

type Options = {
  now: Date;
  /** Compares only the records of these chains. */
  chains?: readonly string[] | undefined;
  report(difference: RecordDifference): void;
  onProgress?: ((progress: Progress) => void) | undefined;
};

/** Chains are compared in groups of at most this many chains or audit records. */
const MAX_CHAINS = 200;
const MAX_RECORDS = 5_000;

/**
 * Compares the stored records with the log, chain by chain, so that memory does not grow with the store. The service
 * may write meanwhile: a chain that differs is read again in a snapshot, and only differences in that are reported.
 */
export async function compareStore(scope: Scope, options: Options): Promise<Comparison> {
  const { now, onProgress } = options;
  const { report, reportRest } = mergeMoved(options.report);
  const comparison: Comparison = { replayed: 0, compared: 0, unknownChains: 0 };
  const seen = new Map<string, number>();
  const count = (name: string, records: number) => seen.set(name, (seen.get(name) ?? 0) + records);

  const compare = async (group: ReadonlyMap<string, ChainState | null>) => {
    const stored = await readChains(scope, [...group.keys()]);
    for (const [chain, records] of stored.records) {
      for (const [name, found] of Object.entries(records)) {
        count(name, found.length);
        comparison.compared += found.length;
        if (name === 'versions')
          for (const { _id } of found) count('references', stored.surroundings.references.get(_id)?.lines ?? 0);
      }
      const state = group.get(chain) ?? null;
      if (state === null) comparison.unknownChains += Object.keys(records).length ? 1 : 0;
      else if (compareChain(collectionsOf(chain), state, records, stored.surroundings, now).length)
        for (const difference of await differencesInSnapshot(scope, chain, now)) report(difference);
    }
    onProgress?.(comparison);
  };

  const missing = new Set(options.chains ?? Object.keys(SHARED_CHAINS));
  for await (const group of chainGroups(scope, options.chains, now, comparison)) {
    for (const chain of group.keys()) missing.delete(chain);
    await compare(group);
  }
  // a chain without audit records: its records were never written by a command
  await compare(new Map([...missing].map((chain) => [chain, {}])));

  if (!options.chains)
    for (const name of [...DOCUMENT_COLLECTIONS, 'references'] as const)
      if ((await countStored(scope, name)) !== (seen.get(name) ?? 0))
        for await (const record of recordsWithoutChain(scope, name)) {
          const actual = name === 'references' ? record : loggedFields(name, record);
          for (const difference of compareRecord(null, actual))
            report({ collection: name, id: String(record._id), ...difference });
        }
  reportRest();
  return comparison;
}

/** The maximum number of missing and inserted records that are kept to find records that were moved. */
const MAX_KEPT = 10_000;

// A record with another document is missing in one chain and inserted in another: reports the fields that differ.
function mergeMoved(report: (difference: RecordDifference) => void): {
  report(difference: RecordDifference): void;
  reportRest(): void;
} {
  const kept = new Map<string, RecordDifference>();
  return {
    report: (difference) => {
      const { collection, id, field, expected, actual } = difference;
      const key = `${collection}/${id}`;
      const other = field === null ? kept.get(key) : undefined;
      if (other && (other.actual === null) !== (actual === null)) {
        kept.delete(key);
        const [before, after] = [expected ?? other.expected, actual ?? other.actual] as [LoggedFields, LoggedFields];
        for (const each of compareRecord(before, after)) report({ collection, id, ...each });
      } else if (field === null && kept.size < MAX_KEPT) kept.set(key, difference);
      else report(difference);
    },
    reportRest: () => {
      for (const difference of kept.values()) report(difference);
    },
  };
}

/** Yields the states of chains in groups. */
async function* chainGroups(
  scope: Scope,
  chains: readonly string[] | undefined,
  now: Date,
  progress: Progress,
): AsyncGenerator<Map<string, ChainState | null>> {
  let group = new Map<string, ChainState | null>();
  let records = 0;
  let chain: string | null = null;
  let replay = replayChain(now);
  for await (const batch of recordsInOrder(scope, chains)) {
    for (const record of batch) {
      if (record.chain !== chain) {
        if (chain !== null) group.set(chain, replay.state());
        if (group.size >= MAX_CHAINS || records >= MAX_RECORDS) {
          yield group;
          group = new Map();
          records = 0;
        }
        chain = record.chain;
        replay = replayChain(now);
      }
      replay.add(record);
      records += 1;
      progress.replayed += 1;
    }
  }
  if (chain !== null) group.set(chain, replay.state());
  yield group;
}

async function* recordsInOrder(scope: Scope, chains?: readonly string[]): AsyncGenerator<ReplayedRecord[]> {
  if (chains) for (const chain of chains) yield* replayedRecords(scope, chain);
  else yield* replayedRecords(scope);
}

async function differencesInSnapshot(store: Scope, chain: string, now: Date): Promise<RecordDifference[]> {
  return withSnapshot(store, async (scope) => {
    const replay = replayChain(now);
    for await (const batch of replayedRecords(scope, chain)) for (const record of batch) replay.add(record);
    const { records, surroundings } = await readChains(scope, [chain]);
    const state = replay.state() ?? {};
    return compareChain(collectionsOf(chain), state, records.get(chain) ?? {}, surroundings, now);
  });
}

function collectionsOf(chain: string): readonly ProvenCollection[] {
  return (Object.hasOwn(SHARED_CHAINS, chain) && SHARED_CHAINS[chain]) || DOCUMENT_COLLECTIONS;
}

async function readChains(
  scope: Scope,
  chains: readonly string[],
): Promise<{ records: Map<string, StoredChain>; surroundings: Surroundings }> {
  const records = await provenRecords(scope, chains);
  const all = <N extends ProvenCollection>(name: N) => [...records.values()].flatMap((each) => each[name] ?? []);
  const versions = new Map(all('versions').map((version) => [version._id, version]));
  const documents = new Map(all('documents').map((document) => [document._id, document]));
  const references = await provenReferences(scope, [...versions.keys()], (line) => {
    const version = versions.get(line.versionId);
    return expectedPlace(line, version, documents.get(String(version?.documentId)));
  });
  const hashes = new Set(all('artifacts').map(({ sha256 }) => String(sha256)));
  return { records, surroundings: { references, contents: await storedContents(scope, [...hashes]) } };
}
