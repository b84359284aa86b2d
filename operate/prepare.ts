import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliCommand } from '../cli/command.ts';
import { CliError, EXIT } from '../cli/exit.ts';
import { writeLine } from '../cli/terminal.ts';
import { keyFileIn, readOrCreateAuditKey, writeAuditPublicKey } from '../subgraphs/core/platform/audit-key.ts';
import { ensureDirectory } from '../subgraphs/core/platform/ensure-directory.ts';
import { readOrCreateSecret } from '../subgraphs/core/platform/secret.ts';
import { type Credentials, grantPrivileges } from '../subgraphs/core/store/database-users.ts';
import { DATABASE_USERS, type DatabaseUser } from '../subgraphs/core/store/schema/privileges.ts';
import { withStore } from './open-store.ts';
import { readSettings } from './settings.ts';

type Options = { user?: string[]; sealingFolder?: string };

/**
 * `pdm prepare`: prepares an installation whose processes have separate rights. Creates the collections and indexes, the
 * users of the parts of the service, and the key folders. Run it before each start of a new version.
 */
export const prepare: CliCommand = {
  define: (command) =>
    command
      .option(
        '--user <part>=<file>',
        `create the user in the MONGODB_URL that the file contains, for ${DATABASE_USERS.join(', ')}; repeatable`,
        (value: string, all: string[] = []) => [...all, value],
      )
      .option(
        '--sealing-folder <folder>',
        'keep the audit log key in this data folder of the sweeps, and only the public key in PDM_DATA_DIR',
      ),
  async run(terminal, { user = [], sealingFolder }: Options) {
    const users = user.map(parseUser);
    const config = readSettings();
    await withStore(config, async ({ db }) => {
      writeLine(terminal.out, `The collections and indexes of database ${db.databaseName} are up to date.`);
      for (const { part, credentials } of users) {
        await grantPrivileges(db, part, credentials);
        writeLine(terminal.out, `User ${credentials.name} has the privileges of ${part}.`);
      }
    });
    if (sealingFolder) {
      separateKeys(config.PDM_DATA_DIR, sealingFolder);
      writeLine(terminal.out, `The audit log key is in ${sealingFolder}, its public key in ${config.PDM_DATA_DIR}.`);
    }
    return EXIT.success;
  },
};

function parseUser(option: string): { part: DatabaseUser; credentials: Credentials } {
  const [name = '', file = ''] = option.split('=');
  const part = DATABASE_USERS.find((known) => known === name);
  if (!part || !file) throw new CliError(`--user must be <${DATABASE_USERS.join('|')}>=<file>.`, EXIT.usage);
  const url = /^mongodb(?:\+srv)?:\/\/([^:@/]+):([^:@/]+)@/.exec(readFileSync(file, 'utf8').trim());
  if (!url) throw new CliError(`${file} does not contain a MongoDB URL with a user and a password.`, EXIT.usage);
  return { part, credentials: { name: decodeURIComponent(url[1]!), password: decodeURIComponent(url[2]!) } };
}

/**
 * Gives both folders the installation secret, and moves the audit log key of an installation that had one folder. Throws
 * if the folders have different keys.
 */
export function separateKeys(dataDir: string, sealingFolder: string): void {
  for (const folder of [dataDir, sealingFolder]) ensureDirectory(folder);
  readOrCreateSecret(dataDir);
  const secret = join(sealingFolder, 'secret');
  if (!existsSync(secret)) copyKey(join(dataDir, 'secret'), secret);
  const [former, key] = [keyFileIn(dataDir), keyFileIn(sealingFolder)];
  if (existsSync(former)) {
    if (!existsSync(key)) copyKey(former, key);
    else if (!readFileSync(former).equals(readFileSync(key)))
      throw new CliError(`${former} and ${key} are different keys. Remove the one that is not used.`);
    rmSync(former);
  }
  writeAuditPublicKey(dataDir, readOrCreateAuditKey(sealingFolder));
}

// Complete and on disk under its name, or not there: a move that is interrupted can be repeated.
function copyKey(from: string, to: string): void {
  writeFileSync(`${to}.new`, readFileSync(from), { mode: 0o600, flush: true });
  renameSync(`${to}.new`, to);
}
