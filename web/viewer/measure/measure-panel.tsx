import { Icon } from '../../ui/icon.tsx';
import { attempt } from '../../ui/notes.tsx';
import {
  alongText,
  awayText,
  distanceText,
  exactnessText,
  furtherText,
  measurementText,
  placeText,
} from './measurement.ts';
import type { Measuring } from './use-measuring.ts';

type MeasurePanelProps = {
  measuring: Measuring;
  /** In mm, where it is known. */
  chordError: number | null;
  coarse: boolean;
  /** What had the focus goes, or can no longer be pressed. */
  onLeft: () => void;
};

/** The measurements in words, the last one first: read aloud as they come, to be copied, to be taken away. Always of one height: the picture keeps its place between two clicks. */
export function MeasurePanel({ measuring, chordError, coarse, onLeft }: MeasurePanelProps) {
  const { on, list, isAway, remove, clear, first } = measuring;
  if (!on && list.length === 0) return null;
  const copy = (text: string) =>
    void attempt(() => navigator.clipboard.writeText(text), 'The measurement is on the clipboard.');
  const takeAway = (at: number) => {
    remove(at);
    if (at === list.length - 1) onLeft(); // in the row of another one there is the next then
  };
  const takeAllAway = () => {
    clear();
    onLeft();
  };
  return (
    <section class="measures" aria-label="Measurements">
      <div class="measures-head">
        <p role="status">{on && wordsFor(measuring)}</p>
        {list.length > 1 && (
          <button type="button" onClick={() => copy(list.map(measurementText).join('\n'))}>
            <Icon name="copy" /> Copy all
          </button>
        )}
        <button type="button" disabled={list.length === 0 && !first} onClick={takeAllAway}>
          Clear
        </button>
      </div>
      <ol reversed aria-live="polite">
        {list
          .map((measurement, at) => (
            <li key={at}>
              <b>{distanceText(measurement)}</b>
              {[alongText(measurement), ...furtherText(measurement), ...awayText(measurement, isAway)].map((text) => (
                <span key={text}> {text}</span>
              ))}
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
                onClick={() => takeAway(at)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))
          .reverse()}
      </ol>
      <small>
        {exactnessText(chordError)}
        {coarse && ' A part is too large for its vertices and edges to be found.'}
      </small>
    </section>
  );
}

function wordsFor({ ready, first, said }: Measuring): string {
  if (!ready) return 'The model is made ready to be measured.';
  if (said) return said;
  if (first) return `From ${placeText(first)}: take the second place. Esc drops the first.`;
  return 'Take the first place: click or tap, or Shift with the arrow keys and Enter. Esc ends.';
}
