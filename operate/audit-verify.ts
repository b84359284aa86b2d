import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { presentAuditKey } from '../subgraphs/core/audit-key.ts';
import type { Config } from '../subgraphs/core/config.ts';
import { notesIn } from '../subgraphs/core/domain/checkpoint.ts';
import { readVerifier, type Verifier, verifierOf, writeVerifier } from '../subgraphs/core/domain/signed-note.ts';
import { type Extent, type Verification, verifyLog } from '../subgraphs/core/domain/verify-log.ts';
import { storedLog } from '../subgraphs/core/store/audit-log.ts';
import { documentByIdOrNumber } from '../subgraphs/core/store/documents.ts';
import type { Scope } from '../subgraphs/core/store/scope.ts';
import { EXIT, type Given, type OperatorCommand, OperatorError, textsOf } from './command.ts';
import { withStore } from './open-store.ts';

/** Verifies the audit log from its records up, and names the first that is not as it was written. */
export const auditVerify: OperatorCommand = {
  words: 'audit verify',
  usage: 'audit verify [--checkpoint FILE]… [--key LINE]… [--document NUMBER] [--since SEQ] [--json]',
  says: 'Verify the audit log: chains, places, tree, signatures, and the checkpoints in FILE (usually PDM_CHECKPOINT_FILE); with --since the records of what has changed after number SEQ.',
  options: {
    checkpoint: { type: 'string', multiple: true },
    key: { type: 'string', multiple: true },
    document: { type: 'string' },
    since: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
  run: async (given, config) => {
    const outside = checkpointsIn(filesOf(given, config));
    const former = textsOf(given, 'key').map(verifierIn);
    const key = presentAuditKey(config.PDM_DATA_DIR);
    const verifiers = (origin: string) => [...ownVerifiers(key, origin), ...former.filter(({ name }) => name === origin)];
    return withStore(config, async ({ db }) => {
      const verification = await verifyLog(storedLog({ db }), { verifiers, outside }, await extentOf({ db }, given));
      if (given.json) console.log(JSON.stringify(verification, null, 2));
      else for (const line of report(verification, verifiers(verification.origin ?? ''))) console.log(line);
      return { good: EXIT.good, tampered: EXIT.wrong, unknown: EXIT.cannotTell }[verification.verdict];
    });
  },
};

async function extentOf(scope: Scope, { document, since }: Given): Promise<Extent> {
  if (document !== undefined && since !== undefined) throw new OperatorError('Either --document or --since.', EXIT.usage);
  if (document !== undefined) return { chain: (await documentByIdOrNumber(scope, String(document)))._id };
  if (since === undefined) return {};
  if (!/^\d{1,15}$/.test(String(since))) throw new OperatorError('--since takes the number of a record in the log (seq), 0 for all.', EXIT.usage);
  return { since: Number(since) };
}

function report({ verdict, faults, doubts, origin, root, ...counts }: Verification, [verifier]: readonly Verifier[]): string[] {
  const { records, chains, sealed, pending, checkpoints, outside } = counts;
  const seen = `${records} records in ${chains} chains, ${sealed} sealed, ${pending} wait to be; ${checkpoints} checkpoints in the store, ${outside} from outside`;
  const log = origin ? [`log ${origin} · root ${root}`, ...(verifier ? [`key ${writeVerifier(verifier)}`] : [])] : [];
  const found = [...faults.map(({ id, says }) => `  ${id}  ${says}`), ...doubts.map((doubt) => `  ?  ${doubt}`)];
  if (verdict === 'good') return [`good: ${seen}.`, ...log];
  const first =
    verdict === 'tampered'
      ? `TAMPERED, first of all ${faults[0]?.id}: ${seen}.`
      : `cannot tell: nothing is wrong, but not all could be checked. ${seen}.`;
  return [first, ...found, ...log];
}

// The configured file may not have been written yet; one that is asked for by name must be there.
function filesOf(given: Given, { PDM_CHECKPOINT_FILE: configured }: Config): string[] {
  const asked = textsOf(given, 'checkpoint');
  if (asked.length) return asked;
  return configured && existsSync(configured) ? [configured] : [];
}

function checkpointsIn(files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const { notes, torn } = notesIn(contentOf(file));
    if (!notes.length) throw new OperatorError(`${file} holds no checkpoint.`);
    if (torn) console.error(`${file}: ${torn} torn pieces were passed over; the checkpoints around them are whole.`);
    return notes;
  });
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function verifierIn(line: string): Verifier {
  const verifier = readVerifier(line.trim());
  if (!verifier) throw new OperatorError('--key must be a line as `pdm audit verify` prints it after "key".', EXIT.usage);
  return verifier;
}

function ownVerifiers(key: KeyObject | null, origin: string): Verifier[] {
  return key && origin ? [verifierOf(origin, createPublicKey(key))] : [];
}
