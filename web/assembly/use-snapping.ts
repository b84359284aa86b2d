// Snaps a face or edge of a component, which is picked first, to one of another component.
import { useState } from 'preact/hooks';
import type { PickedEntity, PlacingStage } from '../viewer/three/placing-stage.ts';
import { formatTransform, type Placement } from './placement.ts';
import { canSnap, type SnapFigure, snapPlacement } from './snap-placement.ts';
import { placementOf, type Structure } from './structure.ts';

/** A snap of an instance, and where the instance was before. */
type Snap = { id: string; before: Placement; moved: SnapFigure; target: SnapFigure };

type SnappingProps = {
  structure: Structure;
  stage: PlacingStage | null;
  onSelect: (instance: string) => void;
  onPlace: (instance: string, placement: Placement) => void;
};

export function useSnapping({ structure, stage, onSelect, onPlace }: SnappingProps) {
  const [first, setFirst] = useState<{ id: string; figure: SnapFigure } | null>(null);
  const [last, setLast] = useState<Snap | null>(null);
  const [problem, setProblem] = useState('');
  const isFlipped = last && flipIn(structure, last);

  const stop = () => {
    setFirst(null);
    setProblem('');
    stage?.clearPicks();
  };
  const onPick = ({ id, entity }: PickedEntity) => {
    const figure = entity?.figure ?? null;
    if (!canSnap(figure)) {
      stop();
      setProblem(
        entity
          ? 'Only planes, cylinders, cones and straight or circular edges can be snapped.'
          : `${id} has no exact faces and edges. Convert it again to get them.`,
      );
      return;
    }
    if (!first || first.id === id) {
      setFirst({ id, figure });
      setProblem('');
      stage?.clearPicks(1);
      onSelect(id);
      return;
    }
    stop();
    const instance = structure.instances.find(({ ident }) => ident === first.id);
    const before = instance && placementOf(instance);
    if (!before) return;
    setLast({ id: first.id, before, moved: first.figure, target: figure });
    onPlace(first.id, snapPlacement(before, first.figure, figure));
  };
  return {
    onPick,
    stop,
    hasFirst: first !== null,
    /** Turns the component that was snapped last over; null if it is no longer where it snapped to. */
    flip:
      last && isFlipped !== null
        ? () => onPlace(last.id, snapPlacement(last.before, last.moved, last.target, !isFlipped))
        : null,
    hint: problem || hintOf(first?.id ?? null, isFlipped === null ? null : (last?.id ?? null)),
  };
}

function hintOf(first: string | null, placed: string | null): string {
  if (first !== null) return `${first}: now pick a face or edge of another component.`;
  return placed === null
    ? 'Pick a face or edge of the component to move.'
    : `${placed} was placed. Flip it, or pick the next face or edge to move.`;
}

/** Returns whether an instance is where it was snapped to, flipped or not; null if it is elsewhere. */
function flipIn(structure: Structure, { id, before, moved, target }: Snap): boolean | null {
  const transform = structure.instances.find(({ ident }) => ident === id)?.transform;
  const matches = (flip: boolean) => formatTransform(snapPlacement(before, moved, target, flip)) === transform;
  return [false, true].find(matches) ?? null;
}
