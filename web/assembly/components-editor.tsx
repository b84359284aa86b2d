// Builds an assembly: adds documents, and changes references, quantities, the order and the placement of components.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { IDENTITY_ROWS } from '../../subgraphs/core/domain/measure/entity.ts';
import { mapPoint, type Point } from '../../subgraphs/core/domain/measure/vector.ts';
import { draggedKind, droppedDocuments } from '../find/dragging.ts';
import { Dialog } from '../ui/dialog.tsx';
import { messageOf } from '../ui/errors.ts';
import { formatNumber } from '../ui/format.ts';
import { HelpLink } from '../ui/help-link.tsx';
import { ErrorMessage, Loading } from '../ui/status.tsx';
import { showError, showSuccess } from '../ui/toasts.tsx';
import { AddComponent, type Candidate, readCandidate, useReasonAgainst } from './add-component.tsx';
import { BrowseFolders } from './browse-folders.tsx';
import { ComponentInspector } from './component-inspector.tsx';
import { ComponentList } from './component-list.tsx';
import type { EditorDialogProps } from './components-dialog.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import { withPosition } from './placement.ts';
import { PlacingView } from './placing-view.tsx';
import {
  addComponent,
  addressOf,
  componentsOf,
  findNumbers,
  moveComponent,
  placeInstance,
  removeComponent,
  type Structure,
} from './structure.ts';
import { useComponents } from './use-components.ts';
import { type StructureEdit, useStructure } from './use-structure.ts';

/** The selected component and one of its instances. */
type Selection = { component: string; instance: number };

/** Edits the components of a draft; all changes are saved at once. */
export function ComponentsEditor({ document, versionId, onClose, onSaved }: EditorDialogProps) {
  const editor = useStructure(versionId);
  const components = useComponents(versionId);
  const reasonAgainst = useReasonAgainst(document.id);
  const [selection, setSelection] = useState<Selection | null>(null);
  const [browsing, setBrowsing] = useState(false);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { structure, conflict } = editor;

  useEffect(() => {
    for (const { reference } of [...(structure?.templates ?? []), ...(conflict?.theirs.templates ?? [])])
      if (reference) components.loadDocument(reference.location);
  }, [structure?.templates, conflict?.theirs, components]);

  const close = () => (editor.hasChanges ? setAsking(true) : onClose());
  const save = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const outcome = await editor.save();
      if (outcome === 'conflict') return;
      if (outcome === 'saved') {
        showSuccess(`Saved the components of ${document.number}.`);
        onSaved();
      }
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const add = (to: Structure, { number, kind, id }: Candidate, at: Point | null): Structure => {
    const added = addComponent(to, { name: number, kind, location: addressOf(id) });
    const instance = added.instances.at(-1);
    return at && instance
      ? placeInstance(added, instance.ident, withPosition(IDENTITY_ROWS, mapPoint(at, Math.round)))
      : added;
  };
  const addAll = (found: readonly Candidate[], at: Point | null) => {
    for (const each of found) components.add(each);
    const next = editor.change((before) => found.reduce((to, each) => add(to, each, at), before));
    setSelection({ component: next?.templates.at(-1)?.ident ?? '', instance: 0 });
  };
  const addDropped = async (ids: readonly string[], at: Point | null) => {
    const found = (await Promise.all(ids.map(readCandidate))).filter((each) => each !== null);
    const missing = ids.length - found.length;
    const reasons = found.flatMap((each) => reasonAgainst(each) ?? []);
    if (missing === 1) reasons.push('A dropped document no longer exists.');
    if (missing > 1) reasons.push(`${formatNumber(missing)} dropped documents no longer exist.`);
    if (reasons.length > 0) showError(new Error(reasons.join(' ')));
    const possible = found.filter((each) => reasonAgainst(each) === null);
    if (possible.length > 0) addAll(possible, at);
  };
  const drop = (ids: readonly string[], at: Point | null) => void addDropped(ids, at).catch(showError);

  return (
    <Dialog title={`Components of ${document.number}`} size="full" onClose={close}>
      <form
        class="components"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {editor.error && <ErrorMessage error={editor.error} />}
        {!structure && !editor.error && <Loading />}
        {conflict && <ConflictPanel conflict={conflict} components={components} onResolve={editor.resolveConflict} />}
        {structure && (
          <Editor
            structure={structure}
            selection={selection}
            onSelect={setSelection}
            onDrop={drop}
            components={components}
            busy={busy}
            onChange={editor.change}
            tools={
              <>
                <AddComponent reasonAgainst={reasonAgainst} onAdd={(chosen) => addAll([chosen], null)} />
                <button type="button" aria-expanded={browsing} onClick={() => setBrowsing(!browsing)}>
                  Folders
                </button>
                <button type="button" disabled={!editor.canUndo} onClick={editor.undo}>
                  Undo
                </button>
                <button type="button" disabled={!editor.canRedo} onClick={editor.redo}>
                  Redo
                </button>
                {browsing && (
                  <BrowseFolders
                    assemblyId={document.id}
                    reasonAgainst={reasonAgainst}
                    onAdd={(chosen) => addAll([chosen], null)}
                  />
                )}
              </>
            }
          />
        )}
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="actions">
          <HelpLink topic="guide#assemblies">Help</HelpLink>
          <button type="button" onClick={close}>
            Cancel
          </button>
          {!conflict && (
            <button type="submit" class="primary" aria-disabled={busy}>
              Save
            </button>
          )}
        </div>
      </form>
      {asking && (
        <Dialog title="Discard your changes?" onClose={() => setAsking(false)}>
          <p>The components of {document.number} have changes that are not saved.</p>
          <div class="actions">
            <button type="button" autofocus onClick={() => setAsking(false)}>
              Keep editing
            </button>
            <button type="button" class="danger" onClick={onClose}>
              Discard
            </button>
          </div>
        </Dialog>
      )}
    </Dialog>
  );
}

