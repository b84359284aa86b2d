// Releases the newest versions of several documents.
import { useEffect, useState } from 'preact/hooks';
import { showReleased } from '../document/undo-release.ts';
import { ReleaseVersionDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { asError } from '../ui/errors.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorMessage, Loading } from '../ui/status.tsx';
import { changeAll } from './list-actions.ts';
import { releaseCandidates, warningsOf } from './release-candidates.ts';
import type { ListedDocument } from './use-document-list.ts';

type Props = { documents: readonly ListedDocument[]; onClose: () => void };

/** Lists what is released and all warnings first. Documents without an unreleased version are left out. */
export function ReleaseMany({ documents, onClose }: Props) {
  const [warnings, setWarnings] = useState<readonly string[] | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [candidates] = useState(() => releaseCandidates(documents)); // those that the dialog shows
  useEffect(() => {
    const abort = new AbortController();
    warningsOf(candidates, abort.signal).then(
      setWarnings,
      (reason: unknown) => !abort.signal.aborted && setError(asError(reason)),
    );
    return () => abort.abort();
  }, []);
  const submit = async (form: FormData) => {
    const comment = formValue(form, 'comment');
    const versionOf = new Map(candidates.map(({ document, versionId }) => [document.id, versionId]));
    const revisionIds: string[] = [];
    await changeAll(
      candidates.map(({ document }) => document),
      'Released',
      async ({ id }) => {
        const { releaseVersion } = await execute(ReleaseVersionDocument, {
          versionId: versionOf.get(id) ?? '',
          comment,
        });
        revisionIds.push(releaseVersion.id);
      },
      { onDone: (text) => showReleased(text, revisionIds) },
    );
  };
  const left = documents.length - candidates.length;
  return (
    <FormDialog
      title={`Release ${candidates.length} ${candidates.length === 1 ? 'document' : 'documents'}`}
      submitLabel="Release"
      size="wide"
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
