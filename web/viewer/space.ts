// Converts between glTF space (meters, Y up) and design space (millimeters, Z up).
import type { Point } from '../../subgraphs/core/domain/measure/vector.ts';

export type { Point };
export type Axis = 'x' | 'y' | 'z';
export const AXES: readonly Axis[] = ['x', 'y', 'z'];
/** An axis-aligned box: its corners in mm, Z up. */
export type Box = { min: Point; max: Point };

/** The design axes as directions in glTF space. */
export const DIRECTIONS: Readonly<Record<Axis, Point>> = { x: [1, 0, 0], y: [0, 0, -1], z: [0, 1, 0] };

/** Returns whether a value of a JSON file is a point. */
export const isPoint = (value: unknown): value is Point =>
  Array.isArray(value) && value.length === 3 && value.every((each) => Number.isFinite(each));

/** Converts a glTF point to mm, Z up. */
export const pointInMm = ([x, y, z]: Point): Point => [metersToMm(x), metersToMm(-z), metersToMm(y)];

/** Converts a glTF direction to the design axes. Here and below, `+ 0` turns -0 into 0. */
export const toDesignDirection = ([x, y, z]: Point): Point => [x, -z + 0, y];

/** Converts a point in mm, Z up, to glTF space. */
export const pointInGltf = ([x, y, z]: Point): Point => [x / 1000, z / 1000, -y / 1000];

/** Converts a glTF box to mm, Z up. */
export function boxInMm(min: Point, max: Point): Box {
  return {
    min: [metersToMm(min[0]), metersToMm(-max[2]), metersToMm(min[1])],
    max: [metersToMm(max[0]), metersToMm(-min[2]), metersToMm(max[1])],
  };
}

// rounded: turning a model upright leaves noise behind the sixth digit
const metersToMm = (meters: number): number => Math.round(meters * 1e9) / 1e6 + 0;

/** Returns the edge lengths of a box, in mm. */
export const sizeOf = ({ min, max }: Box): Point => [max[0] - min[0], max[1] - min[1], max[2] - min[2]];

/** Formats a length in mm with the digits that single precision can hold, at most three after the decimal point. */
export function formatMm(length: number): string {
  const digits = Math.max(0, Math.min(3, 5 - Math.floor(Math.log10(Math.max(Math.abs(length), 1e-3)))));
  return new Intl.NumberFormat(undefined, { maximumFractionDigits: digits }).format(Number(length.toFixed(digits)) + 0);
}

/** Formats the size of a box, e.g. "120 × 80 × 100 mm". */
export const formatSize = (box: Box): string => `${sizeOf(box).map(formatMm).join(' × ')} mm`;

/** Standard views: the direction to look from (glTF axes) and the keyboard shortcut. */
export const VIEWS = {
  front: { label: 'Front', key: '1', from: [0, 0, 1] },
  top: { label: 'Top', key: '2', from: [0, 1, 0] },
  right: { label: 'Right', key: '3', from: [1, 0, 0] },
  back: { label: 'Back', key: '4', from: [0, 0, -1] },
  bottom: { label: 'Bottom', key: '5', from: [0, -1, 0] },
  left: { label: 'Left', key: '6', from: [-1, 0, 0] },
  iso: { label: 'Isometric', key: '0', from: [1, 1, 1] },
} as const satisfies Record<string, { label: string; key: string; from: Point }>;
export type View = keyof typeof VIEWS;

/** Returns the view of a keyboard shortcut. */
export const viewForKey = (key: string): View | undefined =>
  (Object.keys(VIEWS) as View[]).find((view) => VIEWS[view].key === key);
