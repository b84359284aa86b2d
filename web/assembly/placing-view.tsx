// The 3D view of the assembly that is being built: selects components, and moves, turns and snaps them.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Figure } from '../../subgraphs/core/domain/measure/entity.ts';
import type { MeasureData } from '../../subgraphs/core/domain/measure/measure-data.ts';
import type { Point } from '../../subgraphs/core/domain/measure/vector.ts';
import { draggedKind, droppedDocuments } from '../find/dragging.ts';
import { restRequest } from '../shell/api-client.ts';
import { Icon } from '../ui/icon.tsx';
import { ErrorMessage, ProgressBar } from '../ui/status.tsx';
import { showError } from '../ui/toasts.tsx';
import { fetchFile } from '../viewer/fetch-file.ts';
import { formatMm, viewForKey } from '../viewer/space.ts';
import type { PickedEntity, PlacedPart, PlacingStage } from '../viewer/three/placing-stage.ts';
import { anglesIn, type Placement, positionIn } from './placement.ts';
import { snapKindOf, snapPlacement } from './snap-placement.ts';
import { placementOf, type Structure } from './structure.ts';
import type { Components } from './use-components.ts';

type PlacingProps = {
  structure: Structure;
  components: Components;
  /** The selected instance. */
  selected: string | null;
  onSelect: (instance: string | null) => void;
  onPlace: (instance: string, placement: Placement) => void;
  /** Documents were dropped at a point of the assembly, in mm. */
  onDrop: (documents: readonly string[], at: Point | null) => void;
};

type Mode = 'move' | 'turn' | 'snap';
/** The last snap, which can be flipped, and the picked first entity. */
type Snapped = { id: string; before: Placement; moved: Figure; target: Figure; flip: boolean };

const MAX_SHOWN = 3_000;
const ANGLE_STEP = Math.PI / 24;
const ZOOM_FACTOR = 1.2;
const ROTATIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-ANGLE_STEP, 0],
  ArrowRight: [ANGLE_STEP, 0],
  ArrowUp: [0, -ANGLE_STEP],
  ArrowDown: [0, ANGLE_STEP],
};

