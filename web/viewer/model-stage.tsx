// A model with what one does to look at it: turn, cut, hide, measure. The picture is one element; the tree and the figures say the same in words.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Picture } from '../ui/picture.tsx';
import { Problem, Progress } from '../ui/state.tsx';
import { MeasureOverlay } from './measure/measure-overlay.tsx';
import { MeasurePanel } from './measure/measure-panel.tsx';
import { useMeasuring } from './measure/use-measuring.ts';
import { Overlay } from './overlay.tsx';
import { isHidden, isolated, toggleHidden } from './product.ts';
import { ProductTree } from './product-tree.tsx';
import { SectionBar } from './section-bar.tsx';
import { sizeText, type View, viewOfKey } from './space.ts';
import { StageTools } from './stage-tools.tsx';
import type { Frame, Shown, Stage } from './three/stage.ts';
import { useExactBox } from './use-exact-box.ts';
import { useStage } from './use-stage.ts';

export type OpenedStage = Stage;

type ModelStageProps = {
  glb: { id: string; size: number };
  title: string;
  /** The id of the file that holds the exact measures, if there is one. */
  propertiesOf: string | null;
  picture: string | null;
  compact: boolean;
  onStage?: (stage: OpenedStage | null) => void;
};

const PLAIN: Shown = { hidden: new Set(), selected: null, cut: null, lines: true, parallel: false, measured: false };
const STEP = Math.PI / 24;
const TURNS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

export function ModelStage({ glb, title, propertiesOf, picture, compact, onStage }: ModelStageProps) {
  const host = useRef<HTMLDivElement>(null);
  const frame = useSignal<Frame | null>(null);
  const state = useStage(host, glb, (drawn) => {
    frame.value = drawn;
  });
  const [shown, setShown] = useState(PLAIN);
  const exact = useExactBox(propertiesOf);
  const stage = state.step === 'open' ? state.stage : null;
  const measuring = useMeasuring(stage, shown);

  useEffect(() => {
    if (!stage) return;
    stage.fit(null, 'iso');
    onStage?.(stage);
    return () => onStage?.(null);
  }, [stage]);
  useLayoutEffect(() => stage?.show(shown), [stage, shown]); // before the next key or click: what was just hidden is not picked

  const change = (changes: Partial<Shown>) => setShown((before) => ({ ...before, ...changes }));
  const { selected, hidden } = shown;
  const rows = stage?.rows ?? [];
  const whole = exact ?? stage?.measure(null) ?? null;
  const part = selected === null ? null : (stage?.measure(selected) ?? null);
  const deeds = {
    fit: (view?: View) => stage?.fit(view ? null : selected, view),
    hide: () => selected !== null && change({ hidden: toggleHidden(rows, hidden, selected) }),
    isolate: () => selected !== null && change({ hidden: isolated(rows, selected) }),
    showAll: () => change({ hidden: new Set() }),
  };
  const onKey = (event: KeyboardEvent) => {
    if (!stage || event.ctrlKey || event.metaKey || event.altKey) return;
    if (measuring.onKey(event)) return event.preventDefault();
    const turn = TURNS[event.key];
    const view = viewOfKey(event.key);
    const key = event.key.toLowerCase();
    if (turn) stage.turn(...turn);
    else if (view) deeds.fit(view);
    else if (key === '+' || key === '=') stage.zoom(1.2);
    else if (key === '-') stage.zoom(1 / 1.2);
    else if (key === 'f') deeds.fit();
    else if (key === 'h') deeds.hide();
    else if (key === 'i') deeds.isolate();
    else if (key === 'a') deeds.showAll();
    else if (key === 'p') change({ parallel: !shown.parallel });
    else if (key === 'escape' && selected !== null) change({ selected: null });
    else return;
    event.preventDefault();
  };
  const pressed = useRef<{ x: number; y: number } | null>(null);

  return (
    <div class="stage-box">
      <StageTools
        stage={stage}
        shown={shown}
        whole={whole}
        onChange={change}
        deeds={deeds}
        measuring={measuring}
        compact={compact}
      />
      {shown.cut && whole && <SectionBar cut={shown.cut} box={whole} onChange={(cut) => change({ cut })} />}
      <div class="stage-parts">
        {!compact && stage && rows.length > 1 && (
          <ProductTree
            rows={rows}
            title={title}
            hidden={hidden}
            selected={selected}
            onSelect={(row) => change({ selected: row })}
            onToggle={(row) => change({ hidden: toggleHidden(rows, hidden, row) })}
            onIsolate={(row) => change({ hidden: isolated(rows, row), selected: row })}
            onFit={(row) => stage.fit(row)}
          />
        )}
        <div
          ref={host}
          class={`stage${measuring.on ? ' measuring' : ''}`}
          role="application"
          aria-label={`3D view of ${title}. Arrow keys turn it, plus and minus zoom, 1 to 6 and 0 are the standard views, F fits it, M measures.`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the picture is turned with the keys
          tabIndex={0}
          onKeyDown={onKey}
          onPointerDown={(event) => {
            pressed.current = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
          }}
          onPointerMove={measuring.onMove}
          onPointerLeave={measuring.onLeave}
          onPointerUp={(event) => {
            const from = pressed.current;
            pressed.current = null;
            if (!from || !stage || Math.hypot(event.clientX - from.x, event.clientY - from.y) > 4) return;
            if (measuring.on) return measuring.onTap(event);
            const { left, top } = stage.canvas.getBoundingClientRect();
            change({ selected: stage.pick(event.clientX - left, event.clientY - top) });
          }}
        >
          {stage && <Overlay frame={frame} box={shown.measured ? (part ?? whole) : null} />}
          {stage && <MeasureOverlay frame={frame} measuring={measuring} />}
          {state.step === 'loading' && (
            <div class="stage-loading">
              <Picture url={picture} kind="model" size="large" />
              <Progress done={state.part} label="The model is loading" />
            </div>
          )}
          {state.step === 'failed' && (
            <Problem error={new Error(`The 3D view cannot be shown: ${state.error.message}`)} />
          )}
        </div>
      </div>
      {stage && (
        <MeasurePanel
          measuring={measuring}
          chordError={stage.chordError}
          coarse={stage.coarse}
          onLeft={() => host.current?.focus({ preventScroll: true })}
        />
      )}
      {stage && whole && (
        <p class="stage-words" role="status">
          {part && selected !== null ? (
            <>
              <b>{rows[selected]?.name}</b> {rows[selected]?.product} {sizeText(part)}
              <small> of the box around it{isHidden(rows, hidden, selected) ? ', hidden' : ''}</small>
            </>
          ) : (
            <>
              <b>{sizeText(whole)}</b>
              <small>
                {' '}
                · {rows[0]?.parts} {rows[0]?.parts === 1 ? 'part' : 'parts'} · {stage.triangles.toLocaleString()}{' '}
                triangles
              </small>
            </>
          )}
        </p>
      )}
    </div>
  );
}
