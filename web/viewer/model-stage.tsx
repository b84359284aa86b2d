// The interactive 3D view: canvas, toolbar, part tree and measurements. Everything drawn is also available as text.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { MenuPosition } from '../ui/menu.tsx';
import { saveFile } from '../ui/save-file.ts';
import { ErrorMessage, ProgressBar } from '../ui/status.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';
import { runWithToast } from '../ui/toasts.tsx';
import { moveCamera } from './camera-keys.ts';
import { ExplodeBar } from './explode-bar.tsx';
import { MeasureOverlay } from './measure/measure-overlay.tsx';
import { MeasurePanel } from './measure/measure-panel.tsx';
import { useMeasuring } from './measure/use-measuring.ts';
import { Overlay } from './overlay.tsx';
import { PartMenu } from './part-menu.tsx';
import { PartPanel } from './part-panel.tsx';
import { isTopRow, topRows } from './part-places.ts';
import { parseBoundingBox, unmeshedFaces } from './part-values.ts';
import { hiddenToIsolate, type ProductRow, toggleHidden } from './product.ts';
import { ProductTree } from './product-tree.tsx';
import { sceneOf, stateOf } from './scene.ts';
import { SectionBar } from './section/section-bar.tsx';
import { SectionHandles } from './section/section-handles.tsx';
import type { View } from './space.ts';
import { StageToolbar } from './stage-tools.tsx';
import type { Frame, Stage } from './three/stage.ts';
import { useArtifactJson } from './use-artifact-json.ts';
import type { LinesOf, PartLine } from './use-part-lines.ts';
import { useStage } from './use-stage.ts';
import { INITIAL_VIEW, type ViewState } from './view-state.ts';
import { ViewsBar } from './views-bar.tsx';

export type OpenedStage = Stage;

/** Connects the view with the lines of a bill of materials. */
export type LineLink = {
  /** Returns whether the parts of a line are highlighted; null if no line is selected. */
  isMarked: ((line: PartLine) => boolean) | null;
  /** Called when the user selects a part, with its line if it has one, or nothing. */
  onPick: (line: PartLine | null) => void;
};

type ModelStageProps = {
  versionId: string;
  glb: { id: string; size: number };
  title: string;
  /** The id of the properties artifact with the exact bounding box, if there is one. */
  propertiesId: string | null;
  /** The id of the artifact with the exact faces and edges, if there is one. */
  measureId: string | null;
  thumbnail: string | null;
  compact: boolean;
  /** Finds the lines of the bill of materials that place the parts of an assembly. */
  linesOf?: LinesOf;
  link?: LineLink;
  /** How the parts differ from those of another model. */
  differences?: ViewState['differences'];
  /** The page URL of the bill of materials with a line selected. */
  urlOfLine?: (line: PartLine) => string;
  onStage?: (stage: OpenedStage | null) => void;
};

const KEY_HELP = 'Keys: arrows rotate, + and - zoom, 1 to 6 and 0 show a standard view, F fits, M measures.';
// keys that scroll the page or press the focused button unless the canvas has the focus
const CANVAS_KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Enter', ' ']);
const isKeyUsedElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, dialog, [role="menu"], [role="listbox"], [contenteditable]') !== null;
const MAX_CLICK_PIXELS = 4; // a pointer that moves farther rotates the view

/**
 * Shows a GLB file. Keyboard shortcuts work on the whole page, or in `compact` mode while the view has the focus.
 */
