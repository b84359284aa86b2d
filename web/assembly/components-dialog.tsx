// Edits the components of an assembly: adds documents by search, and changes references, quantities and positions.
import { useMemo, useState } from 'preact/hooks';
import { BomOfVersionDocument, VersionsOfDocumentDocument, WhereUsedDocument } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { useDocumentSearch } from '../shell/use-document-search.ts';
import { useQuery } from '../shell/use-query.ts';
import { Combobox } from '../ui/combobox.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { formatNumber } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorMessage, Loading } from '../ui/status.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { showSuccess } from '../ui/toasts.tsx';
import {
  addComponent,
  addressOf,
  addressParts,
  type Component,
  componentsOf,
  moveInstance,
  type Position,
  placeInLine,
  positionOf,
  removeComponent,
  type Structure,
  setLocation,
  setQuantity,
} from './structure.ts';
import { useStructure } from './use-structure.ts';

type Document = { id: string; number: string; name: string; kind: string; thumbnailUrl?: string | null };
type DialogProps = {
  document: { id: string; number: string };
  versionId: string;
  onClose: () => void;
  onSaved: () => void;
};

const MAX_QUANTITY = 10_000;

/** Edits the components of a draft; all changes are saved at once. */
export function ComponentsDialog({ document, versionId, onClose, onSaved }: DialogProps) {
  const editor = useStructure(versionId);
  const { structure } = editor;
  const bom = useQuery(BomOfVersionDocument, { id: versionId, mode: 'top' });
  const [added, setAdded] = useState<readonly Document[]>([]);
  // by id and by number, because an address may contain either
  const documents = useMemo(() => {
    const found = new Map<string, Document>();
    const put = (each: Document) => found.set(each.id, each).set(each.number, each);
    for (const { documentId, number, name, kind, version } of bom.data?.bom.items ?? [])
      if (documentId && number)
        put({ id: documentId, number, name: name ?? '', kind: kind ?? 'model', thumbnailUrl: version?.thumbnailUrl });
    for (const each of added) put(each);
    return found;
  }, [bom.data, added]);
  const components = structure ? componentsOf(structure) : [];
  const count = components.reduce((sum, { instances }) => sum + instances.length, 0);
  return (
    <FormDialog
      title={`Components of ${document.number}`}
      help="guide#assemblies"
      submitLabel="Save"
      wide
      onClose={onClose}
      onSubmit={async () => {
        if (!(await editor.save())) return;
        showSuccess(`Saved the components of ${document.number}.`);
        onSaved();
      }}
    >
      {editor.error && <ErrorMessage error={editor.error} />}
      {!structure && !editor.error && <Loading />}
      {structure && (
        <div class="components">
          <div class="components-tools">
            <AddDocument
              assemblyId={document.id}
              onAdd={(chosen) => {
                setAdded([...added, chosen]);
                editor.change(
                  addComponent(structure, { name: chosen.number, kind: chosen.kind, location: addressOf(chosen.id) }),
                );
              }}
            />
            <button type="button" disabled={!editor.canUndo} onClick={editor.undo}>
              Undo
            </button>
            <button type="button" disabled={!editor.canRedo} onClick={editor.redo}>
              Redo
            </button>
          </div>
          {components.length === 0 ? (
            <p class="quiet">No components yet. Search for the first one.</p>
          ) : (
            <ol class="components-list">
              {components.map((component) => (
                <ComponentRow
                  key={component.ident}
                  component={component}
                  document={component.location ? documents.get(addressParts(component.location).document) : undefined}
                  structure={structure}
                  onChange={editor.change}
                />
              ))}
            </ol>
          )}
          <p class="quiet" role="status">
            {formatNumber(components.length)} {components.length === 1 ? 'component' : 'components'} in{' '}
            {formatNumber(count)} {count === 1 ? 'place' : 'places'}
          </p>
        </div>
      )}
    </FormDialog>
  );
}

