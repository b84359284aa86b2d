import type { CliCommand, CommandEntry } from './command.ts';

/** The user commands, in the order of the help output. */
export const USER_COMMANDS: readonly CommandEntry[] = [
  user('login', 'Sign in to a service and store the token', async () => (await import('./commands/login.ts')).login),
  user('logout', 'Delete the stored token', async () => (await import('./commands/logout.ts')).logout),
  user('whoami', 'Show the signed-in user', async () => (await import('./commands/whoami.ts')).whoami),
  user('list', 'List or search documents', async () => (await import('./commands/list.ts')).list),
  user('show', 'Show a document', async () => (await import('./commands/show.ts')).show),
  user('upload', 'Upload a file to a draft', async () => (await import('./commands/upload.ts')).upload),
  user('download', 'Download a file', async () => (await import('./commands/download.ts')).download),
  user('version', 'Create a version from a draft', async () => (await import('./commands/version.ts')).version),
  user('release', 'Release a version as a revision', async () => (await import('./commands/release.ts')).release),
  user('bom', 'Show a bill of materials', async () => (await import('./commands/bom.ts')).bom),
  user('measure', 'Measure a model', async () => (await import('./commands/measure.ts')).measure),
  user('views', 'List the named views of a model', async () => (await import('./commands/views.ts')).views),
  user(
    'where-used',
    'List the assemblies that use a document',
    async () => (await import('./commands/where-used.ts')).whereUsed,
  ),
  user(
    'history',
    'Show the history of a document as a graph',
    async () => (await import('./commands/history.ts')).history,
  ),
  user('checkout', 'Check out (reserve) a draft', async () => (await import('./commands/checkout.ts')).checkout),
  user('checkin', 'Check in a draft', async () => (await import('./commands/checkin.ts')).checkin),
  user(
    'request-checkin',
    'Ask another user to check in a draft',
    async () => (await import('./commands/request-checkin.ts')).requestCheckin,
  ),
  user(
    'reservations',
    'List your reservations and check-in requests',
    async () => (await import('./commands/reservations.ts')).reservations,
  ),
  user('jobs', 'List jobs, or show one job', async () => (await import('./commands/jobs.ts')).jobs),
  user('watch', 'Print changes as they happen', async () => (await import('./commands/watch.ts')).watch),
];

function user(name: string, summary: string, load: () => Promise<CliCommand>): CommandEntry {
  return { name, summary, load, group: 'User commands:', json: true };
}
