import type { VersionFragment } from '../../rest-adapter/generated/operations.ts';
import { createApi, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { fetchDocument, findWorkspace } from '../document-reference.ts';
import { EXIT } from '../exit.ts';
import { sanitize, writeJson, writeLine } from '../terminal.ts';

type Options = { workspace?: string; name?: string; comment?: string; idempotencyKey?: string; json?: true };

/** `pdm version`: creates a version from a draft. */
export const version: CliCommand = {
  define: (command) =>
    command
      .argument('<document>', 'document number or id')
      .option('--workspace <name>', 'workspace of the draft (default: the main workspace)')
      .option('--name <name>', 'name of the version (default: V and its number)')
      .option('--comment <text>', 'description of the changes')
      .option(
        '--idempotency-key <key>',
        'repeating the command with the same key within 24 hours has no further effect',
      ),
  async run(terminal, { workspace, name, comment, idempotencyKey, json }: Options, documentArg: string) {
    const api = createApi(terminal);
    const document = await fetchDocument(api, documentArg);
    const { id } = findWorkspace(document, workspace);
    const created = await api.post<VersionFragment>(
      `/workspaces/${pathSegment(id)}/versions`,
      { name, comment },
      idempotencyKey,
    );
    if (json) writeJson(terminal, created);
    else writeLine(terminal.out, `Created ${document.number}@v${created.n} "${sanitize(created.name)}".`);
    return EXIT.success;
  },
};
