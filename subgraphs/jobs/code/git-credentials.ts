// Reads the credentials for Git hosts.
import { readFile } from 'node:fs/promises';
import { GitError } from './run-git.ts';

/**
 * Returns the authorization header for a host, or null if there are no credentials for it. The JSON file maps hosts,
 * with a port other than 443, to credentials: `{"git.example.com": "user:token"}`. It is read at each fetch.
 */
export async function gitAuthorization(file: string | null | undefined, host: string): Promise<string | null> {
  if (!file) return null;
  const credentials = (await readCredentials(file))[host];
  if (credentials === undefined) return null;
  if (typeof credentials !== 'string' || !/^[^\s:]+:\S+$/.test(credentials))
    throw new GitError(`the credentials for ${host} must be user:token`);
  return `Authorization: Basic ${Buffer.from(credentials).toString('base64')}`;
}

async function readCredentials(file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    // Never include the content of the file in the message.
    throw new GitError(
      `the credentials file cannot be read (${error instanceof SyntaxError ? 'it is not valid JSON' : 'PDM_GIT_CREDENTIALS_FILE'})`,
    );
  }
  throw new GitError('the credentials file must contain a JSON object');
}
