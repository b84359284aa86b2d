import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deed } from '../cli/deed.ts';
import { EXIT, Failure } from '../cli/exit.ts';
import { say, sayJson } from '../cli/terminal.ts';
import { isObject } from '../subgraphs/core/domain/is-object.ts';
import { keptFile } from '../subgraphs/core/kept-file.ts';
import { makeFolder } from '../subgraphs/core/make-folder.ts';
import { version } from '../subgraphs/core/version.ts';
import { operatorSettings } from './settings.ts';
import { type Backup, embeddedFolder, folderIn, KEYS, LIST, STORE, storeTask, weighed } from './store-copy.ts';

/** Puts a backup into a data folder that has no store, after every file of it was read and found as it was written. */
export const restore: Deed = {
  define: (command) => command.argument('<folder>', 'the folder of a backup').option('--json', 'what it held as JSON'),
  async run(terminal, { json }: { json?: true }, given: string) {
    const config = operatorSettings();
    const store = embeddedFolder(config);
    const folder = folderIn(given);
    const told = listOf(folder);
    await checkFiles(folder, told);

    makeFolder(config.PDM_DATA_DIR);
    const keys = Object.keys(told.files).filter((name) => name !== STORE);
    // Before the store, without which nothing starts: a service that finds no keys makes new ones.
    for (const name of keys) putKey(readFileSync(join(folder, name)), join(config.PDM_DATA_DIR, name));
    const { collections, documents } = await storeTask('restore', store, join(folder, STORE));
    if (json) sayJson(terminal, { dataDir: config.PDM_DATA_DIR, madeAt: told.madeAt, collections, documents });
    else {
      say(
        terminal.out,
        `${config.PDM_DATA_DIR} holds the store as it was at ${told.madeAt}: ${collections} collections, ${documents} documents.`,
      );
      say(
        terminal.out,
        'pdm check --read-data and pdm audit verify tell whether all is well. Tokens that were revoked since then are good again.',
      );
    }
    return EXIT.good;
  },
};

function listOf(folder: string): Backup {
  const file = join(folder, LIST);
  if (!existsSync(file)) throw new Failure(`${folder} is no backup: there is no ${LIST} in it, which is written last.`);
  const told: unknown = parsed(readFileSync(file, 'utf8'));
  if (isObject(told) && typeof told.version === 'string' && isNewer(told.version, version))
    throw new Failure(
      `${folder} was made by version ${told.version} of the service; this is ${version}, which may not know all that it holds. Restore it with version ${told.version} or a later one.`,
    );
  if (!isBackup(told)) throw new Failure(`${file} is not the list of a backup that this version knows.`);
  return told;
}

/** Whether a version like 1.10.0 comes after another; what stands behind a hyphen does not count. */
function isNewer(one: string, other: string): boolean {
  const numbers = (text: string) => (text.split('-')[0] ?? '').split('.').map(Number);
  const [mine, theirs] = [numbers(one), numbers(other)];
  const at = mine.findIndex((number, place) => number !== (theirs[place] ?? 0));
  return at >= 0 && (mine[at] ?? 0) > (theirs[at] ?? 0);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isBackup(told: unknown): told is Backup {
  if (!isObject(told) || told.format !== 'pdm-backup-1' || !isObject(told.files) || !(STORE in told.files))
    return false;
  return Object.entries(told.files).every(
    ([name, file]) =>
      FILES.includes(name) && isObject(file) && typeof file.size === 'number' && typeof file.sha256 === 'string',
  );
}

// no other name is put into the data folder, whoever wrote the list
const FILES: readonly string[] = [STORE, ...KEYS];

async function checkFiles(folder: string, { files }: Backup): Promise<void> {
  for (const [name, { size, sha256 }] of Object.entries(files)) {
    const file = join(folder, name);
    if (!existsSync(file)) throw new Failure(`${file} is missing from the backup.`);
    const found = await weighed(file);
    if (found.size !== size || found.sha256 !== sha256)
      throw new Failure(`${file} is not as it was written; nothing was restored.`);
  }
}

function putKey(key: Buffer, file: string): void {
  if (!keptFile(file, () => key).equals(key))
    throw new Failure(`${file} is another key than that of the backup. Restore into a data folder of its own.`);
}
