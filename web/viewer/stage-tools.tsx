// The toolbar of the 3D view.
import { Icon } from '../ui/icon.tsx';
import { type Box, VIEWS, type View } from './space.ts';
import type { Stage } from './three/stage.ts';
import { addCut, type ViewState } from './view-state.ts';

export type StageCommands = {
  fit: (view?: View) => void;
  hide: () => void;
  isolate: () => void;
  showAll: () => void;
  seeThrough: () => void;
  savePicture: () => void;
};

type StageToolbarProps = {
  stage: Stage | null;
  state: ViewState;
  modelBox: Box | null;
  onChange: (changes: Partial<ViewState>) => void;
  commands: StageCommands;
  measuring: { active: boolean; toggle: () => void };
  /** Whether the bar of the named views is open. */
  views: { open: boolean; toggle: () => void };
  compact: boolean;
};

const TOOLBAR_VIEWS = ['front', 'top', 'right', 'iso'] as const;

export function StageToolbar(props: StageToolbarProps) {
  const { stage, state, modelBox, onChange, commands, measuring, views, compact } = props;
  const disabled = !stage;
  return (
    <div class="stage-tools" role="toolbar" aria-label="3D view">
      <button type="button" disabled={disabled} onClick={() => commands.fit()} title="Fit (F)">
        <Icon name="fit" /> <span>Fit</span>
      </button>
      <span class="joined">
        {TOOLBAR_VIEWS.map((view) => (
          <button
            key={view}
            type="button"
            disabled={disabled}
            onClick={() => commands.fit(view)}
            title={`${VIEWS[view].label} (${VIEWS[view].key})`}
          >
            {view === 'iso' ? 'Iso' : VIEWS[view].label}
          </button>
        ))}
      </span>
      <button
        type="button"
        disabled={disabled}
        aria-pressed={state.parallel}
        title="Orthographic projection (P)"
        onClick={() => onChange({ parallel: !state.parallel })}
      >
        <Icon name="cube" /> <span>Orthographic</span>
      </button>
      <button
        type="button"
        disabled={disabled || !stage.hasLines}
        aria-pressed={state.lines}
        title={stage && !stage.hasLines ? 'The model is too large to draw its edges' : 'Show edges'}
        onClick={() => onChange({ lines: !state.lines })}
      >
        <Icon name="edges" /> <span>Edges</span>
      </button>
      {stage?.hasColors && (
        <button
          type="button"
          aria-label="Colors"
          aria-pressed={!state.tints}
          title="Show the colors of the file instead of one tint for each part"
          onClick={() => onChange({ tints: !state.tints })}
        >
          <Icon name="colors" />
        </button>
      )}
      <button
        type="button"
        disabled={disabled || !modelBox}
        aria-pressed={state.cuts.length > 0}
        title="Cut the model with up to three section planes"
        onClick={() => onChange({ cuts: state.cuts.length > 0 || !modelBox ? [] : addCut([], modelBox) })}
      >
        <Icon name="cut" /> <span>Section</span>
      </button>
      {!compact && stage && (stage.rows[0]?.parts ?? 0) > 1 && (
        <button
          type="button"
          aria-pressed={state.explode !== null}
          title="Move the parts apart"
          onClick={() => onChange({ explode: state.explode === null ? 0.5 : null })}
        >
          <Icon name="explode" /> <span>Explode</span>
        </button>
      )}
      <button
        type="button"
        disabled={disabled}
        aria-pressed={state.dimensions}
        title="Show the bounding box of the model or the selected part"
        onClick={() => onChange({ dimensions: !state.dimensions })}
      >
        <Icon name="measure" /> <span>Dimensions</span>
      </button>
      <button
        type="button"
        disabled={disabled || state.explode !== null}
        aria-pressed={measuring.active}
        title={state.explode === null ? 'Measure between two points (M)' : 'Close the exploded view to measure'}
        onClick={measuring.toggle}
      >
        <Icon name="distance" /> <span>Measure</span>
      </button>
      <button
        type="button"
        disabled={disabled}
        aria-label="Download picture"
        title="Download the picture as PNG"
        onClick={commands.savePicture}
      >
        <Icon name="picture" />
      </button>
      {!compact && (
        <button
          type="button"
          disabled={disabled}
          aria-label="Views"
          aria-expanded={views.open}
          title="Save and open named views"
          onClick={views.toggle}
        >
          <Icon name="bookmark" />
        </button>
      )}
      {!compact && (
        <span class="joined end">
          <button
            type="button"
            disabled={disabled || state.selected === null}
            onClick={commands.hide}
            title="Hide or show the selected part (H)"
          >
            <Icon name="hidden" /> <span>Hide</span>
          </button>
          <button
            type="button"
            disabled={disabled || state.selected === null}
            onClick={commands.isolate}
            title="Hide all other parts (I)"
          >
            <Icon name="eye" /> <span>Isolate</span>
          </button>
          <button
            type="button"
            disabled={disabled || (state.hidden.size === 0 && state.transparent.size === 0)}
            onClick={commands.showAll}
            title="Show all parts (A)"
          >
            Show all
          </button>
        </span>
      )}
    </div>
  );
}
