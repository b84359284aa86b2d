// Replays audit records: what the log says about the records of one chain.

import { isExpired, type LoggedFields, type ProvenCollection, type RecordChange } from './proven-record.ts';

/** The fields of an audit record that a replay needs. */
export type ReplayedRecord = { chain: string; chainSeq: number; action: string; records?: readonly RecordChange[] };

/** The state of the records of a chain: for each collection their logged fields by id. */
export type ChainState = Partial<Record<ProvenCollection, Map<string, LoggedFields>>>;

/** The action of records with the state of everything in a chain that an earlier version wrote. */
export const BASELINE = 'store.baseline';

/**
 * Creates a replay of one chain, whose records are added in order. `state` returns what they add up to; null if the log
 * does not say, because an earlier version wrote the chain and its baseline is missing. Records whose `expiresAt` is
 * not after `now` are left out: the store may delete them at any time.
 */
export function replayChain(now: Date): { add(record: ReplayedRecord): void; state(): ChainState | null } {
  let state: ChainState | null = null;
  let wasBaseline = false;
  return {
    add: ({ action, chainSeq, records = [] }) => {
      const isBaseline = action === BASELINE;
      if (isBaseline ? !wasBaseline : chainSeq === 1 && records.length) state = {};
      wasBaseline = isBaseline;
      if (state) for (const change of records) apply(state, change, now);
    },
    state: () => state,
  };
}

function apply(state: ChainState, { collection, id, fields }: RecordChange, now: Date): void {
  state[collection] ??= new Map();
  const records = state[collection];
  if (fields === null) {
    records.delete(id);
    // The records of a deleted document are deleted with it, except its number.
    if (collection === 'documents')
      for (const name of Object.keys(state) as ProvenCollection[]) if (name !== 'numbers') delete state[name];
  } else if (isExpired(collection, fields, now)) records.delete(id);
  else {
    const known = records.get(id);
    if (known) Object.assign(known, fields);
    else records.set(id, { ...fields });
  }
}