export function PlacingView(props: PlacingProps) {
  const { structure, components, selected, onSelect, onPlace, onDrop } = props;
  const host = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<Mode>('move');
  const [millimeters, setMillimeters] = useState(1);
  const [degrees, setDegrees] = useState(15);
  const [axes, setAxes] = useState<'assembly' | 'part'>('assembly');
  const [first, setFirst] = useState<{ id: string; figure: Figure } | null>(null);
  const [snapped, setSnapped] = useState<Snapped | null>(null);
  const [message, setMessage] = useState('');
  const moving = useSignal<Placement | null>(null);
  const parts = usePlacedParts(structure, components);
  const latest = useRef({ onSelect, onPlace, onPick: (_: PickedEntity) => {} });
  const { stage, error } = usePlacingStage(host, parts.shown.length > 0, {
    onSelect: (id) => latest.current.onSelect(id),
    onMove: (placement) => {
      moving.value = placement;
    },
    onPlace: (id, placement) => {
      moving.value = null;
      latest.current.onPlace(id, placement);
    },
    onPick: (picked) => latest.current.onPick(picked),
  });
  const loading = useShapes(stage, parts.shown);

  const stopSnapping = () => {
    setFirst(null);
    stage?.clearPicks();
  };
  const apply = (snap: Snapped): boolean => {
    const placement = snapPlacement(snap.before, snap.moved, snap.target, snap.flip);
    if (!placement) return false;
    onPlace(snap.id, placement);
    setSnapped(snap);
    return true;
  };
  const onPick = ({ id, entity }: PickedEntity) => {
    const figure = entity?.figure ?? null;
    const kind = snapKindOf(figure);
    if (!figure || !kind) {
      setMessage(
        entity
          ? 'Only planes, cylinders, cones and straight or circular edges can be snapped.'
          : `${id} has no exact faces and edges. Convert it again to get them.`,
      );
      stage?.clearPicks();
      return setFirst(null);
    }
    if (!first || first.id === id) {
      setFirst({ id, figure });
      setMessage('');
      onSelect(id);
      if (first) stage?.clearPicks();
      return;
    }
    const instance = structure.instances.find(({ ident }) => ident === first.id);
    const before = instance && placementOf(instance);
    if (before && !apply({ id: first.id, before, moved: first.figure, target: figure, flip: false }))
      setMessage(`A ${wordFor(first.figure)} does not snap to a ${wordFor(figure)}. Pick two planes or two axes.`);
    else setMessage('');
    stopSnapping();
  };
  latest.current = { onSelect, onPlace, onPick };

  useEffect(() => stage?.setParts(parts.shown), [stage, parts]);
  useEffect(() => stage?.select(selected), [stage, selected]);
  useEffect(
    () => stage?.set({ mode: mode === 'snap' ? 'pick' : mode, millimeters, degrees, axes }),
    [stage, mode, millimeters, degrees, axes],
  );
  useEffect(() => {
    setSnapped((before) => (before?.id === selected ? before : null));
  }, [selected]);

  const change = (next: Mode) => {
    stopSnapping();
    setMessage('');
    setMode(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!stage || event.ctrlKey || event.metaKey || event.altKey) return;
    const rotation = ROTATIONS[event.key];
    const view = viewForKey(event.key);
    const key = event.key.toLowerCase();
    if (rotation) stage.rotate(...rotation);
    else if (view) stage.fit(view);
    else if (key === '+' || key === '=') stage.zoom(ZOOM_FACTOR);
    else if (key === '-') stage.zoom(1 / ZOOM_FACTOR);
    else if (key === 'f') stage.fit();
    else if (key === 't') change('move');
    else if (key === 'r') change('turn');
    else if (key === 's') change('snap');
    else if (key === 'escape' && mode === 'snap') first ? stopSnapping() : change('move');
    else return;
    event.preventDefault();
  };
  const hint = snapHint(mode, first, snapped);
  return (
    <div class="placing">
      <div class="placing-tools" role="toolbar" aria-label="Placing">
        <span class="joined">
          <button type="button" aria-pressed={mode === 'move'} title="Move (T)" onClick={() => change('move')}>
            Move
          </button>
          <button type="button" aria-pressed={mode === 'turn'} title="Rotate (R)" onClick={() => change('turn')}>
            Rotate
          </button>
          <button
            type="button"
            aria-pressed={mode === 'snap'}
            title="Snap faces and edges (S)"
            onClick={() => change('snap')}
          >
            Snap
          </button>
        </span>
        {mode === 'move' && (
          <StepSelect
            label="Step"
            unit="mm"
            steps={[0, 0.1, 1, 5, 10, 50]}
            value={millimeters}
            onPick={setMillimeters}
          />
        )}
        {mode === 'turn' && (
          <StepSelect label="Step" unit="°" steps={[0, 1, 5, 15, 45, 90]} value={degrees} onPick={setDegrees} />
        )}
        {mode !== 'snap' && (
          <label class="inline">
            Axes of
            <select
              value={axes}
              onChange={({ currentTarget }) => setAxes(currentTarget.value === 'part' ? 'part' : 'assembly')}
            >
              <option value="assembly">the assembly</option>
              <option value="part">the part</option>
            </select>
          </label>
        )}
        {snapped && mode === 'snap' && (
          <button type="button" onClick={() => apply({ ...snapped, flip: !snapped.flip })}>
            Flip
          </button>
        )}
        <button type="button" class="end" title="Fit (F)" disabled={!stage} onClick={() => stage?.fit()}>
          <Icon name="fit" /> Fit
        </button>
      </div>
      <div
        ref={host}
        class={`placing-stage${mode === 'snap' ? ' picking' : ''}`}
        role="application"
        aria-label="3D view of the assembly. Keys: arrows rotate the view, + and - zoom, 1 to 6 and 0 show a standard view, F fits, T moves, R rotates, S snaps."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the view is controlled with the keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
        onDragOver={(event) => draggedKind(event) === 'documents' && event.preventDefault()}
        onDrop={(event) => {
          if (draggedKind(event) !== 'documents') return;
          event.preventDefault();
          event.stopPropagation();
          onDrop(droppedDocuments(event), stage?.pointAt(event.clientX, event.clientY) ?? null);
        }}
      >
        {parts.shown.length === 0 && <p class="placing-empty quiet">No component has a 3D model yet.</p>}
        {loading && (
          <div class="placing-loading">
            <ProgressBar label="Loading the components" />
          </div>
        )}
        {error && <ErrorMessage error={new Error(`Cannot show the 3D view: ${error.message}`)} />}
      </div>
      <p class="placing-words" role="status">
        {message || hint || <MovingWords moving={moving} rest={moveHint(mode, selected)} />}
        {parts.hidden > 0 && <small> {parts.hidden} places are not shown.</small>}
        {parts.withoutModel > 0 && (
          <small>
            {' '}
            {parts.withoutModel} {parts.withoutModel === 1 ? 'component has' : 'components have'} no 3D model.
          </small>
        )}
      </p>
    </div>
  );
}

/** Where the dragged part is; renders alone, so that dragging renders nothing else. */
function MovingWords({ moving, rest }: { moving: Signal<Placement | null>; rest: string }) {
  const placement = moving.value;
  if (!placement) return <>{rest}</>;
  const [x, y, z] = positionIn(placement).map(formatMm);
  const [a, b, c] = anglesIn(placement).map((angle) => Math.round(angle * 100) / 100);
  return (
    <span class="figures">
      X {x} Y {y} Z {z} mm · {a}° {b}° {c}°
    </span>
  );
}

