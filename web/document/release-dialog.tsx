import { useState } from 'preact/hooks';
import { ReleaseImpact } from '../bom/release-impact.tsx';
import { ReleaseOfDocument, ReleaseVersionDocument, RevisionWarningsDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { urlFor } from '../shell/router.ts';
import { useQuery } from '../shell/use-query.ts';
import { Dialog, FormDialog, formValue } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { QueryView } from '../ui/status.tsx';
import { type ReleaseWarning, releaseWarnings } from './release-warnings.ts';
import { showReleased } from './undo-release.ts';

type DialogProps = {
  versionId: string;
  /** Called after the release, before its event arrives. */
  onReleased?: () => void;
  onClose: () => void;
};

/** Releases a version: shows the expected warnings and affected documents first, and the actual warnings afterwards. */
export function ReleaseDialog({ versionId, onReleased, onClose }: DialogProps) {
  const query = useQuery(ReleaseOfDocument, { versionId });
  const [released, setReleased] = useState<{ label: string; warnings: readonly ReleaseWarning[] } | null>(null);
  if (released) return <ReleasedDialog {...released} onClose={onClose} />;
  const version = query.data?.version;
  const name = version ? `${version.document.number} v${version.n}` : 'the version';
  const submit = async (form: FormData) => {
    const { releaseVersion } = await execute(ReleaseVersionDocument, {
      versionId,
      comment: formValue(form, 'comment'),
    });
    showReleased(`Released ${name} as revision ${releaseVersion.label}.`, [releaseVersion.id]);
    onReleased?.();
    if (releaseVersion.warnings.length > 0) setReleased(releaseVersion);
    else onClose();
  };
  return (
    <FormDialog
      title={`Release ${name}`}
      help="guide#releases"
      submitLabel="Release"
      size="wide"
      onClose={onClose}
      onDone={() => {}}
      onSubmit={submit}
    >
      <QueryView query={query}>
        {({ version }) =>
          version && (
            <>
              <p>
                <strong>{version.document.name}</strong> gets the next revision label. References to its newest release
                resolve to this version from then on. Labels are never reused.
              </p>
              <Warnings warnings={releaseWarnings(version.references)} />
            </>
          )
        }
      </QueryView>
      <ReleaseImpact versionId={versionId} action="release" />
      <label>
        Comment
        <textarea name="comment" rows={3} maxLength={4000} autofocus />
      </label>
    </FormDialog>
  );
}

type ReleasedProps = { label: string; warnings: readonly ReleaseWarning[]; onClose: () => void };

function ReleasedDialog({ label, warnings, onClose }: ReleasedProps) {
  return (
    <Dialog title={`Released as revision ${label} with ${countWarnings(warnings)}`} onClose={onClose} size="wide">
      <p>
        The revision can be used. To resolve the warnings, release these items too, or create a version that uses only
        released items.
      </p>
      <WarningList warnings={warnings} />
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function Warnings({ warnings }: { warnings: readonly ReleaseWarning[] }) {
  if (warnings.length === 0) return null;
  return (
    <section aria-label="Warnings">
      <p>{countWarnings(warnings)}:</p>
      <WarningList warnings={warnings} />
    </section>
  );
}

/** A card with the warnings of a released revision; renders nothing without warnings. */
export function RevisionWarnings({ revisionId, documentId }: { revisionId: string; documentId: string }) {
  const { data } = useQuery(RevisionWarningsDocument, { id: revisionId }, isAboutDocument(documentId));
  const { warnings = [] } = data?.revision ?? {};
  if (warnings.length === 0) return null;
  return (
    <section class="card" aria-label="Released with warnings">
      <p>Released with {countWarnings(warnings)}:</p>
      <WarningList warnings={warnings} />
    </section>
  );
}

const countWarnings = ({ length }: readonly ReleaseWarning[]): string =>
  length === 1 ? '1 warning' : `${length} warnings`;

function WarningList({ warnings }: { warnings: readonly ReleaseWarning[] }) {
  return (
    <ul class="warnings">
      {warnings.map(({ documentId, versionId, message }) => (
        <li key={versionId}>
          <Icon name="warning" /> <a href={urlFor.document(documentId, '', { version: versionId })}>{message}</a>
        </li>
      ))}
    </ul>
  );
}