/** Searches for documents; one that cannot be added says why. */
function AddDocument({ assemblyId, onAdd }: { assemblyId: string; onAdd: (document: Document) => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const search = useDocumentSearch(text);
  // documents that contain this assembly, which would contain itself
  const above = useQuery(WhereUsedDocument, { id: assemblyId, levels: 'all', drafts: true });
  const containing = new Set(above.data?.whereUsed.items.map(({ document }) => document.id));
  const reasonAgainst = ({ id, number, kind }: Document): string | null => {
    if (id === assemblyId) return 'An assembly cannot contain itself.';
    if (kind === 'code') return `${number} is a generator and has no shape.`;
    return containing.has(id) ? `${number} contains this assembly, so it would contain itself.` : null;
  };
  const choices = search.documents.map((each) => ({
    ...each,
    label: each.name,
    hint: reasonAgainst(each) ? 'cannot be added' : each.number,
  }));
  const pick = async (chosen: Document) => {
    setText('');
    const reason = reasonAgainst(chosen) ?? (await missingVersion(chosen));
    setProblem(reason);
    if (!reason) onAdd(chosen);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter in the search does not save the dialog
    <div class="grow" onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
      <Combobox
        label="Add a part or assembly"
        text={text}
        choices={choices}
        onText={setText}
        onPick={(chosen) => void pick(chosen)}
        autoHighlight
        autofocus
        placeholder="Number or name"
        emptyMessage={text.trim() !== '' && search.query === text.trim() ? 'No matching document.' : undefined}
      >
        {(choice) => (
          <>
            <Thumbnail url={choice.thumbnailUrl} kind={choice.kind} />
            <span>{choice.label}</span>
          </>
        )}
      </Combobox>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

async function missingVersion({ id, number }: Document): Promise<string | null> {
  const { document } = await execute(VersionsOfDocumentDocument, { id });
  return document && document.versionPage.items.length > 0
    ? null
    : `${number} has no version yet. Create one of its draft first.`;
}

type RowProps = {
  component: Component;
  /** Undefined if the document does not exist, or for an inline subassembly. */
  document: Document | undefined;
  structure: Structure;
  onChange: (next: Structure) => void;
};

function ComponentRow({ component: { ident, location, instances }, document, structure, onChange }: RowProps) {
  const name = document ? `${document.number} ${document.name}` : ident;
  return (
    <li>
      <div class="component">
        <Thumbnail url={document?.thumbnailUrl} kind={document?.kind ?? 'model'} />
        <span class="cut" title={location ?? undefined}>
          <b class="mono">{document?.number ?? ident}</b> {document?.name}
        </span>
        {location && document ? (
          <ReferenceSelect
            document={document}
            suffix={addressParts(location).suffix}
            onPick={(suffix) => onChange(setLocation(structure, ident, addressOf(document.id, suffix)))}
          />
        ) : (
          <small>{location ?? 'inline'}</small>
        )}
        <input
          type="number"
          aria-label={`Quantity of ${name}`}
          min={1}
          max={MAX_QUANTITY}
          value={instances.length}
          onChange={({ currentTarget: { valueAsNumber: quantity } }) =>
            quantity >= 1 && quantity <= MAX_QUANTITY && onChange(setQuantity(structure, ident, Math.round(quantity)))
          }
        />
        <button
          type="button"
          class="bare"
          aria-label={`Remove ${name}`}
          title="Remove"
          onClick={() => onChange(removeComponent(structure, ident))}
        >
          <Icon name="trash" />
        </button>
      </div>
      <details>
        <summary>Positions</summary>
        <ol class="positions">
          {instances.map((instance) => (
            <li key={instance.ident}>
              <span class="cut">{instance.ident}</span>
              <PositionFields
                name={instance.ident}
                position={positionOf(instance)}
                onMove={(position) => onChange(moveInstance(structure, instance.ident, position))}
              />
            </li>
          ))}
        </ol>
        {instances.length > 1 && (
          <LineFields name={name} onPlace={(step) => onChange(placeInLine(structure, ident, step))} />
        )}
      </details>
    </li>
  );
}

function PositionFields({
  name,
  position,
  onMove,
}: {
  name: string;
  position: Position | null;
  onMove: (position: Position) => void;
}) {
  if (!position) return <small>by an expression</small>;
  return (
    <span class="position">
      <AxisFields label={(axis) => `${axis} of ${name} in mm`} position={position} onChange={onMove} />
    </span>
  );
}

/** Places all instances in a line with the same step. */
function LineFields({ name, onPlace }: { name: string; onPlace: (step: Position) => void }) {
  const [step, setStep] = useState<Position>([0, 0, 0]);
  return (
    <div class="positions">
      <div class="position">
        <span class="grow">In a line, step</span>
        <AxisFields label={(axis) => `Step along ${axis} of ${name} in mm`} position={step} onChange={setStep} />
        <button type="button" onClick={() => onPlace(step)}>
          Place
        </button>
      </div>
    </div>
  );
}

type AxisProps = { label: (axis: string) => string; position: Position; onChange: (position: Position) => void };

function AxisFields({ label, position, onChange }: AxisProps) {
  return (
    <>
      {(['X', 'Y', 'Z'] as const).map((axis, at) => (
        <label key={axis} class="inline">
          {axis}
          <input
            type="number"
            step="any"
            aria-label={label(axis)}
            value={position[at]}
            onChange={({ currentTarget: { valueAsNumber: value } }) =>
              Number.isFinite(value) &&
              onChange(position.map((each, index) => (index === at ? value : each)) as unknown as Position)
            }
          />
        </label>
      ))}
      mm
    </>
  );
}

type ReferenceProps = { document: Document; suffix: string; onPick: (suffix: string) => void };

/** Selects the newest release, a revision or a version; reads the versions when it gets the focus. */
function ReferenceSelect({ document, suffix, onPick }: ReferenceProps) {
  const [focused, setFocused] = useState(false);
  const { data } = useQuery(VersionsOfDocumentDocument, focused ? { id: document.id } : null);
  const versions = data?.document?.versionPage.items ?? [];
  const options = [
    { suffix: '', label: 'newest' },
    ...versions.flatMap(({ releasedAs }) =>
      releasedAs
        ? [
            {
              suffix: `@${releasedAs.label}`,
              label: `Rev ${releasedAs.label}${releasedAs.obsolete ? ' (obsolete)' : ''}`,
            },
          ]
        : [],
    ),
    ...versions.map(({ n }) => ({ suffix: `@v${n}`, label: `v${n}` })),
  ];
  const known = options.some((option) => option.suffix === suffix);
  return (
    <select
      aria-label={`Version of ${document.number}`}
      value={suffix}
      onPointerDown={() => setFocused(true)}
      onFocus={() => setFocused(true)}
      onChange={({ currentTarget }) => onPick(currentTarget.value)}
    >
      {!known && <option value={suffix}>{suffix.replace(/^@(?!v\d)/, 'Rev ').replace(/^@/, '')}</option>}
      {options.map((option) => (
        <option key={option.suffix} value={option.suffix}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