function moveHint(mode: Mode, selected: string | null): string {
  if (!selected) return 'Select a component to move it.';
  return mode === 'turn' ? `Drag a ring to rotate ${selected}.` : `Drag an arrow to move ${selected}.`;
}

function snapHint(mode: Mode, first: { id: string } | null, snapped: Snapped | null): string {
  if (mode !== 'snap') return '';
  if (first) return `${first.id}: now pick a face or edge of another component.`;
  return snapped ? `${snapped.id} was placed. Flip it, or pick the next face or edge to move.` : SNAP_START;
}
const SNAP_START = 'Pick a face or edge of the component to move.';
const wordFor = ({ kind }: Figure): string => (kind === 'plane' ? 'plane' : 'axis');

type StepProps = {
  label: string;
  unit: string;
  steps: readonly number[];
  value: number;
  onPick: (step: number) => void;
};

function StepSelect({ label, unit, steps, value, onPick }: StepProps) {
  return (
    <label class="inline">
      {label}
      <select value={value} onChange={({ currentTarget }) => onPick(Number(currentTarget.value))}>
        {steps.map((step) => (
          <option key={step} value={step}>
            {step === 0 ? 'none' : `${step} ${unit}`}
          </option>
        ))}
      </select>
    </label>
  );
}

type ShownPart = PlacedPart & { glb: { id: string; size: number }; measureId: string | null };

/** The instances with a 3D model. Reads the versions of documents whose reference is not known yet. */
function usePlacedParts(structure: Structure, components: Components) {
  useEffect(() => {
    for (const { reference } of structure.templates) {
      const location = reference?.location ?? null;
      const document = components.documentOf(location);
      if (document && !components.versionOf(location)) components.loadVersions(document.id);
    }
  }, [structure.templates, components]);
  return useMemo(() => {
    const versions = new Map(
      structure.templates.map(({ ident, reference }) => [ident, components.versionOf(reference?.location ?? null)]),
    );
    const all: ShownPart[] = [];
    for (const instance of structure.instances) {
      const version = versions.get(instance.template);
      const placement = placementOf(instance);
      if (!version?.glb || !placement) continue;
      const { glb, measure } = version;
      all.push({ id: instance.ident, shape: glb.id, placement, glb, measureId: measure?.id ?? null });
    }
    const withoutModel = [...versions.values()].filter((version) => version && !version.glb).length;
    return { shown: all.slice(0, MAX_SHOWN), hidden: Math.max(0, all.length - MAX_SHOWN), withoutModel };
  }, [structure, components]);
}

type Events = {
  onSelect: (id: string | null) => void;
  onMove: (placement: Placement) => void;
  onPlace: (id: string, placement: Placement) => void;
  onPick: (picked: PickedEntity) => void;
};

/** Opens the stage in an element as soon as there is something to show; loads the 3D library on demand. */
function usePlacingStage(host: { current: HTMLDivElement | null }, isNeeded: boolean, events: Events) {
  const [stage, setStage] = useState<PlacingStage | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [wasNeeded, setNeeded] = useState(isNeeded);
  useEffect(() => {
    if (isNeeded) setNeeded(true);
  }, [isNeeded]);
  useEffect(() => {
    if (!wasNeeded) return;
    let opened: PlacingStage | null = null;
    let closed = false;
    const open = async () => {
      const { openPlacingStage } = await import('../viewer/three/placing-stage.ts');
      if (closed || !host.current) return;
      opened = openPlacingStage(host.current, events);
      setStage(opened);
    };
    open().catch((reason: unknown) => setError(reason instanceof Error ? reason : new Error(String(reason))));
    return () => {
      closed = true;
      opened?.dispose();
    };
  }, [wasNeeded]);
  return { stage, error };
}

/** Downloads the shapes of the parts, each once; returns whether some are still missing. */
function useShapes(stage: PlacingStage | null, parts: readonly ShownPart[]): boolean {
  const [requested] = useState(() => new Set<string>());
  const [missing, setMissing] = useState(0);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  useEffect(() => {
    if (!stage) return;
    const { signal } = abort.current;
    const load = async ({ shape, glb, measureId }: ShownPart) => {
      setMissing((count) => count + 1);
      try {
        const data = await fetchFile(`/artifacts/${glb.id}/file`, glb.size, signal, () => {});
        const measure = measureId === null ? null : await fetchMeasureData(measureId, signal);
        if (!signal.aborted) await stage.addShape(shape, data, measure);
      } finally {
        setMissing((count) => count - 1);
      }
    };
    for (const part of parts) {
      if (requested.has(part.shape)) continue;
      requested.add(part.shape);
      load(part).catch((error: unknown) => !signal.aborted && showError(error));
    }
  }, [stage, parts]);
  return missing > 0;
}

// The service has validated the file.
async function fetchMeasureData(id: string, signal: AbortSignal): Promise<MeasureData> {
  return (await (await restRequest(`/artifacts/${id}/file`, { signal })).json()) as MeasureData;
}
