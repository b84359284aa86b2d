import { Icon } from '../ui/icon.tsx';
import { cutThrough } from './section-bar.tsx';
import { type Box, VIEWS, type View } from './space.ts';
import type { Shown, Stage } from './three/stage.ts';

export type StageDeeds = { fit: (view?: View) => void; hide: () => void; isolate: () => void; showAll: () => void };

type StageToolsProps = {
  stage: Stage | null;
  shown: Shown;
  whole: Box | null;
  onChange: (changes: Partial<Shown>) => void;
  deeds: StageDeeds;
  measuring: { on: boolean; toggle: () => void };
  compact: boolean;
};

const SHOWN_VIEWS = ['front', 'top', 'right', 'iso'] as const;

/** What one can do with the picture, each with its key. */
export function StageTools({ stage, shown, whole, onChange, deeds, measuring, compact }: StageToolsProps) {
  const off = !stage;
  return (
    <div class="stage-tools" role="toolbar" aria-label="3D view">
      <button type="button" disabled={off} onClick={() => deeds.fit()} title="Fit (F)">
        <Icon name="fit" /> <span>Fit</span>
      </button>
      <span class="joined">
        {SHOWN_VIEWS.map((view) => (
          <button
            key={view}
            type="button"
            disabled={off}
            onClick={() => deeds.fit(view)}
            title={`${VIEWS[view].label} (${VIEWS[view].key})`}
          >
            {view === 'iso' ? 'Iso' : VIEWS[view].label}
          </button>
        ))}
      </span>
      <button
        type="button"
        disabled={off}
        aria-pressed={shown.parallel}
        title="Parallel lines stay parallel (P)"
        onClick={() => onChange({ parallel: !shown.parallel })}
      >
        <Icon name="cube" /> <span>Orthographic</span>
      </button>
      <button
        type="button"
        disabled={off || !stage.hasLines}
        aria-pressed={shown.lines}
        title={
          stage && !stage.hasLines ? 'The model is too large for its edges to be drawn' : 'Draw the edges of the parts'
        }
        onClick={() => onChange({ lines: !shown.lines })}
      >
        <Icon name="edges" /> <span>Edges</span>
      </button>
      <button
        type="button"
        disabled={off || !whole}
        aria-pressed={shown.cut !== null}
        title="Cut the model with a plane"
        onClick={() => onChange({ cut: shown.cut || !whole ? null : cutThrough(whole, 'y') })}
      >
        <Icon name="cut" /> <span>Section</span>
      </button>
      <button
        type="button"
        disabled={off}
        aria-pressed={shown.measured}
        title="Draw the box around the model, or around what is selected"
        onClick={() => onChange({ measured: !shown.measured })}
      >
        <Icon name="measure" /> <span>Dimensions</span>
      </button>
      <button
        type="button"
        disabled={off}
        aria-pressed={measuring.on}
        title="Measure from one place of the model to another (M)"
        onClick={measuring.toggle}
        onKeyDown={({ key }) => key === 'Escape' && measuring.on && measuring.toggle()}
      >
        <Icon name="distance" /> <span>Measure</span>
      </button>
      {!compact && (
        <span class="joined end">
          <button
            type="button"
            disabled={off || shown.selected === null}
            onClick={deeds.hide}
            title="Hide or show what is selected (H)"
          >
            <Icon name="hidden" /> <span>Hide</span>
          </button>
          <button
            type="button"
            disabled={off || shown.selected === null}
            onClick={deeds.isolate}
            title="Hide everything but what is selected (I)"
          >
            <Icon name="eye" /> <span>Isolate</span>
          </button>
          <button
            type="button"
            disabled={off || shown.hidden.size === 0}
            onClick={deeds.showAll}
            title="Show everything (A)"
          >
            Show all
          </button>
        </span>
      )}
    </div>
  );
}