type EditorProps = {
  structure: Structure;
  components: ReturnType<typeof useComponents>;
  selection: Selection | null;
  tools: ComponentChildren;
  /** Whether the structure is being saved; changes would be lost when the dialog closes. */
  busy: boolean;
  onSelect: (selection: Selection | null) => void;
  onChange: (edit: StructureEdit) => void;
  onDrop: (documents: readonly string[], at: Point | null) => void;
};

/** The list of components with the selected one, beside the 3D view. */
function Editor({ structure, components, selection, tools, busy, onSelect, onChange, onDrop }: EditorProps) {
  const list = useMemo(() => componentsOf(structure), [structure]);
  const numbers = useMemo(() => findNumbers(structure), [structure]);
  const component = list.find(({ ident }) => ident === selection?.component);
  const instance = component?.instances[Math.min(selection?.instance ?? 0, component.instances.length - 1)];
  const count = structure.instances.length;
  const selectInstance = (ident: string | null) => {
    const owner = list.find(({ instances }) => instances.some((each) => each.ident === ident));
    onSelect(
      (owner && { component: owner.ident, instance: owner.instances.findIndex((each) => each.ident === ident) }) ||
        null,
    );
  };
  return (
    <div class="components-editor" inert={busy}>
      <section
        class="components-side"
        aria-label="Structure"
        onDragOver={(event) => draggedKind(event) === 'documents' && event.preventDefault()}
        onDrop={(event) => {
          if (draggedKind(event) !== 'documents') return;
          event.preventDefault();
          onDrop(droppedDocuments(event), null);
        }}
      >
        <div class="components-tools">{tools}</div>
        {list.length === 0 ? (
          <p class="quiet">No components yet. Search for the first one.</p>
        ) : (
          <ComponentList
            list={list}
            numbers={numbers}
            components={components}
            selected={component?.ident ?? null}
            onSelect={(ident) => onSelect({ component: ident, instance: 0 })}
            onMove={(ident, place) => onChange((before) => moveComponent(before, ident, place))}
            onRemove={(ident) => onChange((before) => removeComponent(before, ident))}
          />
        )}
        <p class="quiet" role="status">
          {formatNumber(list.length)} {list.length === 1 ? 'component' : 'components'} in {formatNumber(count)}{' '}
          {count === 1 ? 'place' : 'places'}
        </p>
        {component && (
          <ComponentInspector
            component={component}
            numbers={numbers}
            instance={selection?.instance ?? 0}
            components={components}
            onChange={onChange}
            onInstance={(place) => onSelect({ component: component.ident, instance: place })}
          />
        )}
      </section>
      {list.length > 0 && (
        <PlacingView
          structure={structure}
          components={components}
          selected={instance?.ident ?? null}
          onSelect={selectInstance}
          onPlace={(ident, placement) => onChange((before) => placeInstance(before, ident, placement))}
          onDrop={onDrop}
        />
      )}
    </div>
  );
}
