// The state of measuring on a stage: the hovered point, the first picked point, and the measurements.

import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MeasureData } from '../../../subgraphs/core/domain/measure/measure-data.ts';
import { isHidden } from '../product.ts';
import type { HoveredPoint, Stage } from '../three/stage.ts';
import { useArtifactJson } from '../use-artifact-json.ts';
import type { ViewState } from '../view-state.ts';
import { createMeasurement, type Measurement, type PickedPoint, pointText } from './measurement.ts';

/** A canvas position in CSS pixels. */
type ScreenPoint = { x: number; y: number };

export type Measuring = {
  active: boolean;
  ready: boolean;
  /** The exact faces and edges, if they are known. */
  data: MeasureData | null;
  first: PickedPoint | null;
  measurements: readonly Measurement[];
  /** Whether the part of a row is hidden. */
  isHidden: (row: number) => boolean;
  /** The point that a click would pick. */
  hovered: Signal<HoveredPoint | null>;
  /** The crosshair that the keyboard moves. */
  cross: Signal<ScreenPoint | null>;
  /** Describes the point below the crosshair, for screen readers. */
  crossText: string;
  toggle: () => void;
  /** Starts measuring, if it has not started. */
  start: () => void;
  remove: (index: number) => void;
  clear: () => void;
  onKey: (event: KeyboardEvent) => boolean;
  onMove: (event: PointerEvent) => void;
  onLeave: () => void;
  onTap: (event: PointerEvent) => void;
};

// snap radius of a vertex in CSS pixels; larger for a finger, which covers its target
const SNAP_RADIUS = { fine: 10, finger: 22 };
const STEP = 8;
const STEPS: Readonly<Record<string, ScreenPoint>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

/**
 * Measures between picked points of the stage; the view state is the current one, `measureId` is the
 * artifact with the exact faces and edges.
 */
export function useMeasuring(
  stage: Stage | null,
  { hidden, cuts, selected }: Pick<ViewState, 'hidden' | 'cuts' | 'selected'>,
  measureId: string | null,
): Measuring {
  const [active, setActive] = useState(false);
  const [ready, setReady] = useState(false);
  const [first, setFirst] = useState<PickedPoint | null>(null);
  const [measurements, setMeasurements] = useState<readonly Measurement[]>([]);
  const [crossText, setCrossText] = useState('');
  const hovered = useSignal<HoveredPoint | null>(null);
  const cross = useSignal<ScreenPoint | null>(null);
  const frameRequest = useRef(0);
  const isNeeded = useRef(false);
  isNeeded.current ||= active || selected !== null;
  // the service has validated the file
  const data = useArtifactJson(isNeeded.current ? measureId : null) as MeasureData | null | undefined;
  useEffect(() => {
    if (!active || !stage) return;
    // without exact faces and edges, the triangles are measured
    if (!active || !stage || data === undefined) return;
    stage.preparePicking(() => setReady(true));
    if (data) stage.setMeasureData(data);
  }, [active, stage, data]);
  useEffect(() => () => cancelAnimationFrame(frameRequest.current), []);

  const hoverAt = ({ x, y }: ScreenPoint, reach: number) => {
    hovered.value = stage?.pointAt(x, y, reach) ?? null;
  };
  const clearHover = () => {
    cancelAnimationFrame(frameRequest.current);
    frameRequest.current = 0;
    hovered.value = null;
  };
  useLayoutEffect(() => {
    clearHover(); // the hovered point may be gone
    setCrossText('');
  }, [hidden, cuts]);
  const stop = () => {
    clearHover();
    cross.value = null;
    setCrossText('');
    setFirst(null);
    setActive(false);
  };
  const toggle = () => (active ? stop() : setActive(true));
  const pickHovered = () => {
    const picked = hovered.value && stage?.pickPoint(hovered.value);
    if (!picked) return;
    if (first) setMeasurements([...measurements, createMeasurement(first, picked)]);
    setFirst(first ? null : picked);
    setCrossText('');
  };
  const moveCross = (step: ScreenPoint) => {
    if (!stage) return;
    const { clientWidth: width, clientHeight: height } = stage.canvas;
    const { x, y } = cross.value ?? { x: width / 2, y: height / 2 };
    cross.value = { x: Math.min(width, Math.max(0, x + step.x)), y: Math.min(height, Math.max(0, y + step.y)) };
    hoverAt(cross.value, SNAP_RADIUS.fine);
  };
  const canvasPoint = (event: PointerEvent): ScreenPoint => {
    const { left, top } = stage?.canvas.getBoundingClientRect() ?? { left: 0, top: 0 };
    return { x: event.clientX - left, y: event.clientY - top };
  };

  return {
    active,
    ready,
    data: data ?? null,
    first,
    measurements,
    isHidden: (row) => isHidden(stage?.rows ?? [], hidden, row),
    hovered,
    cross,
    crossText,
    toggle,
    start: () => setActive(true),
    remove: (at) => setMeasurements(measurements.filter((_, index) => index !== at)),
    clear: () => {
      setMeasurements([]);
      setFirst(null);
    },
    /** Handles a key; returns whether it was used for measuring. */
    onKey(event) {
      if (event.key.toLowerCase() === 'm') toggle();
      else if (!active) return false;
      else if (event.key === 'Escape' && first) setFirst(null);
      else if (event.key === 'Escape') stop();
      else if (event.key === 'Enter' || event.key === ' ') {
        moveCross({ x: 0, y: 0 });
        pickHovered();
      } else if (event.shiftKey && STEPS[event.key]) {
        moveCross(STEPS[event.key] as ScreenPoint);
        const picked = hovered.value && stage?.pickPoint(hovered.value);
        setCrossText(picked ? pointText(picked) : 'Not on the model.');
      } else {
        hovered.value = null; // the view may rotate
        return false;
      }
      return true;
    },
    /** At most once per frame, and not while the view rotates. */
    onMove(event) {
      if (!active || event.pointerType === 'touch') return;
      if (event.buttons !== 0) return clearHover();
      const point = canvasPoint(event);
      cross.value = null;
      cancelAnimationFrame(frameRequest.current);
      frameRequest.current = requestAnimationFrame(() => hoverAt(point, SNAP_RADIUS.fine));
    },
    onLeave: clearHover,
    onTap(event) {
      cross.value = null;
      hoverAt(canvasPoint(event), event.pointerType === 'touch' ? SNAP_RADIUS.finger : SNAP_RADIUS.fine);
      pickHovered();
      if (event.pointerType === 'touch') hovered.value = null;
    },
  };
}
