import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Deed } from '../cli/deed.ts';
import { EXIT, Failure } from '../cli/exit.ts';
import { say, sayJson, type Terminal } from '../cli/terminal.ts';
import { presentAuditKey } from '../subgraphs/core/audit-key.ts';
import type { Config } from '../subgraphs/core/config.ts';
import { notesIn } from '../subgraphs/core/domain/checkpoint.ts';
import { counted } from '../subgraphs/core/domain/counted.ts';
import { readVerifier, type Verifier, verifierOf, writeVerifier } from '../subgraphs/core/domain/signed-note.ts';
import { type Extent, type Verification, verifyLog } from '../subgraphs/core/domain/verify-log.ts';
import { storedLog } from '../subgraphs/core/store/audit-log.ts';
import { documentByIdOrNumber } from '../subgraphs/core/store/documents.ts';
import type { Scope } from '../subgraphs/core/store/scope.ts';
import { withStore } from './open-store.ts';
import { operatorSettings } from './settings.ts';

type Options = { checkpoint?: string[]; key?: string[]; document?: string; since?: string; json?: true };

/** Verifies the audit log from its records up, and names the first that is not as it was written. */
export const auditVerify: Deed = {
  define: (command) =>
    command
      .option(
        '--checkpoint <file>',
        'with the checkpoints in this file too, as often as wanted (usually PDM_CHECKPOINT_FILE)',
        several,
      )
      .option('--key <line>', 'a former key, as this command prints it, as often as wanted', several)
      .option('--document <number>', 'the records of one document')
      .option('--since <seq>', 'the records of what has changed after this place of the log')
      .option('--json', 'the verification as JSON'),
  async run(terminal, given: Options) {
    const config = operatorSettings();
    const outside = checkpointsIn(terminal, filesOf(given, config));
    const former = (given.key ?? []).map(verifierIn);
    const key = presentAuditKey(config.PDM_DATA_DIR);
    const verifiers = (origin: string) => [
      ...ownVerifiers(key, origin),
      ...former.filter(({ name }) => name === origin),
    ];
    return withStore(config, async ({ db }) => {
      const verification = await verifyLog(storedLog({ db }), { verifiers, outside }, await extentOf({ db }, given));
      if (given.json) sayJson(terminal, verification);
      else for (const line of report(verification, verifiers(verification.origin ?? ''))) say(terminal.out, line);
      return { good: EXIT.good, tampered: EXIT.refused, unknown: EXIT.unable }[verification.verdict];
    });
  },
};

function several(given: string, before: readonly string[] = []): string[] {
  return [...before, given];
}

async function extentOf(scope: Scope, { document, since }: Options): Promise<Extent> {
  if (document !== undefined && since !== undefined) throw new Failure('Either --document or --since.', EXIT.usage);
  if (document !== undefined) return { chain: (await documentByIdOrNumber(scope, document))._id };
  if (since === undefined) return {};
  if (!/^\d{1,15}$/.test(since))
    throw new Failure('--since takes the number of a record in the log (seq), 0 for all.', EXIT.usage);
  return { since: Number(since) };
}

function report(
  { verdict, faults, doubts, origin, root, ...counts }: Verification,
  [verifier]: readonly Verifier[],
): string[] {
  const { records, chains, sealed, pending, checkpoints, outside } = counts;
  const seen = `${counted(records, 'record')} in ${counted(chains, 'chain')}, ${sealed} sealed, ${pending} wait to be; ${counted(checkpoints, 'checkpoint')} in the store, ${outside} from outside`;
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
function filesOf({ checkpoint: asked = [] }: Options, { PDM_CHECKPOINT_FILE: configured }: Config): string[] {
  if (asked.length) return asked;
  return configured && existsSync(configured) ? [configured] : [];
}

function checkpointsIn({ err }: Terminal, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const { notes, torn } = notesIn(contentOf(file));
    if (!notes.length) throw new Failure(`${file} holds no checkpoint.`);
    if (torn) say(err, `${file}: ${torn} torn pieces were passed over; the checkpoints around them are whole.`);
    return notes;
  });
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function verifierIn(line: string): Verifier {
  const verifier = readVerifier(line.trim());
  if (!verifier) throw new Failure('--key must be a line as `pdm audit verify` prints it after "key".', EXIT.usage);
  return verifier;
}

function ownVerifiers(key: KeyObject | null, origin: string): Verifier[] {
  return key && origin ? [verifierOf(origin, createPublicKey(key))] : [];
}
