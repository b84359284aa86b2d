import { useState } from 'preact/hooks';
import { ReleaseImpact } from '../bom/release-impact.tsx';
import { ReleaseOfDocument, ReleaseVersionHereDocument, WarningsOfRevisionDocument } from '../generated/operations.ts';
import { urlFor } from '../shell/router.ts';
import { execute } from '../shell/api-client.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { useQuery } from '../shell/use-query.ts';
import { Dialog, FormDialog, formValue } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { showSuccess } from '../ui/toasts.tsx';
import { QueryView } from '../ui/status.tsx';
import { type ReleaseWarning, releaseWarnings } from './release-warnings.ts';

type DialogProps = {
  versionId: string /** It was done, before anybody was told by an event. */;
  onReleased?: () => void;
  onClose: () => void;
};

/** Asks before a version is released, showing what speaks against it and whom it touches; afterwards what spoke against it when it was done. */
export function ReleaseDialog({ versionId, onReleased, onClose }: DialogProps) {
  const asked = useQuery(ReleaseOfDocument, { versionId });
  const [done, setDone] = useState<{ label: string; warnings: readonly ReleaseWarning[] } | null>(null);
  if (done) return <Released {...done} onClose={onClose} />;
  const version = asked.data?.version;
  const what = version ? `${version.document.number} v${version.n}` : 'the version';
  const submit = async (form: FormData) => {
    const { releaseVersion } = await execute(ReleaseVersionHereDocument, { versionId, comment: formValue(form, 'comment') });
    showSuccess(`${what} is released as revision ${releaseVersion.label}.`);
    onReleased?.();
    if (releaseVersion.warnings.length > 0) setDone(releaseVersion);
    else onClose();
  };
  return (
    <FormDialog title={`Release ${what}`} submitLabel="Release" wide onClose={onClose} onDone={() => {}} onSubmit={submit}>
      <QueryView query={asked}>
        {({ version: asIs }) =>
          asIs && (
            <>
              <p>
                <strong>{asIs.document.name}</strong> gets the next revision label. What follows its newest release uses
                this version from then on. A label is never given twice.
              </p>
              <Against doubts={releaseWarnings(asIs.references)} />
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

function Released({ label, warnings, onClose }: { label: string; warnings: readonly ReleaseWarning[]; onClose: () => void }) {
  return (
    <Dialog
      title={`Released as revision ${label}, with ${warnings.length === 1 ? 'a warning' : `${warnings.length} warnings`}`}
      onClose={onClose}
      wide
    >
      <p>
        Others can use it all the same. Release what stands below too, or make a version that uses what is released.
      </p>
      <Doubts doubts={warnings} />
      <div class="deeds">
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function Against({ doubts }: { doubts: readonly ReleaseWarning[] }) {
  if (doubts.length === 0) return null;
  return (
    <section aria-label="What speaks against it">
      <p>{doubts.length === 1 ? 'This speaks against it:' : `${doubts.length} things speak against it:`}</p>
      <Doubts doubts={doubts} />
    </section>
  );
}

/** What spoke against a release when it was made, for whoever looks at it later; nothing where nothing did. */
export function RevisionWarnings({ revisionId, documentId }: { revisionId: string; documentId: string }) {
  const { data } = useQuery(WarningsOfRevisionDocument, { id: revisionId }, isAboutDocument(documentId));
  const { warnings = [] } = data?.revision ?? {};
  if (warnings.length === 0) return null;
  return (
    <section class="card" aria-label="Released with warnings">
      <p>
        {warnings.length === 1
          ? 'This spoke against it when it was released:'
          : `${warnings.length} things spoke against it when it was released:`}
      </p>
      <Doubts doubts={warnings} />
    </section>
  );
}

function Doubts({ doubts }: { doubts: readonly ReleaseWarning[] }) {
  return (
    <ul class="warnings">
      {doubts.map(({ documentId, versionId, message }) => (
        <li key={versionId}>
          <Icon name="warning" /> <a href={urlFor.document(documentId, '', { version: versionId })}>{message}</a>
        </li>
      ))}
    </ul>
  );
}
