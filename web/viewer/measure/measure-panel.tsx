// The list of measurements as text.
import { Icon } from '../../ui/icon.tsx';
import { runWithToast } from '../../ui/toasts.tsx';
import {
  accuracyText,
  deltaTexts,
  detailTexts,
  headlineText,
  hiddenTexts,
  measurementText,
  pointText,
} from './measurement.ts';
import type { Measuring } from './use-measuring.ts';

type MeasurePanelProps = {
  measuring: Measuring;
  /** In mm; null if unknown. */
  chordError: number | null;
  edgesIncomplete: boolean;
  /** Called when the focused button is removed or disabled. */
  onFocusLost: () => void;
};

/** The measurements, newest first, announced to screen readers. Its height is fixed, so the canvas does not move. */
export function MeasurePanel({ measuring, chordError, edgesIncomplete, onFocusLost }: MeasurePanelProps) {
  const { active, measurements, isHidden, remove, clear, first } = measuring;
  if (!active && measurements.length === 0) return null;
  const copy = (text: string) => void runWithToast(() => navigator.clipboard.writeText(text), 'Measurement copied.');
  const removeOne = (at: number) => {
    remove(at);
    if (at === measurements.length - 1) onFocusLost(); // otherwise the focus moves to the button of the next row
  };
  const removeAll = () => {
    clear();
    onFocusLost();
  };
  return (
    <section class="measures" aria-label="Measurements">
      <div class="measures-head">
        <p role="status">{active && instruction(measuring)}</p>
        {measurements.length > 1 && (
          <button type="button" onClick={() => copy(measurements.map(measurementText).join('\n'))}>
            <Icon name="copy" /> Copy all
          </button>
        )}
        <button type="button" disabled={measurements.length === 0 && !first} onClick={removeAll}>
          Clear
        </button>
      </div>
      <ol reversed aria-live="polite">
        {measurements
          .map((measurement, at) => (
            <li key={at}>
              <b>{headlineText(measurement)}</b>
              {[...deltaTexts(measurement), ...detailTexts(measurement), ...hiddenTexts(measurement, isHidden)].map(
                (text) => (
                  <span key={text}> {text}</span>
                ),
              )}
              <button
                type="button"
                class="bare"
                aria-label={`Copy measurement ${at + 1}`}
                onClick={() => copy(measurementText(measurement))}
              >
                <Icon name="copy" />
              </button>
              <button
                type="button"
                class="bare"
                aria-label={`Remove measurement ${at + 1}`}
                onClick={() => removeOne(at)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))
          .reverse()}
      </ol>
      <small>
        {measuring.data ? EXACT_NOTE : accuracyText(chordError)}
        {edgesIncomplete && ' Vertices and edges of very large parts cannot be picked.'}
      </small>
    </section>
  );
}

const EXACT_NOTE = 'Each value says whether it is exact, fitted to a spline, or from the triangles (mesh).';

function instruction({ ready, first, crossText }: Measuring): string {
  if (!ready) return 'Preparing the model…';
  if (crossText) return crossText;
  if (first) return `From ${pointText(first)}. Pick the second point, or press Esc to clear the first.`;
  return 'Pick the first point: click or tap, or move the cross with Shift+arrow keys and press Enter. Esc stops.';
}
