import { useState } from 'preact/hooks';
import { CompareOptionsDocument, CompareResolveDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { useQuery } from '../shell/use-query.ts';
import { runWithToast } from '../ui/toasts.tsx';
import { VersionChooser } from './version-chooser.tsx';

const OTHER = 'other';

type PickerProps = {
  documentId: string;
  label: string;
  value: string;
  current: string;
  onPick: (versionId: string) => void;
};

/** Selects a draft, revision or version of a document, from the newest or by label or number. */
export function VersionPicker({ documentId, label, value, current, onPick }: PickerProps) {
  const [choosing, setChoosing] = useState(false);
  const { data } = useQuery(CompareOptionsDocument, { id: documentId }, isAboutDocument(documentId));
  const document = data?.document;
  const revisions = [...(document?.revisions ?? [])].sort((a, b) => b.versionN - a.versionN);
  const released = new Set(revisions.map(({ versionId }) => versionId));
  const versions = (document?.versionGraph.nodes ?? []).flatMap(({ version }) =>
    version.n === null || released.has(version.id) ? [] : [version],
  );
  const drafts = document?.drafts ?? [];
  const listed = released.has(value) || [...versions, ...drafts].some(({ id }) => id === value);
  const find = (text: string) =>
    runWithToast(async () => {
      const suffix = /^v?\d+$/i.test(text) ? `v${text.replace(/^v/i, '')}` : text;
      const { resolveAddress: found } = await execute(CompareResolveDocument, {
        address: `pdm://documents/${document?.number}@${suffix}`,
      });
      if (!found.resolution) throw new Error(`${document?.number} has no version ${text}: ${found.reason}`);
      onPick(found.resolution.versionId);
    });
  const choose = (select: HTMLSelectElement) => {
    if (select.value !== OTHER) return onPick(select.value);
    select.value = value;
    setChoosing(true);
  };
  return (
    <div class="version-picker">
      {choosing && (
        <VersionChooser
          documentId={documentId}
          title={`${label}: select version`}
          onPick={onPick}
          onClose={() => setChoosing(false)}
        />
      )}
      <label>
        {label}
        <select value={value} onChange={({ currentTarget }) => choose(currentTarget)}>
          {!listed && <option value={value}>{current}</option>}
          <optgroup label="Drafts">
            {drafts.map(({ id, workspace }) => (
              <option key={id} value={id}>
                Draft of {workspace.name}
              </option>
            ))}
          </optgroup>
          <optgroup label="Revisions">
            {revisions.map(({ id, label: name, obsolete, versionId, versionN }) => (
              <option key={id} value={versionId}>
                {`${name} (v${versionN})${obsolete ? ', obsolete' : ''}`}
              </option>
            ))}
          </optgroup>
          <optgroup label="Versions">
            {versions.map(({ id, n, name }) => (
              <option key={id} value={id}>
                {name.toLowerCase() === `v${n}` ? `v${n}` : `v${n} ${name}`}
              </option>
            ))}
          </optgroup>
          <option value={OTHER}>Another version…</option>
        </select>
      </label>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const text = new FormData(event.currentTarget).get('at');
          if (typeof text === 'string' && text.trim()) void find(text.trim());
        }}
      >
        <input name="at" size={8} aria-label={`${label}: revision or number`} placeholder="A or v12" />
      </form>
    </div>
  );
}
