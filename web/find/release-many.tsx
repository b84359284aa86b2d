// Releases the newest versions of several documents.
import { useEffect, useState } from 'preact/hooks';
import { releaseWarnings } from '../document/release-warnings.ts';
import { ReleaseOfDocument, ReleaseVersionDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { ErrorMessage, Loading } from '../ui/status.tsx';
import { changeAll } from './list-actions.ts';
import type { ListedDocument } from './use-document-list.ts';

type Candidate = { document: ListedDocument; versionId: string; n: number };
type Props = { documents: readonly ListedDocument[]; onClose: () => void };

/** Lists what is released and all warnings first. Documents without an unreleased version are left out. */
export function ReleaseMany({ documents, onClose }: Props) {
  const [warnings, setWarnings] = useState<readonly string[] | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const candidates = documents.flatMap(candidateOf);
  useEffect(() => {
    const abort = new AbortController();
    const read = async ({ versionId }: Candidate) => {
      const { version } = await execute(ReleaseOfDocument, { versionId }, { signal: abort.signal });
      const messages = version ? releaseWarnings(version.references).map(({ message }) => message) : [];
      return messages.map((message) => `${version?.document.number}: ${message}`);
    };
    Promise.all(candidates.map(read)).then(
      (all) => setWarnings(all.flat()),
      (reason: unknown) =>
        !abort.signal.aborted && setError(reason instanceof Error ? reason : new Error(String(reason))),
    );
    return () => abort.abort();
  }, []);
  const submit = async (form: FormData) => {
    const comment = formValue(form, 'comment');
    const versionOf = new Map(candidates.map(({ document, versionId }) => [document.id, versionId]));
    await changeAll(
      candidates.map(({ document }) => document),
      'Released',
      ({ id }) => execute(ReleaseVersionDocument, { versionId: versionOf.get(id) ?? '', comment }),
    );
  };
  const left = documents.length - candidates.length;
  return (
    <FormDialog
      title={`Release ${candidates.length} ${candidates.length === 1 ? 'document' : 'documents'}`}
      submitLabel="Release"
      wide
      onClose={onClose}
      onSubmit={submit}
    >
      <ul class="import-list">
        {candidates.map(({ document: { id, number, name }, n }) => (
          <li key={id}>
            <span class="mono">{number}</span> {name} v{n}
          </li>
        ))}
      </ul>
      {left > 0 && (
        <p class="quiet">
          {left} of {documents.length} have no version that is not released yet.
        </p>
      )}
      {error && <ErrorMessage error={error} />}
      {!warnings && !error && <Loading />}
      {warnings && warnings.length > 0 && (
        <ul class="import-list" aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>
              <Icon name="warning" /> {warning}
            </li>
          ))}
        </ul>
      )}
      <label>
        Comment
        <textarea name="comment" rows={3} maxLength={4000} autofocus />
      </label>
    </FormDialog>
  );
}

function candidateOf(document: ListedDocument): Candidate[] {
  const [newest] = document.workspaces
    .flatMap(({ newestVersion: newest }) => (newest?.n ? [{ id: newest.id, n: newest.n }] : []))
    .sort((one, other) => other.n - one.n);
  if (!newest || document.revisions.some(({ versionN }) => versionN === newest.n)) return [];
  return [{ document, versionId: newest.id, n: newest.n }];
}
