// Records the state of what an earlier version stored, so that the audit log proves it from now on.
import { BASELINE } from '../../core/domain/audit/replay.ts';
import { pluralize } from '../../core/domain/text/pluralize.ts';
import {
  baselineOf,
  chainsWithoutBaseline,
  hasBaseline,
  LAST_BASELINE,
  needsBaseline,
} from '../../core/store/audit/baseline.ts';
import { SHARED_CHAINS } from '../../core/store/audit/proven-records.ts';
import { inTransaction, type Services, type Work } from '../../core/work.ts';
import { serviceRequest } from '../access/issue-token.ts';

/** The maximum number of stored records in an audit record. */
const MAX_RECORDS = 500;

/**
 * Records the state of every chain that an earlier version wrote, once, in the background. The service may write
 * meanwhile. Started again, it goes on where it stopped.
 */
export function startBaseline(services: Services): { stop(): Promise<void>; finished: Promise<void> } {
  const stopping = new AbortController();
  const finished = recordBaselines(services, stopping.signal).catch((error: unknown) =>
    services.log.warn({ err: error }, 'could not record the state of all stored records; continuing at the next start'),
  );
  return {
    finished,
    stop: () => {
      stopping.abort();
      return finished;
    },
  };
}

async function recordBaselines(services: Services, stopping: AbortSignal): Promise<void> {
  const scope = { db: services.mongo.db };
  if (!(await needsBaseline(scope))) return;
  const record = (chain: string) => inTransaction(services, serviceRequest('baseline'), recordBaseline, { chain });
  let count = 0;
  for await (const chains of chainsWithoutBaseline(scope)) {
    for (const chain of chains) {
      if (stopping.aborted) return;
      if (chain !== LAST_BASELINE) await record(chain);
    }
    count += chains.length;
    services.log.info({ chains: count }, 'recorded the state of records that an earlier version stored');
  }
  await record(LAST_BASELINE);
}

async function recordBaseline(work: Work, { chain }: { chain: string }): Promise<void> {
  if (await hasBaseline(work, chain)) {
    work.unchanged();
    return;
  }
  const changes = await baselineOf(work, chain);
  const about = Object.hasOwn(SHARED_CHAINS, chain) ? { chain } : { documentId: chain };
  for (let from = 0; from === 0 || from < changes.length; from += MAX_RECORDS) {
    const records = changes.slice(from, from + MAX_RECORDS);
    work.audit({
      action: BASELINE,
      ...about,
      summary: `The state of ${pluralize(records.length, 'stored record')} of an earlier version was recorded.`,
      records,
    });
  }
}
