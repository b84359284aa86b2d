// The interactive 3D view: canvas, toolbar, part tree and measurements. Everything drawn is also available as text.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { navigate, urlFor } from '../shell/router.ts';
import { formatArea, formatVolume } from '../ui/format.ts';
import { Menu, type MenuPosition } from '../ui/menu.tsx';
import { ErrorMessage, ProgressBar } from '../ui/status.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { ExplodeBar } from './explode-bar.tsx';
import { MeasureOverlay } from './measure/measure-overlay.tsx';
import { MeasurePanel } from './measure/measure-panel.tsx';
import { useMeasuring } from './measure/use-measuring.ts';
import { Overlay } from './overlay.tsx';
import { hiddenToIsolate, isHidden, type ProductRow, toggleHidden } from './product.ts';
import { ProductTree } from './product-tree.tsx';
import { SectionBar } from './section-bar.tsx';
import { formatSize, type View, viewForKey } from './space.ts';
import { StageToolbar } from './stage-tools.tsx';
import type { Frame, Stage, ViewState } from './three/stage.ts';
import { useExactBox } from './use-exact-box.ts';
import { useStage } from './use-stage.ts';

export type OpenedStage = Stage;

export type PartDocument = { id: string; number: string };

type ModelStageProps = {
  glb: { id: string; size: number };
  title: string;
  /** The id of the properties artifact with the exact bounding box, if there is one. */
  propertiesId: string | null;
  /** The id of the artifact with the exact faces and edges, if there is one. */
  measureId: string | null;
  thumbnail: string | null;
  compact: boolean;
  /** Returns the document of a part, if it is known. */
  documentOf?: (part: ProductRow) => PartDocument | null;
  onStage?: (stage: OpenedStage | null) => void;
};

const INITIAL_VIEW: ViewState = {
  hidden: new Set(),
  selected: null,
  cut: null,
  lines: true,
  tints: false,
  parallel: false,
  dimensions: false,
  explode: null,
};
const KEY_HELP = 'Keys: arrows rotate, + and - zoom, 1 to 6 and 0 show a standard view, F fits, M measures.';
// keys that scroll the page or press the focused button unless the canvas has the focus
const CANVAS_KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Enter', ' ']);
const isKeyUsedElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, dialog, [role="menu"], [role="listbox"], [contenteditable]') !== null;
const STEP = Math.PI / 24;
const MAX_CLICK_PIXELS = 4; // a pointer that moves farther rotates the view
const ZOOM_FACTOR = 1.2;
const ROTATIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/**
 * Shows a GLB file. Keyboard shortcuts work on the whole page, or in `compact` mode while the view has the focus.
 */
