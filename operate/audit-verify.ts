import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { CliCommand } from '../cli/command.ts';
import { CliError, EXIT } from '../cli/exit.ts';
import { type Terminal, writeJson, writeLine } from '../cli/terminal.ts';
import { parseNotes } from '../subgraphs/core/domain/audit/checkpoint.ts';
import {
  createVerifier,
  formatVerifier,
  parseVerifier,
  type Verifier,
} from '../subgraphs/core/domain/audit/signed-note.ts';
import type { VerificationScope } from '../subgraphs/core/domain/audit/verify-log.ts';
import { pluralize } from '../subgraphs/core/domain/text/pluralize.ts';
import { readAuditPublicKey } from '../subgraphs/core/platform/audit-key.ts';
import type { Config } from '../subgraphs/core/platform/config.ts';
import type { Progress } from '../subgraphs/core/proof/compare-store.ts';
import { type StoreVerification, verifyStore } from '../subgraphs/core/proof/verify-store.ts';
import { getByIdOrNumber } from '../subgraphs/core/store/documents.ts';
import type { Scope } from '../subgraphs/core/store/query/scope.ts';
import { withStore } from './open-store.ts';
import { readSettings } from './settings.ts';

type Options = { checkpoint?: string[]; key?: string[]; document?: string; since?: string; json?: true };

const EXIT_CODES = { intact: EXIT.success, tampered: EXIT.failure, unknown: EXIT.error };

/**
 * `pdm audit verify`: recomputes the audit log from its records, compares every stored record with it, and lists every
 * difference.
 */
export const auditVerify: CliCommand = {
  define: (command) =>
    command
      .option(
        '--checkpoint <file>',
        'also verify against the checkpoints in this file; repeatable (default: PDM_CHECKPOINT_FILE)',
        append,
      )
      .option('--key <line>', 'also accept checkpoints signed by this former key, as printed here; repeatable', append)
      .option('--document <number>', 'verify only the records of one document')
      .option('--since <seq>', 'verify only the chains changed after this sequence number')
      .option('--json', 'print the result as JSON'),
  async run(terminal, options: Options) {
    const config = readSettings();
    const externalCheckpoints = readCheckpoints(terminal, checkpointFiles(options, config));
    const formerKeys = (options.key ?? []).map(parseKey);
    const key = readAuditPublicKey(config.PDM_DATA_DIR);
    const verifiers = (origin: string) => [
      ...currentVerifiers(key, origin),
      ...formerKeys.filter(({ name }) => name === origin),
    ];
    return withStore(config, async ({ db }) => {
      const scope = await parseScope({ db }, options);
      const progress = progressLine(terminal);
      const verification = await verifyStore(
        { db },
        { verifiers, externalCheckpoints },
        { scope, now: new Date(), onProgress: progress.show },
      );
      progress.end();
      const [verifier] = verifiers(verification.origin ?? '');
      if (options.json) writeJson(terminal, verification);
      else for (const line of formatReport(verification, verifier)) writeLine(terminal.out, line);
      return EXIT_CODES[verification.verdict];
    });
  },
};

function append(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

async function parseScope(scope: Scope, { document, since }: Options): Promise<VerificationScope> {
  if (document !== undefined && since !== undefined)
    throw new CliError('--document cannot be combined with --since.', EXIT.usage);
  if (document !== undefined) return { chain: (await getByIdOrNumber(scope, document))._id };
  if (since === undefined) return {};
  if (!/^\d{1,15}$/.test(since))
    throw new CliError('--since must be a sequence number of the audit log (0 for all).', EXIT.usage);
  return { since: Number(since) };
}

function formatReport(verification: StoreVerification, verifier: Verifier | undefined): string[] {
  const { verdict, errors, moreErrors, warnings, origin, root, records, chains, sealed, pending } = verification;
  const { checkpoints, externalCheckpoints, compared } = verification;
  const counts = `${pluralize(records, 'record')} in ${pluralize(chains, 'chain')}, ${sealed} sealed, ${pending} pending; ${pluralize(checkpoints, 'checkpoint')} in the store, ${externalCheckpoints} external; ${pluralize(compared, 'stored record')} compared`;
  const lines: string[] = [];
  if (verdict === 'intact') lines.push(`intact: ${counts}.`);
  else if (verdict === 'tampered') lines.push(`TAMPERED: first error in ${errors[0]?.id}; ${counts}.`);
  else lines.push(`unknown: no errors, but not everything could be verified; ${counts}.`);
  for (const { id, message } of errors) lines.push(`  ${id}  ${message}`);
  if (moreErrors) lines.push(`  and ${moreErrors} more`);
  for (const warning of warnings) lines.push(`  ?  ${warning}`);
  if (origin) lines.push(`log ${origin} · root ${root}`);
  if (origin && verifier) lines.push(`key ${formatVerifier(verifier)}`);
  return lines;
}

const PROGRESS_MS = 1_000;

// On a terminal, shows once a second how far the comparison is.
function progressLine({ err }: Terminal): { show(progress: Progress): void; end(): void } {
  let shownAt = performance.now();
  let shown = false;
  return {
    show: ({ replayed, compared }) => {
      if (!err.isTTY || performance.now() - shownAt < PROGRESS_MS) return;
      err.write(`\r${pluralize(replayed, 'audit record')} replayed, ${pluralize(compared, 'stored record')} compared`);
      shownAt = performance.now();
      shown = true;
    },
    end: () => void (shown && err.write('\n')),
  };
}

// The configured file may not exist yet; a file named on the command line must exist.
function checkpointFiles({ checkpoint: files = [] }: Options, { PDM_CHECKPOINT_FILE: configured }: Config): string[] {
  if (files.length) return files;
  return configured && existsSync(configured) ? [configured] : [];
}

function readCheckpoints({ err }: Terminal, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const { notes, torn } = parseNotes(readText(file));
    if (!notes.length) throw new CliError(`${file} contains no checkpoint.`);
    if (torn) writeLine(err, `Warning: skipped ${pluralize(torn, 'incomplete checkpoint')} in ${file}.`);
    return notes;
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

function parseKey(line: string): Verifier {
  const verifier = parseVerifier(line.trim());
  if (!verifier) throw new CliError('--key must be a line that "pdm audit verify" prints after "key".', EXIT.usage);
  return verifier;
}

function currentVerifiers(key: KeyObject | null, origin: string): Verifier[] {
  return key && origin ? [createVerifier(origin, key)] : [];
}
