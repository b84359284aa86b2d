// Creates the administrator and its token at the first start.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { generateToken, tokenMatches, tokenPrefix } from '../../core/domain/access/token.ts';
import { readOrCreateFile } from '../../core/platform/read-or-create-file.ts';
import { isActive, tokenByPrefix } from '../../core/store/tokens.ts';
import { hasNoUsers } from '../../core/store/users.ts';
import type { Services } from '../../core/work.ts';
import { createAdministrator, registerWorkerToken } from './issue-token.ts';

/** The tokens from the settings, null if not set, and the file that stores a generated administrator token. */
type FirstStartOptions = { adminToken: string | null; workerToken: string | null; file: string };

/**
 * Creates the administrator if there are no users, and registers the worker token of the settings. Returns the
 * administrator's generated token; null at later starts and if the settings contain the token. The file is written
 * before the token becomes valid, so an interrupted start and concurrent starts on the same folder use the same token.
 */
export async function issueFirstToken(
  services: Services,
  { adminToken, workerToken, file }: FirstStartOptions,
): Promise<string | null> {
  if (workerToken !== null) await registerWorkerToken(services, workerToken);
  if (adminToken !== null) {
    await createAdministrator(services, adminToken);
    return null;
  }
  const scope = { db: services.mongo.db };
  if (!(await hasNoUsers(scope))) {
    await deleteUnusableToken(services, file);
    return null;
  }
  const token = readOrCreateFile(file, () => `${generateToken()}\n`)
    .toString()
    .trim();
  const created = await createAdministrator(services, token);
  if (created !== null) return created;
  // Another process created the administrator first. If it uses another folder, it has another token: deletes this
  // file.
  const registered = await tokenByPrefix(scope, tokenPrefix(token) ?? '');
  if (!tokenMatches(token, registered?.sha256)) rmSync(file, { force: true });
  return null;
}

// The process may have ended between the set-up and the deletion of the file, and a token that has expired is useless.
async function deleteUnusableToken({ mongo: { db }, clock }: Services, file: string): Promise<void> {
  if (!existsSync(file)) return;
  const token = await tokenByPrefix({ db }, tokenPrefix(readFileSync(file, 'utf8').trim()) ?? '');
  if (!token || !isActive(token, clock())) rmSync(file, { force: true });
}
