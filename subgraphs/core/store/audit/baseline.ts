// Finds the chains that an earlier version wrote, and reads the state of their records for a baseline.
import { loggedFields, REFERENCES, type RecordChange } from '../../domain/audit/proven-record.ts';
import { BASELINE } from '../../domain/audit/replay.ts';
import { collection, type Scope, within } from '../query/scope.ts';
import { provenRecords, provenReferences } from './proven-records.ts';

const BATCH = 500;
/** The chain whose baseline is written last. */
export const LAST_BASELINE = 'system';

/**
 * Returns whether chains may lack a baseline: an earlier version wrote the oldest record, and not all baselines are
 * written.
 */
export async function needsBaseline(scope: Scope): Promise<boolean> {
  const audit = collection(scope, 'audit');
  const oldest = await audit.findOne({}, { sort: { at: 1, _id: 1 }, projection: { records: 1 } });
  if (!oldest || oldest.records) return false;
  return (await audit.findOne({ action: BASELINE, chain: LAST_BASELINE }, { projection: { _id: 1 } })) === null;
}

/** Yields the chains without a baseline whose first record does not contain the written values, in batches. */
export async function* chainsWithoutBaseline(scope: Scope): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const heads = await collection(scope, 'chains')
      .find({ _id: { $gt: after } }, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    const chains = heads.map(({ _id }) => _id);
    const proven = new Set<string>();
    for (const filter of [{ chainSeq: 1, records: { $exists: true } }, { action: BASELINE }])
      for (const chain of await collection(scope, 'audit').distinct('chain', { chain: { $in: chains }, ...filter }))
        proven.add(chain);
    yield chains.filter((chain) => !proven.has(chain));
    const last = chains.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** Returns whether a chain has a baseline. */
export async function hasBaseline(scope: Scope, chain: string): Promise<boolean> {
  const found = await collection(scope, 'audit').findOne(
    { chain, action: BASELINE },
    { projection: { _id: 1 }, ...within(scope) },
  );
  return found !== null;
}

/** Returns the stored records of a chain, as changes to an empty store. */
export async function baselineOf(scope: Scope, chain: string): Promise<RecordChange[]> {
  const stored = (await provenRecords(scope, [chain])).get(chain) ?? {};
  const versions = (stored.versions ?? []).map(({ _id }) => _id);
  const references = await provenReferences(scope, versions, () => null);
  return Object.entries(stored).flatMap(([name, records]) =>
    records.map((record): RecordChange => {
      const collection = name as keyof typeof stored;
      const fields = loggedFields(collection, record);
      const lines = collection === 'versions' ? references.get(record._id)?.logged : null;
      return { collection, fields: lines ? { ...fields, [REFERENCES]: lines } : fields, id: record._id };
    }),
  );
}
