// Charts of the job queue.
import { formatDateTime, formatDuration } from '../ui/format.ts';
import type { History } from './engines.tsx';
import { linePath, roundUp } from './plot.ts';

const AREA = { width: 880, height: 120 };
const LABEL_WIDTH = 72; // fits “1 min 40 s”
const GRID_LINES = [0, 0.5, 1];
const MAX_GAP_SAMPLES = 3; // a longer gap between samples interrupts the line

/** The number of waiting and running jobs, and the longest wait, over the last hours. */
export function QueuePlot({
  history: { at, waiting, running, oldestWaitSeconds, everySeconds },
}: {
  history: History;
}) {
  if (at.length < 2)
    return <p class="quiet">Collecting data: one sample every {everySeconds} seconds, kept for six hours.</p>;
  const counts = [
    ...Object.entries(waiting).map(([type, values]) => ({ name: type, values })),
    { name: 'running', values: running },
  ].filter(({ values }) => values.some((value) => value > 0)); // lines of zeros would lie over each other
  return (
    <div class="card stack">
      <Plot
        title="Waiting jobs by type, and running jobs"
        at={at}
        lines={counts}
        every={everySeconds}
        format={String}
        whole
      />
      <Plot
        title="Longest wait"
        at={at}
        lines={[{ name: 'oldest', values: oldestWaitSeconds }]}
        every={everySeconds}
        format={formatDuration}
      />
    </div>
  );
}

type PlotProps = {
  title: string;
  at: readonly number[];
  lines: { name: string; values: number[] }[];
  every: number;
  format: (value: number) => string;
  /** The values are whole numbers, so the scale must be too. */
  whole?: boolean;
};

function Plot({ title, at, lines, every, format, whole = false }: PlotProps) {
  const highest = roundUp(Math.max(0, ...lines.flatMap(({ values }) => values)), whole ? 2 : 1);
  const now = lines.map(({ name, values }) => `${name} ${format(values.at(-1) ?? 0)}`).join(', ') || 'none';
  return (
    <figure class="queue-plot">
      <figcaption class="row">
        <strong>{title}</strong>
        <span class="legend">
          {lines.map(({ name, values }) => (
            <span key={name} data-line={name}>
              <i />
              {name} {format(values.at(-1) ?? 0)}
            </span>
          ))}
        </span>
      </figcaption>
      <svg
        class="plot"
        viewBox={`0 -8 ${AREA.width + LABEL_WIDTH + 8} ${AREA.height + 30}`}
        role="img"
        aria-label={`${title}; now: ${now}`}
      >
        <g transform={`translate(${LABEL_WIDTH} 0)`}>
          {GRID_LINES.map((fraction) => (
            <g key={fraction}>
              <line
                class="grid"
                x1={0}
                x2={AREA.width}
                y1={AREA.height * (1 - fraction)}
                y2={AREA.height * (1 - fraction)}
              />
              <text x={-6} y={AREA.height * (1 - fraction) + 4} text-anchor="end">
                {format(highest * fraction)}
              </text>
            </g>
          ))}
          {lines.map(({ name, values }) => (
            <path key={name} data-line={name} d={linePath(at, values, highest, AREA, every * MAX_GAP_SAMPLES)} />
          ))}
          <text x={0} y={AREA.height + 18}>
            {formatDateTime(new Date((at[0] ?? 0) * 1000).toISOString())}
          </text>
          <text x={AREA.width} y={AREA.height + 18} text-anchor="end">
            now
          </text>
        </g>
      </svg>
    </figure>
  );
}
