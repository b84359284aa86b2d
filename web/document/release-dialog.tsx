import { useState } from 'preact/hooks';
import { ReleaseImpact } from '../bom/release-impact.tsx';
import { ReleaseOfDocument, ReleaseVersionHereDocument, type ReleaseVersionHereMutation } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Dialog, FormDialog, textOf } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { noteDone } from '../ui/notes.tsx';
import { Answer } from '../ui/state.tsx';

type Warning = ReleaseVersionHereMutation['releaseVersion']['warnings'][number];
type DialogProps = { versionId: string; onClose: () => void };

/** Asks before a version is released, showing whom it touches; afterwards what spoke against it, if anything did. */
export function ReleaseDialog({ versionId, onClose }: DialogProps) {
  const asked = useAsk(ReleaseOfDocument, { versionId });
  const [done, setDone] = useState<{ label: string; warnings: readonly Warning[] } | null>(null);
  if (done) return <Released {...done} onClose={onClose} />;
  const version = asked.data?.version;
  const what = version ? `${version.document.number} v${version.n}` : 'the version';
  const submit = async (form: FormData) => {
    const { releaseVersion } = await ask(ReleaseVersionHereDocument, { versionId, comment: textOf(form, 'comment') });
    noteDone(`${what} is released as revision ${releaseVersion.label}.`);
    if (releaseVersion.warnings.length > 0) setDone(releaseVersion);
    else onClose();
  };
  return (
    <FormDialog title={`Release ${what}`} deed="Release" wide onClose={onClose} onDone={() => {}} onSubmit={submit}>
      <Answer of={asked}>
        {({ version: asIs }) =>
          asIs && (
            <p>
              <strong>{asIs.document.name}</strong> gets the next revision label. What follows its newest release uses this version from then on. A
              label is never given twice.
            </p>
          )
        }
      </Answer>
      <ReleaseImpact versionId={versionId} deed="release" />
      <label>
        Comment
        <textarea name="comment" rows={3} maxLength={4000} autofocus />
      </label>
    </FormDialog>
  );
}

function Released({ label, warnings, onClose }: { label: string; warnings: readonly Warning[]; onClose: () => void }) {
  return (
    <Dialog
      title={`Released as revision ${label}, with ${warnings.length === 1 ? 'a warning' : `${warnings.length} warnings`}`}
      onClose={onClose}
      wide
    >
      <ul class="warnings">
        {warnings.map((warning) => (
          <li key={`${warning.number} ${warning.message}`}>
            <Icon name="warning" /> {warning.message}
          </li>
        ))}
      </ul>
      <div class="deeds">
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
