import type { Drawing, DrawnLine } from './dxf.ts';

const MARGIN = 0.02;

/** A DXF drawing, fitted to the width. */
export function DrawingView({ drawing: { lines, texts, box, skipped }, name }: { drawing: Drawing; name: string }) {
  const left = Object.entries(skipped);
  if (!box) return <p class="quiet">The drawing is empty{left.length ? `. ${notShown(left)}` : '.'}</p>;
  const [x, y, width, height] = box;
  const margin = MARGIN * Math.max(width, height, 1e-9);
  const viewBox = [x - margin, -(y + height) - margin, width + 2 * margin, height + 2 * margin].join(' ');
  return (
    <>
      <svg viewBox={viewBox} role="img" aria-label={name}>
        {[...Map.groupBy(lines, ({ color }) => color)].map(([color, group]) => (
          <path key={color} d={pathOf(group)} stroke={color ?? 'currentColor'} />
        ))}
        {texts.map(({ at: [tx, ty], text, height: size, degrees, color }, n) => (
          <text
            key={n}
            transform={`translate(${tx} ${-ty}) rotate(${-degrees})`}
            font-size={size / 0.72}
            fill={color ?? 'currentColor'}
          >
            {text}
          </text>
        ))}
      </svg>
      {left.length > 0 && <p class="quiet">{notShown(left)}</p>}
    </>
  );
}

const notShown = (types: readonly [string, number][]): string =>
  `Not shown: ${types.map(([type, count]) => `${count} ${type}`).join(', ')}.`;

const pathOf = (lines: readonly DrawnLine[]): string =>
  lines.map(({ points }) => `M${points.map(([x, y]) => `${short(x)} ${short(-y)}`).join('L')}`).join('');

const short = (value: number): string => String(Number(value.toPrecision(9)));