export function ModelStage(props: ModelStageProps) {
  const { glb, title, propertiesId, measureId, thumbnail, compact, documentOf, onStage } = props;
  const host = useRef<HTMLDivElement>(null);
  const frame = useSignal<Frame | null>(null);
  const loading = useStage(host, glb, (drawn) => {
    frame.value = drawn;
  });
  const [viewState, setViewState] = useState(INITIAL_VIEW);
  const exactBox = useExactBox(propertiesId);
  const stage = loading.step === 'open' ? loading.stage : null;
  const measuring = useMeasuring(stage, viewState, measureId);

  useEffect(() => {
    if (!stage) return;
    stage.fit(null, 'iso');
    onStage?.(stage);
    return () => onStage?.(null);
  }, [stage]);
  // a layout effect runs before the next event, so hidden parts cannot be picked
  useLayoutEffect(() => stage?.show(viewState), [stage, viewState]);

  const change = (changes: Partial<ViewState>) => {
    if (typeof changes.explode === 'number' && measuring.active) measuring.toggle();
    setViewState((before) => ({ ...before, ...changes }));
  };
  const { selected, hidden } = viewState;
  const rows = stage?.rows ?? [];
  const modelBox = exactBox ?? stage?.boundingBox(null) ?? null;
  const selectedBox = selected === null ? null : (stage?.boundingBox(selected) ?? null);
  const commands = {
    fit: (view?: View) => stage?.fit(view ? null : selected, view),
    hide: () => selected !== null && change({ hidden: toggleHidden(rows, hidden, selected) }),
    isolate: () => selected !== null && change({ hidden: hiddenToIsolate(rows, selected) }),
    showAll: () => change({ hidden: new Set() }),
  };
  const onKey = (event: KeyboardEvent) => {
    if (!stage || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnCanvas = event.target === host.current;
    if (!isOnCanvas && (isKeyUsedElsewhere(event.target) || CANVAS_KEYS.has(event.key))) return;
    if (viewState.explode === null && measuring.onKey(event)) return event.preventDefault();
    const rotation = ROTATIONS[event.key];
    const view = viewForKey(event.key);
    const key = event.key.toLowerCase();
    if (rotation) stage.rotate(...rotation);
    else if (view) commands.fit(view);
    else if (key === '+' || key === '=') stage.zoom(ZOOM_FACTOR);
    else if (key === '-') stage.zoom(1 / ZOOM_FACTOR);
    else if (key === 'f') commands.fit();
    else if (key === 'h') commands.hide();
    else if (key === 'i') commands.isolate();
    else if (key === 'a') commands.showAll();
    else if (key === 'p') change({ parallel: !viewState.parallel });
    else if (key === 'escape' && selected !== null) change({ selected: null });
    else return;
    event.preventDefault();
  };
  const latestOnKey = useRef(onKey);
  latestOnKey.current = onKey;
  useEffect(() => {
    if (compact) return; // beside another model, the keys are for the one with the focus
    const onWindowKey = (event: KeyboardEvent) => latestOnKey.current(event);
    addEventListener('keydown', onWindowKey);
    return () => removeEventListener('keydown', onWindowKey);
  }, [compact]);
  const [menu, setMenu] = useState<MenuPosition | null>(null);
  const selectedPart = selected === null ? undefined : rows[selected];
  const selectedDocument = selectedPart ? (documentOf?.(selectedPart) ?? null) : null;
  const pointerDownAt = useRef<{ x: number; y: number } | null>(null);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys of the controls inside it
    <div class="stage-box" onKeyDown={onKey}>
      <StageToolbar
        stage={stage}
        state={viewState}
        modelBox={modelBox}
        onChange={change}
        commands={commands}
        measuring={measuring}
        compact={compact}
      />
      {viewState.cut && modelBox && (
        <SectionBar cut={viewState.cut} box={modelBox} onChange={(cut) => change({ cut })} />
      )}
      {viewState.explode !== null && (
        <ExplodeBar amount={viewState.explode} onChange={(explode) => change({ explode })} />
      )}
      <div class="stage-parts">
        {!compact && stage && rows.length > 1 && (
          <ProductTree
            rows={rows}
            title={title}
            hidden={hidden}
            selected={selected}
            onSelect={(row) => change({ selected: row })}
            onToggle={(row) => change({ hidden: toggleHidden(rows, hidden, row) })}
            onIsolate={(row) => change({ hidden: hiddenToIsolate(rows, row), selected: row })}
            onFit={(row) => stage.fit(row)}
          />
        )}
        <div
          ref={host}
          class={`stage${measuring.active ? ' measuring' : ''}`}
          role="application"
          aria-label={`3D view of ${title}. ${KEY_HELP}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the view is controlled with the keyboard
          tabIndex={0}
          onPointerDown={(event) => {
            pointerDownAt.current = event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
          }}
          onContextMenu={(event) => event.preventDefault()}
          onPointerMove={measuring.onMove}
          onPointerLeave={measuring.onLeave}
          onPointerUp={(event) => {
            const from = pointerDownAt.current;
            pointerDownAt.current = null;
            if (!from || !stage || Math.hypot(event.clientX - from.x, event.clientY - from.y) > MAX_CLICK_PIXELS)
              return;
            if (event.button === 0 && measuring.active) return measuring.onTap(event);
            if (event.button !== 0 && event.button !== 2) return;
            const { left, top } = stage.canvas.getBoundingClientRect();
            const row = stage.pickRow(event.clientX - left, event.clientY - top);
            change({ selected: row });
            if (event.button === 2 && !compact && row !== null) setMenu({ x: event.clientX, y: event.clientY });
          }}
        >
          {stage && <Overlay frame={frame} box={viewState.dimensions ? (selectedBox ?? modelBox) : null} />}
          {stage && <MeasureOverlay frame={frame} measuring={measuring} />}
          {loading.step === 'loading' && (
            <div class="stage-loading">
              <Thumbnail url={thumbnail} kind="model" size="large" />
              <ProgressBar value={loading.fraction} label="Loading the model" />
            </div>
          )}
          {loading.step === 'failed' && (
            <ErrorMessage error={new Error(`Cannot show the 3D view: ${loading.error.message}`)} />
          )}
        </div>
      </div>
      {stage && (
        <MeasurePanel
          measuring={measuring}
          chordError={stage.chordError}
          edgesIncomplete={stage.edgesIncomplete}
          onFocusLost={() => host.current?.focus({ preventScroll: true })}
        />
      )}
      {stage && modelBox && (
        <p class="stage-words" role="status">
          {selectedBox && selected !== null ? (
            <>
              <b>{rows[selected]?.name}</b> {rows[selected]?.product} <small>Bounding box</small>{' '}
              {formatSize(selectedBox)}
              {stage && <PartMeasures key={selected} {...stage.measureRow(selected)} />}
              {selectedDocument && <a href={urlFor.document(selectedDocument.id)}>{selectedDocument.number}</a>}
              {isHidden(rows, hidden, selected) && <small> (hidden)</small>}
            </>
          ) : (
            <>
              <b>{formatSize(modelBox)}</b>
              <small>
                {' '}
                · {rows[0]?.parts} {rows[0]?.parts === 1 ? 'part' : 'parts'} · {stage.triangles.toLocaleString()}{' '}
                triangles
              </small>
            </>
          )}
        </p>
      )}
      {menu && selected !== null && (
        <Menu
          label={`Actions for ${selectedPart?.name ?? 'the part'}`}
          position={menu}
          onClose={() => setMenu(null)}
          groups={[
            [
              {
                id: 'hide',
                label: isHidden(rows, hidden, selected) ? 'Show' : 'Hide',
                icon: 'hidden',
                run: commands.hide,
              },
              { id: 'isolate', label: 'Isolate', icon: 'eye', run: commands.isolate },
              { id: 'all', label: 'Show all', run: commands.showAll },
              { id: 'fit', label: 'Zoom to', icon: 'fit', run: () => commands.fit() },
            ],
            selectedDocument
              ? [
                  {
                    id: 'open',
                    label: `Open ${selectedDocument.number}`,
                    icon: 'model',
                    run: () => navigate(urlFor.document(selectedDocument.id)),
                  },
                  {
                    id: 'used',
                    label: `Where ${selectedDocument.number} is used`,
                    icon: 'used',
                    run: () => navigate(urlFor.document(selectedDocument.id, 'used')),
                  },
                ]
              : [],
          ]}
        />
      )}
    </div>
  );
}

/** Volume and area of a part, computed from its triangles. */
function PartMeasures({ volume, area }: { volume: number; area: number }) {
  return (
    <span title="Computed from the triangles; approximate where faces are round">
      {' '}
      <small>Volume</small> {formatVolume(volume, 'mm')} <small>Area</small> {formatArea(area, 'mm')}{' '}
    </span>
  );
}
