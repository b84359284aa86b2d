// The 3D view of the assembly that is being built: selects components, and moves, turns and snaps them.
import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Point } from '../../subgraphs/core/domain/measure/vector.ts';
import { draggedKind, droppedDocuments } from '../find/dragging.ts';
import { ErrorMessage, ProgressBar } from '../ui/status.tsx';
import { moveCamera } from '../viewer/camera-keys.ts';
import { formatMm } from '../viewer/space.ts';
import { anglesIn, type Placement, positionIn } from './placement.ts';
import { type PlacingMode, PlacingTools, type Steps } from './placing-tools.tsx';
import type { Structure } from './structure.ts';
import type { Components } from './use-components.ts';
import { usePlacedParts, usePlacingStage, useShapes } from './use-placing-stage.ts';
import { useSnapping } from './use-snapping.ts';

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

export function PlacingView(props: PlacingProps) {
  const { structure, components, selected, onSelect, onPlace, onDrop } = props;
  const host = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<PlacingMode>('move');
  const [steps, setSteps] = useState<Steps>({ millimeters: 1, degrees: 15, axes: 'assembly' });
  const moving = useSignal<Placement | null>(null);
  const parts = usePlacedParts(structure, components);
  const { stage, error } = usePlacingStage(host, parts.shown.length > 0, {
    onSelect,
    onMove: (placement) => {
      moving.value = placement;
    },
    onPlace,
    onPick: (picked) => snapping.onPick(picked),
  });
  const snapping = useSnapping({ structure, stage, onSelect, onPlace });
  const loading = useShapes(stage, parts.shown);

  // layout effects run before the next event, which may pick a part
  useLayoutEffect(() => stage?.setParts(parts.shown), [stage, parts]);
  useLayoutEffect(() => stage?.select(selected), [stage, selected]);
  useLayoutEffect(() => stage?.set({ ...steps, mode: mode === 'snap' ? 'pick' : mode }), [stage, mode, steps]);

  const change = (next: PlacingMode) => {
    snapping.stop();
    setMode(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!stage || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === 't') change('move');
    else if (key === 'r') change('turn');
    else if (key === 's') change('snap');
    else if (key === 'escape' && mode === 'snap') snapping.hasFirst ? snapping.stop() : change('move');
    else if (!moveCamera(stage, event.key)) return;
    event.preventDefault();
  };
  return (
    <div class="placing">
      <PlacingTools
        mode={mode}
        onMode={change}
        steps={steps}
        onSteps={(changes) => setSteps((before) => ({ ...before, ...changes }))}
        onFlip={snapping.flip}
        onFit={stage && (() => stage.fit())}
      />
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
        {loading && !error && (
          <div class="placing-loading">
            <ProgressBar label="Loading the components" />
          </div>
        )}
        {error && <ErrorMessage error={new Error(`Cannot show the 3D view: ${error.message}`)} />}
      </div>
      <p class="placing-words" role="status">
        {mode === 'snap' ? snapping.hint : <MovingWords moving={moving} rest={moveHint(mode, selected)} />}
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

function moveHint(mode: 'move' | 'turn', selected: string | null): string {
  if (!selected) return 'Select a component to move it.';
  return mode === 'turn' ? `Drag a ring to rotate ${selected}.` : `Drag an arrow to move ${selected}.`;
}
