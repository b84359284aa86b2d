// Between the space of a glTF file (metres, Y up) and the one in which parts are designed (millimetres, Z up).

export type Axis = 'x' | 'y' | 'z';
export const AXES: readonly Axis[] = ['x', 'y', 'z'];
export type Point = readonly [x: number, y: number, z: number];
/** Corners in mm, Z up. */
export type Box = { min: Point; max: Point };

/** Where a design axis points in the file. */
export const DIRECTIONS: Readonly<Record<Axis, Point>> = { x: [1, 0, 0], y: [0, 0, -1], z: [0, 1, 0] };

/** A point of the file, in mm with Z up. */
export const pointInMm = ([x, y, z]: Point): Point => [inMm(x), inMm(-z), inMm(y)];

/** A direction of the file in the axes of the design. */
export const inDesign = ([x, y, z]: Point): Point => [x, -z + 0, y];

/** A point in mm with Z up as it lies in the file. */
export const pointInFile = ([x, y, z]: Point): Point => [x / 1000, z / 1000, -y / 1000];

/** A box of the file, in mm with Z up. */
export function toMillimetres(min: Point, max: Point): Box {
  return { min: [inMm(min[0]), inMm(-max[2]), inMm(min[1])], max: [inMm(max[0]), inMm(-min[2]), inMm(max[1])] };
}

// what turning a model upright adds behind the sixth digit is no length
const inMm = (metres: number): number => Math.round(metres * 1e9) / 1e6 + 0;

/** The lengths of a box, in mm. */
export const sizeOf = ({ min, max }: Box): Point => [max[0] - min[0], max[1] - min[1], max[2] - min[2]];

/** A length in mm: as many digits as a file of single precision can hold, at most three behind the point. */
export function millimetres(length: number): string {
  const digits = Math.max(0, Math.min(3, 5 - Math.floor(Math.log10(Math.max(Math.abs(length), 1e-3)))));
  return new Intl.NumberFormat(undefined, { maximumFractionDigits: digits }).format(Number(length.toFixed(digits)) + 0);
}

/** The lengths of a box as an engineer writes them. */
export const sizeText = (box: Box): string => `${sizeOf(box).map(millimetres).join(' × ')} mm`;

/** Standard views: from where one looks (in the axes of the file), and the key that leads there. */
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

/** The view a key stands for. */
export const viewOfKey = (key: string): View | undefined =>
  (Object.keys(VIEWS) as View[]).find((view) => VIEWS[view].key === key);
