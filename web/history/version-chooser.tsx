// Finds one version among however many: by its number, its revision or what was said of it, or by going down the list, which is read as one goes.
// biome-ignore-all lint/a11y/useSemanticElements: options that are positioned and virtual cannot be those of a select element
// biome-ignore-all lint/a11y/useFocusableInteractive: the field has the focus and names the active option (aria-activedescendant)
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys are those of the field
import { useEffect, useId, useState } from 'preact/hooks';
import { usePages } from '../bom/use-pages.ts';
import {
  VersionsFromNumberDocument,
  VersionsToChooseDocument,
  type VersionToChooseFragment,
} from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { ofDocument } from '../shell/live.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Dialog } from '../ui/dialog.tsx';
import { noteProblem } from '../ui/notes.tsx';
import { Rows } from '../ui/rows.tsx';
import { Problem } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import { labelled, named, numberIn } from './choose-version.ts';
import { Label } from './history-row.tsx';

/** A line to choose; of a revision that is not listed yet only what its label tells is known. */
type Line = {
  id: string;
  n: number | null;
  releasedAs: { label: string; obsolete: boolean } | null;
  known?: VersionToChooseFragment;
};

const ROW = 40;
const NO_PAGE = { items: [], nextCursor: null };

type ChooserProps = { documentId: string; title: string; onPick: (versionId: string) => void; onClose: () => void };

/** Asks which version; it closes with the choice. */
export function VersionChooser({ documentId, title, onPick, onClose }: ChooserProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const { lines, more, asked, reading } = useLines(documentId, text);
  const pick = (line: Line | undefined) => {
    if (!line) return;
    onClose();
    onPick(line.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return; // the keys are the input method's
    const to = placeAfter(event.key, active, lines.length);
    if (to === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (to === undefined) pick(lines[active]);
    else setActive(to);
  };
  return (
    <Dialog title={title} onClose={onClose} wide>
      <input
        type="text"
        role="combobox"
        class="chooser-field"
        aria-label="Number, revision or words"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={lines[active] ? `${id}-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        autofocus
        placeholder="Number, revision or words of its name, e.g. v120 or B"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      {asked.error && <Problem error={asked.error} onRetry={asked.reload} />}
      <Rows
        class="chooser-list"
        label="Versions"
        rows={lines}
        height={ROW}
        keyOf={(line) => line.id}
        shown={active}
        onEnd={more ? () => void more().catch(noteProblem) : undefined}
        box={{ role: 'listbox', id: `${id}-list`, 'aria-label': 'Versions' }}
      >
        {(line, place) => (
          <div
            role="option"
            id={`${id}-${place}`}
            class="chooser-line"
            aria-selected={place === active}
            aria-posinset={place + 1}
            onClick={() => pick(line)}
            onPointerMove={() => setActive(place)}
          >
            <Words line={line} />
          </div>
        )}
      </Rows>
      <div class="deeds">
        <small class="grow" role="status">
          {reading
            ? `Looking, ${reading} versions so far …`
            : lines.length === 0 && !asked.loading
              ? 'There is no such version.'
              : ''}
        </small>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

function Words({ line: { n, releasedAs, known } }: { line: Line }) {
  const title = `v${n}`;
  return (
    <>
      <span class="n">
        {title} {releasedAs && <Label {...releasedAs} />}
      </span>
      <span class="said">
        {known && known.name.toLowerCase() !== title && <b>{known.name} </b>}
        {known?.comment && <span class="quiet">{known.comment}</span>}
      </span>
      {known && (
        <small class="when">
          {known.workspace.name} · {known.createdBy.name} · <Time at={known.createdAt} />
        </small>
      )}
    </>
  );
}

// so many fill the list: then the next page is read when somebody goes down to its end
const ENOUGH = 20;

/** All versions, page by page, as long as nothing is typed; else those from a number down, or the revisions and then the versions that fit. */
function useLines(documentId: string, text: string) {
  const concerns = ofDocument(documentId);
  const n = numberIn(text);
  const asked = useAsk(VersionsToChooseDocument, { id: documentId }, concerns);
  const document = asked.data?.document;
  const { items, more } = usePages(document?.versionPage, async (cursor) => {
    return (await ask(VersionsToChooseDocument, { id: documentId, cursor })).document?.versionPage ?? NO_PAGE;
  });
  const numbered = useAsk(
    VersionsFromNumberDocument,
    n === null || n === 0 ? null : { id: documentId, fromRow: n - 1 },
    concerns,
  );
  const isWords = text.trim() !== '' && n === null;
  const byWords = isWords ? named(items, text) : [];
  const goOn = isWords && byWords.length < ENOUGH ? more : null;
  useEffect(() => void goOn?.(), [goOn === null, items.length]);
  if (text.trim() === '') return { lines: items.map(lineOf), more, asked, reading: undefined };
  if (n === null) {
    const byId = new Map(items.map((version) => [version.id, version]));
    const lines = labelled(document?.revisions ?? [], text).map(({ versionId, versionN, label, obsolete }) => {
      return { id: versionId, n: versionN, releasedAs: { label, obsolete }, known: byId.get(versionId) };
    });
    const shown = new Set(lines.map(({ id }) => id));
    const others = byWords.filter(({ id }) => !shown.has(id)).map(lineOf);
    return { lines: [...lines, ...others], more, asked, reading: goOn ? items.length : undefined };
  }
  const nodes = n === 0 ? [] : (numbered.data?.document?.versionGraph.nodes ?? []);
  // a number above all of them leads to the top, where the drafts are: there is no such version
  const versions = nodes.map(({ version }) => version);
  return {
    lines: versions[0]?.n === n ? versions.map(lineOf) : [],
    more: undefined,
    asked: numbered,
    reading: undefined,
  };
}

const lineOf = (version: VersionToChooseFragment): Line => ({
  id: version.id,
  n: version.n,
  releasedAs: version.releasedAs,
  known: version,
});

const PAGE = 8;

function placeAfter(key: string, at: number, rows: number): number | undefined {
  const bound = (to: number) => Math.max(0, Math.min(rows - 1, to));
  if (key === 'ArrowDown') return bound(at + 1);
  if (key === 'ArrowUp') return bound(at - 1);
  if (key === 'PageDown') return bound(at + PAGE);
  if (key === 'PageUp') return bound(at - PAGE);
  return undefined;
}
