import { readFile } from 'node:fs/promises';
import { GitFault } from './run-git.ts';

/**
 * The value of the header by which the service signs in at a host, or null when it has no credentials for it. They lie in a JSON file,
 * `{"git.example.com": "user:token"}`, a host with its port if that is not 443; it is read at each fetch, so that they can be changed.
 */
export async function gitAuthorization(file: string | null | undefined, host: string): Promise<string | null> {
  if (!file) return null;
  const credentials = (await parsed(file))[host];
  if (credentials === undefined) return null;
  if (typeof credentials !== 'string' || !/^[^\s:]+:\S+$/.test(credentials))
    throw new GitFault(`the credentials for ${host} must be user:token`);
  return `Authorization: Basic ${Buffer.from(credentials).toString('base64')}`;
}

async function parsed(file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    // what is in it is told to nobody
    throw new GitFault(
      `the file of credentials cannot be read (${error instanceof SyntaxError ? 'it is not JSON' : 'PDM_GIT_CREDENTIALS_FILE'})`,
    );
  }
  throw new GitFault('the file of credentials must hold an object');
}
