import type { Deed, Listed } from '../cli/deed.ts';

/** What operators do, in the order of the help. Their modules bring the service with them, so that they are loaded only when asked for. */
export const OPERATOR_COMMANDS: readonly Listed[] = [
  operator('check', 'Check every invariant of the store', async () => (await import('./check.ts')).check),
  operator(
    'audit verify',
    'Verify the audit log, from its records up',
    async () => (await import('./audit-verify.ts')).auditVerify,
  ),
  operator(
    'audit export',
    'Write the whole audit log into a file',
    async () => (await import('./audit-export.ts')).auditExport,
  ),
  operator(
    'backup',
    'Copy the store and its keys into a folder, also while the service runs',
    async () => (await import('./backup.ts')).backup,
  ),
  operator(
    'restore',
    'Put a backup into a data folder without a store',
    async () => (await import('./restore.ts')).restore,
  ),
  operator('token create', 'Make a user with a token', async () => (await import('./token-create.ts')).tokenCreate),
  operator(
    'worker-check',
    'Play the service against a worker, and name what it does wrong',
    async () => (await import('./worker-check.ts')).workerCheck,
  ),
];

function operator(words: string, says: string, load: () => Promise<Deed>): Listed {
  return {
    words,
    says,
    load,
    group:
      'For operators, on the data folder while the service is stopped (a backup also while it runs), or on the server at MONGODB_URL:',
  };
}
