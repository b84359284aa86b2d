import { rmSync } from 'node:fs';
import { generateToken, tokenMatches, tokenPrefix } from '../../core/domain/access/token.ts';
import { keptFile } from '../../core/platform/kept-file.ts';
import { tokenByPrefix } from '../../core/store/tokens.ts';
import { noUsers } from '../../core/store/users.ts';
import type { Services } from '../../core/work.ts';
import { acceptEngineToken, firstStart } from './issue-token.ts';

/** The tokens of the settings, and the file that a fresh one is kept in. */
type Given = { given: string | null; worker: string | null; file: string };

/**
 * At the first start makes the administrator; answers with the token to be shown, null when there is none to show: at a later start, or because the
 * settings gave it. The token lies in its file before it is good: cut off in between, the next start takes it from there. So do other processes that
 * start at the same moment on the same folder. A worker's token that the settings give is made good, too.
 */
export async function letFirstIn(services: Services, { given, worker, file }: Given): Promise<string | null> {
  if (worker !== null) await acceptEngineToken(services, worker);
  if (given !== null) {
    await firstStart(services, given);
    return null;
  }
  const scope = { db: services.mongo.db };
  if (!(await noUsers(scope))) return null;
  const token = keptFile(file, () => `${generateToken()}\n`)
    .toString()
    .trim();
  const made = await firstStart(services, token);
  if (made !== null) return made;
  // Another process was first: with this very token, or on another folder with one of its own.
  const known = await tokenByPrefix(scope, tokenPrefix(token) ?? '');
  if (!tokenMatches(token, known?.sha256)) rmSync(file, { force: true });
  return null;
}
