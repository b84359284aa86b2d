// A drawing of a turned shaft as SVG, in mm on an A3 sheet.
import type { DemoFile } from '../api.ts';

type Step = readonly [diameter: number, length: number];

const SHEET = { width: 420, height: 297, margin: 10 };
const SCALE = 0.5;

/** Returns the drawing of a shaft with its steps from left to right, dimensions and a title block. */
export function shaftDrawing(
  title: string,
  material: string,
  steps: readonly Step[],
  notes: readonly string[],
): DemoFile {
  const total = steps.reduce((sum, [, length]) => sum + length, 0);
  const [left, axis] = [(SHEET.width - total * SCALE) / 2, 110];
  const starts = steps.map((_, i) => left + SCALE * steps.slice(0, i).reduce((sum, [, length]) => sum + length, 0));
  const outlines = steps.map(([diameter, length], i) => {
    const height = diameter * SCALE;
    return `<rect x="${starts[i]}" y="${axis - height / 2}" width="${length * SCALE}" height="${height}" class="edge"/>`;
  });
  const dimensions = steps.flatMap(([diameter, length], i) => [
    horizontal(starts[i]!, starts[i]! + length * SCALE, axis + 30, axis + diameter * SCALE * 0.5, `${length}`),
    text(starts[i]! + (length * SCALE) / 2, axis - (diameter * SCALE) / 2 - 3, `⌀${diameter}`),
  ]);
  const end = left + total * SCALE;
  const content = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SHEET.width}mm" height="${SHEET.height}mm" viewBox="0 0 ${SHEET.width} ${SHEET.height}">`,
    '<style>.edge{fill:none;stroke:#000;stroke-width:.5}.thin{fill:none;stroke:#000;stroke-width:.2}.axis{stroke:#000;stroke-width:.2;stroke-dasharray:8 1.5 1 1.5}text{font:5px sans-serif;text-anchor:middle}.start{text-anchor:start}</style>',
    `<rect width="${SHEET.width}" height="${SHEET.height}" fill="#fff"/>`,
    `<rect x="${SHEET.margin}" y="${SHEET.margin}" width="${SHEET.width - 20}" height="${SHEET.height - 20}" class="edge"/>`,
    `<line x1="${left - 8}" y1="${axis}" x2="${end + 8}" y2="${axis}" class="axis"/>`,
    ...outlines,
    ...dimensions,
    horizontal(left, end, axis + 45, axis + 30, `${total} ±0.3`),
    ...notes.map((note, i) => text(25, 190 + 7 * i, note, 'start')),
    ...titleBlock(title, material),
    '</svg>',
  ].join('\n');
  return { fileName: 'drawing.svg', contentType: 'image/svg+xml', content: new TextEncoder().encode(content) };
}

function horizontal(from: number, to: number, y: number, above: number, label: string): string {
  const arrow = (x: number, direction: 1 | -1) => `M${x} ${y}l${3 * direction} -1v2z`;
  return [
    `<path d="M${from} ${above + 1}V${y + 1.5}M${to} ${above + 1}V${y + 1.5}M${from} ${y}H${to}" class="thin"/>`,
    `<path d="${arrow(from, 1)}${arrow(to, -1)}"/>`,
    text((from + to) / 2, y - 1.2, label),
  ].join('');
}

function titleBlock(title: string, material: string): string[] {
  const [x, y] = [SHEET.width - 190, SHEET.height - 50];
  return [
    `<path d="M${x} ${y}h180v40M${x} ${y}v40M${x} ${y + 13}h180M${x} ${y + 26}h180M${x + 90} ${y + 13}v26" class="edge"/>`,
    text(x + 4, y + 9, title, 'start'),
    text(x + 4, y + 22, `Material: ${material}`, 'start'),
    text(x + 94, y + 22, 'Scale: 1:2', 'start'),
    text(x + 4, y + 35, 'Tolerances: ISO 2768-mK', 'start'),
    text(x + 94, y + 35, 'Surface: Ra 3.2, seats Ra 0.8', 'start'),
  ];
}

const text = (x: number, y: number, content: string, anchor?: 'start'): string =>
  `<text x="${x}" y="${y}"${anchor ? ` class="${anchor}"` : ''}>${content}</text>`;
