import type { CliCommand, CommandEntry } from '../cli/command.ts';

/** The operator commands, in the order of the help output. Each module imports the service, so it is loaded on use. */
export const OPERATOR_COMMANDS: readonly CommandEntry[] = [
  operator('check', 'Check the invariants of the store', async () => (await import('./check.ts')).check),
  operator('audit verify', 'Verify the audit log', async () => (await import('./audit-verify.ts')).auditVerify),
  operator('audit export', 'Export the audit log', async () => (await import('./audit-export.ts')).auditExport),
  operator('backup', 'Back up the store and its keys', async () => (await import('./backup.ts')).backup),
  operator('restore', 'Restore a backup', async () => (await import('./restore.ts')).restore),
  operator('migrate', 'Move the data to a MongoDB server, or back', async () => (await import('./migrate.ts')).migrate),
  operator('prepare', 'Prepare separate rights of the parts', async () => (await import('./prepare.ts')).prepare),
  operator('token create', 'Create a user with a token', async () => (await import('./token-create.ts')).tokenCreate),
  operator(
    'worker-check',
    'Check that a worker conforms to the worker protocol',
    async () => (await import('./worker-check.ts')).workerCheck,
  ),
];

function operator(name: string, summary: string, load: () => Promise<CliCommand>): CommandEntry {
  return { name, summary, load, group: 'Operator commands:' };
}
