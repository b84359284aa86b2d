import { dayAndTime, duration } from '../ui/format.ts';
import type { History } from './engines.tsx';
import { linePath, roundUp } from './plot.ts';

const AREA = { width: 880, height: 120 };
const LEFT = 72; // of “1 min 40 s”
const GAPS = [0, 0.5, 1];

/** How many jobs waited and ran, and how long the oldest had waited, over the last hours. */
export function QueuePlot({
  history: { at, waiting, running, oldestWaitSeconds, everySeconds },
}: {
  history: History;
}) {
  if (at.length < 2)
    return (
      <p class="quiet">
        The plots of the queue begin to fill now: a sample every {everySeconds} seconds, kept for six hours.
      </p>
    );
  const counts = [
    ...Object.entries(waiting).map(([type, values]) => ({ name: type, values })),
    { name: 'running', values: running },
  ];
  return (
    <div class="card stack">
      <Plot title="Jobs waiting, by type, and running" at={at} lines={counts} every={everySeconds} show={String} />
      <Plot
        title="Wait of the oldest"
        at={at}
        lines={[{ name: 'oldest', values: oldestWaitSeconds }]}
        every={everySeconds}
        show={duration}
      />
    </div>
  );
}

type PlotProps = {
  title: string;
  at: readonly number[];
  lines: { name: string; values: number[] }[];
  every: number;
  show: (value: number) => string;
};

function Plot({ title, at, lines, every, show }: PlotProps) {
  const highest = roundUp(Math.max(0, ...lines.flatMap(({ values }) => values)));
  const now = lines.map(({ name, values }) => `${name} ${show(values.at(-1) ?? 0)}`).join(', ');
  return (
    <figure class="queue-plot">
      <figcaption class="row">
        <strong>{title}</strong>
        <span class="legend">
          {lines.map(({ name, values }) => (
            <span key={name} class={name}>
              <i />
              {name} {show(values.at(-1) ?? 0)}
            </span>
          ))}
        </span>
      </figcaption>
      <svg
        class="plot"
        viewBox={`0 -8 ${AREA.width + LEFT + 8} ${AREA.height + 30}`}
        role="img"
        aria-label={`${title}; now: ${now}`}
      >
        <g transform={`translate(${LEFT} 0)`}>
          {GAPS.map((part) => (
            <g key={part}>
              <line class="grid" x1={0} x2={AREA.width} y1={AREA.height * (1 - part)} y2={AREA.height * (1 - part)} />
              <text x={-6} y={AREA.height * (1 - part) + 4} text-anchor="end">
                {show(highest * part)}
              </text>
            </g>
          ))}
          {lines.map(({ name, values }) => (
            <path key={name} class={name} d={linePath(at, values, highest, AREA, every * 3)} />
          ))}
          <text x={0} y={AREA.height + 18}>
            {dayAndTime(new Date((at[0] ?? 0) * 1000).toISOString())}
          </text>
          <text x={AREA.width} y={AREA.height + 18} text-anchor="end">
            now
          </text>
        </g>
      </svg>
    </figure>
  );
}
