// Measuring on a stage: what is pointed at, the place that was taken first, and the measurements that stand.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isHidden } from '../product.ts';
import type { Pointed, Shown, Stage } from '../three/stage.ts';
import { type Measurement, measurementOf, placeText, type Taken } from './measurement.ts';

/** A place of the picture, in CSS pixels. */
type Spot = { x: number; y: number };

export type Measuring = {
  on: boolean;
  ready: boolean;
  first: Taken | null;
  list: readonly Measurement[];
  /** Whether the part in a row is not shown. */
  isAway: (row: number) => boolean;
  /** The place that would be taken. */
  pointed: Signal<Pointed | null>;
  /** The cross that is moved with the keys. */
  cross: Signal<Spot | null>;
  /** What lies below the cross, in words. */
  said: string;
  toggle: () => void;
  remove: (at: number) => void;
  clear: () => void;
  onKey: (event: KeyboardEvent) => boolean;
  onMove: (event: PointerEvent) => void;
  onLeave: () => void;
  onTap: (event: PointerEvent) => void;
};

// how near a vertex has to be, in CSS pixels: a finger covers what it points at
const REACH = { fine: 10, finger: 22 };
const STEP = 8;
const STEPS: Readonly<Record<string, Spot>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

export function useMeasuring(stage: Stage | null, { hidden, cut }: Pick<Shown, 'hidden' | 'cut'>): Measuring {
  const [on, setOn] = useState(false);
  const [ready, setReady] = useState(false);
  const [first, setFirst] = useState<Taken | null>(null);
  const [list, setList] = useState<readonly Measurement[]>([]);
  const [said, setSaid] = useState('');
  const pointed = useSignal<Pointed | null>(null);
  const cross = useSignal<Spot | null>(null);
  const waiting = useRef(0);
  useEffect(() => {
    if (on) stage?.beginPointing(() => setReady(true));
  }, [on, stage]);
  useEffect(() => () => cancelAnimationFrame(waiting.current), []);

  const look = ({ x, y }: Spot, reach: number) => {
    pointed.value = stage?.point(x, y, reach) ?? null;
  };
  const lookAway = () => {
    cancelAnimationFrame(waiting.current);
    waiting.current = 0;
    pointed.value = null;
  };
  useLayoutEffect(() => {
    lookAway(); // it may be gone
    setSaid('');
  }, [hidden, cut]);
  const end = () => {
    lookAway();
    cross.value = null;
    setSaid('');
    setFirst(null);
    setOn(false);
  };
  const toggle = () => (on ? end() : setOn(true));
  const takePointed = () => {
    const taken = pointed.value && stage?.take(pointed.value);
    if (!taken) return;
    if (first) setList([...list, measurementOf(first, taken)]);
    setFirst(first ? null : taken);
    setSaid('');
  };
  const moveCross = (by: Spot) => {
    if (!stage) return;
    const { clientWidth: width, clientHeight: height } = stage.canvas;
    const { x, y } = cross.value ?? { x: width / 2, y: height / 2 };
    cross.value = { x: Math.min(width, Math.max(0, x + by.x)), y: Math.min(height, Math.max(0, y + by.y)) };
    look(cross.value, REACH.fine);
  };
  const spotOf = (event: PointerEvent): Spot => {
    const { left, top } = stage?.canvas.getBoundingClientRect() ?? { left: 0, top: 0 };
    return { x: event.clientX - left, y: event.clientY - top };
  };

  return {
    on,
    ready,
    first,
    list,
    isAway: (row) => isHidden(stage?.rows ?? [], hidden, row),
    pointed,
    cross,
    said,
    toggle,
    remove: (at) => setList(list.filter((_, each) => each !== at)),
    clear: () => {
      setList([]);
      setFirst(null);
    },
    /** Answers whether the key was one for measuring. */
    onKey(event) {
      if (event.key.toLowerCase() === 'm') toggle();
      else if (!on) return false;
      else if (event.key === 'Escape' && first) setFirst(null);
      else if (event.key === 'Escape') end();
      else if (event.key === 'Enter' || event.key === ' ') {
        moveCross({ x: 0, y: 0 });
        takePointed();
      } else if (event.shiftKey && STEPS[event.key]) {
        moveCross(STEPS[event.key] as Spot);
        const taken = pointed.value && stage?.take(pointed.value);
        setSaid(taken ? placeText(taken) : 'Nothing of the model.');
      } else {
        pointed.value = null; // the view may turn
        return false;
      }
      return true;
    },
    /** Once for each picture that is drawn; not while the view is turned. */
    onMove(event) {
      if (!on || event.pointerType === 'touch') return;
      if (event.buttons !== 0) return lookAway();
      const spot = spotOf(event);
      cross.value = null;
      cancelAnimationFrame(waiting.current);
      waiting.current = requestAnimationFrame(() => look(spot, REACH.fine));
    },
    onLeave: lookAway,
    onTap(event) {
      cross.value = null;
      look(spotOf(event), event.pointerType === 'touch' ? REACH.finger : REACH.fine);
      takePointed();
      if (event.pointerType === 'touch') pointed.value = null;
    },
  };
}
