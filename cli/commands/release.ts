import type { DocumentFragment, RevisionFragment } from '../../rest-adapter/generated/operations.ts';
import { createApi, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { fetchDocument, parseDocumentReference } from '../document-reference.ts';
import { CliError, EXIT } from '../exit.ts';
import { sanitize, writeJson, writeLine } from '../terminal.ts';

type Options = { comment?: string; idempotencyKey?: string; json?: true };

/** `pdm release`: releases a version as the next revision of its document. */
export const release: CliCommand = {
  define: (command) =>
    command
      .argument('<document>', 'number or id, optionally with @v3 (default: newest version)')
      .option('--comment <text>', 'reason for the release')
      .option(
        '--idempotency-key <key>',
        'repeating the command with the same key within 24 hours has no further effect',
      ),
  async run(terminal, { comment, idempotencyKey, json }: Options, documentArg: string) {
    const api = createApi(terminal);
    const reference = parseDocumentReference(documentArg);
    const document = await fetchDocument(api, reference.document);
    const versionId = findVersionId(document, reference.version);
    const revision = await api.post<RevisionFragment>(
      `/versions/${pathSegment(versionId)}/release`,
      { comment },
      idempotencyKey,
    );
    if (json) {
      writeJson(terminal, revision);
      return EXIT.success;
    }
    const { number } = document;
    writeLine(terminal.out, `Released ${number}@v${revision.versionN} as ${number}@${revision.label}.`);
    for (const { message } of revision.warnings) writeLine(terminal.err, `  Warning: ${sanitize(message)}`);
    return EXIT.success;
  },
};

function findVersionId({ number, versions }: DocumentFragment, version: string | null): string {
  if (version !== null && !/^v\d+$/.test(version))
    throw new CliError(`@${version} is not a version. Use for example ${number}@v3.`, EXIT.usage);
  const found = version === null ? versions[0] : versions.find(({ n }) => `v${n}` === version);
  if (found) return found.id;
  throw new CliError(
    version === null
      ? `${number} has no versions. Create one with "pdm version ${number}".`
      : `${number} has no version ${version}.`,
    EXIT.failure,
  );
}
