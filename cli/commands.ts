import type { Deed, Listed } from './deed.ts';

/** What users do, in the order of the help. */
export const USER_COMMANDS: readonly Listed[] = [
  user(
    'login',
    'Sign in to a service: keeps its address and your token',
    async () => (await import('./commands/login.ts')).login,
  ),
  user('logout', 'Forget address and token', async () => (await import('./commands/logout.ts')).logout),
  user('whoami', 'Say whose token is used, and where', async () => (await import('./commands/whoami.ts')).whoami),
  user('list', 'List or search documents', async () => (await import('./commands/list.ts')).list),
  user('show', 'Show a document: workspaces, files, versions', async () => (await import('./commands/show.ts')).show),
  user('upload', 'Send a file into the draft of a document', async () => (await import('./commands/upload.ts')).upload),
  user('download', 'Fetch a file of a version or draft', async () => (await import('./commands/download.ts')).download),
  user('version', 'Make a version of a draft', async () => (await import('./commands/version.ts')).version),
  user(
    'release',
    'Release a version as the next revision',
    async () => (await import('./commands/release.ts')).release,
  ),
  user('bom', 'Show the bill of material of an assembly', async () => (await import('./commands/bom.ts')).bom),
  user(
    'where-used',
    'Say which assemblies use a document',
    async () => (await import('./commands/where-used.ts')).whereUsed,
  ),
  user(
    'history',
    'Draw the history of a document as a graph',
    async () => (await import('./commands/history.ts')).history,
  ),
  user('checkout', 'Reserve a draft', async () => (await import('./commands/checkout.ts')).checkout),
  user('checkin', 'Give a reserved draft back', async () => (await import('./commands/checkin.ts')).checkin),
  user('ask', 'Ask whoever holds a draft to give it back', async () => (await import('./commands/ask.ts')).askFor),
  user(
    'held',
    'List the drafts you hold, and those you asked for',
    async () => (await import('./commands/held.ts')).held,
  ),
  user('jobs', 'List jobs, or show one with its log', async () => (await import('./commands/jobs.ts')).jobs),
  user('watch', 'Show what is done, as it is done', async () => (await import('./commands/watch.ts')).watch),
];

function user(words: string, says: string, load: () => Promise<Deed>): Listed {
  return { words, says, load, group: 'For users:', json: true };
}
