import type { DocumentFragment, RevisionFragment } from '../../rest-adapter/generated/operations.ts';
import { apiFor, part } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT, Failure } from '../exit.ts';
import { documentOf, namedBy } from '../named.ts';
import { plain, say, sayJson } from '../terminal.ts';

type Options = { comment?: string; key?: string; json?: true };

/** Releases a version as the next revision of its document. */
export const release: Deed = {
  define: (command) =>
    command
      .argument('<document>', 'its number or id: the newest version; with @v3 that one')
      .option('--comment <text>', 'why')
      .option('--key <key>', 'when repeated under the same key within a day, nothing is done twice'),
  async run(terminal, { comment, key, json }: Options, given: string) {
    const api = apiFor(terminal);
    const named = namedBy(given);
    const document = await documentOf(api, named.document);
    const revision = await api.post<RevisionFragment>(
      `/versions/${part(versionIn(document, named.state))}/release`,
      { comment },
      key,
    );
    if (json) sayJson(terminal, revision);
    else {
      say(
        terminal.out,
        `${document.number}@v${revision.versionN} is released as ${document.number}@${revision.label}.`,
      );
      for (const { message } of revision.warnings) say(terminal.err, `  but: ${plain(message)}`);
    }
    return EXIT.good;
  },
};

function versionIn({ number, versions }: DocumentFragment, state: string | null): string {
  if (state !== null && !/^v\d+$/.test(state))
    throw new Failure(`A version is released, not a revision: give ${number}@v3, or ${number} alone.`, EXIT.usage);
  const found = state === null ? versions[0] : versions.find(({ n }) => `v${n}` === state);
  if (found) return found.id;
  throw new Failure(
    state === null
      ? `${number} has no version yet. Make one with pdm version ${number}.`
      : `${number} has no version ${state}.`,
    EXIT.refused,
  );
}