export function ModelStage(props: ModelStageProps) {
  const { versionId, glb, title, propertiesId, measureId, thumbnail, compact, linesOf, link, urlOfLine, onStage } =
    props;
  const { differences = null } = props;
  const host = useRef<HTMLDivElement>(null);
  const frame = useSignal<Frame | null>(null);
  const loading = useStage(host, glb, (drawn) => {
    frame.value = drawn;
  });
  const [viewState, setViewState] = useState(INITIAL_VIEW);
  const properties = useArtifactJson(propertiesId);
  const exactBox = useMemo(() => parseBoundingBox(properties), [properties]);
  const stage = loading.step === 'open' ? loading.stage : null;
  const measuring = useMeasuring(stage, viewState, measureId);

  useEffect(() => {
    if (!stage) return;
    stage.fit(null, 'iso');
    onStage?.(stage);
    return () => onStage?.(null);
  }, [stage]);
  const rows = stage?.rows ?? NO_ROWS;
  const lines = useMemo(() => linesOf?.(rows) ?? [], [rows, linesOf]);
  const isMarked = link?.isMarked ?? null;
  const marked = useMemo(() => new Set(isMarked ? topRows(rows, lines, isMarked) : []), [rows, lines, isMarked]);
  // a line that is selected elsewhere takes the place of the part that was selected here
  useEffect(() => {
    if (isMarked) setViewState((before) => ({ ...before, selected: null }));
  }, [isMarked]);
  // a layout effect runs before the next event, so hidden parts cannot be picked
  useLayoutEffect(() => stage?.show({ ...viewState, marked, differences }), [stage, viewState, marked, differences]);

  const change = (changes: Partial<ViewState>) => {
    if (typeof changes.explode === 'number' && measuring.active) measuring.toggle();
    setViewState((before) => ({ ...before, ...changes }));
  };
  const select = (row: number | null) => {
    change({ selected: row });
    link?.onPick(row === null ? null : (lines[row] ?? null));
  };
  const { selected, hidden, transparent } = viewState;
  const modelBox = exactBox ?? stage?.boundingBox(null) ?? null;
  const selectedBox = selected === null ? null : (stage?.boundingBox(selected) ?? null);
  const commands = {
    fit: (view?: View) => stage?.fit(view ? null : (selected ?? [...marked]), view),
    hide: () => selected !== null && change({ hidden: toggleHidden(rows, hidden, selected) }),
    isolate: () => selected !== null && change({ hidden: hiddenToIsolate(rows, selected) }),
    showAll: () => change({ hidden: new Set(), transparent: new Set() }),
    seeThrough: () => selected !== null && change({ transparent: toggled(transparent, selected) }),
    savePicture: () =>
      runWithToast(async () => {
        if (stage) saveFile(await stage.picture(), `${title}.png`);
      }),
  };
  const onKey = (event: KeyboardEvent) => {
    if (!stage || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnCanvas = event.target === host.current;
    if (!isOnCanvas && (isKeyUsedElsewhere(event.target) || CANVAS_KEYS.has(event.key))) return;
    if (viewState.explode === null && measuring.onKey(event)) return event.preventDefault();
    const command = {
      h: commands.hide,
      i: commands.isolate,
      a: commands.showAll,
      t: commands.seeThrough,
      p: () => change({ parallel: !viewState.parallel }),
      escape: selected === null ? undefined : () => select(null),
    }[event.key.toLowerCase()];
    if (command) command();
    else if (!moveCamera({ ...stage, fit: commands.fit }, event.key)) return;
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
  const [viewsOpen, setViewsOpen] = useState(false);
  const [menu, setMenu] = useState<MenuPosition | null>(null);
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
        views={{ open: viewsOpen, toggle: () => setViewsOpen(!viewsOpen) }}
        compact={compact}
      />
      {viewsOpen && stage && (
        <ViewsBar
          versionId={versionId}
          getScene={() => sceneOf(viewState, stage.camera(), rows)}
          onOpen={(scene) => {
            const { camera, ...changes } = stateOf(scene, rows);
            change(changes);
            stage.show({ ...viewState, ...changes, marked, differences });
            stage.setCamera(camera);
          }}
        />
      )}
      {viewState.cuts.length > 0 && modelBox && (
        <SectionBar cuts={viewState.cuts} box={modelBox} onChange={(cuts) => change({ cuts })} />
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
            onSelect={select}
            onToggle={(row) => change({ hidden: toggleHidden(rows, hidden, row) })}
            onIsolate={(row) => {
              change({ hidden: hiddenToIsolate(rows, row) });
              select(row);
            }}
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
            select(row);
            if (event.button === 2 && !compact && row !== null) setMenu({ x: event.clientX, y: event.clientY });
          }}
        >
          {stage && <Overlay frame={frame} box={viewState.dimensions ? (selectedBox ?? modelBox) : null} />}
          {stage && modelBox && viewState.cuts.length > 0 && (
            <SectionHandles frame={frame} cuts={viewState.cuts} box={modelBox} onChange={(cuts) => change({ cuts })} />
          )}
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
        <PartPanel
          stage={stage}
          state={viewState}
          line={selected === null ? null : (lines[selected] ?? null)}
          isWholeLine={selected !== null && isTopRow(rows, lines, selected)}
          propertiesId={propertiesId}
          unmeshed={unmeshedFaces(properties)}
          measure={measuring.data}
          box={modelBox}
          selectedBox={selectedBox}
          marked={marked.size}
        />
      )}
      {menu && selected !== null && (
        <PartMenu
          position={menu}
          onClose={() => setMenu(null)}
          rows={rows}
          state={viewState}
          line={lines[selected] ?? null}
          urlOfLine={urlOfLine}
          commands={commands}
          measuring={measuring}
        />
      )}
    </div>
  );
}

const NO_ROWS: readonly ProductRow[] = [];

function toggled(set: ReadonlySet<number>, row: number): ReadonlySet<number> {
  const changed = new Set(set);
  if (!changed.delete(row)) changed.add(row);
  return changed;
}
