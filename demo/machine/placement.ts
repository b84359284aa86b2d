// Placements in mm: 3 rows of 4 numbers, the rotation and the position.
export type Placement = readonly [Row, Row, Row];
type Row = readonly [number, number, number, number];
export type Point = readonly [number, number, number];
export type Facing = '+x' | '-x' | '+y' | '-y' | '+z' | '-z';

/** The rows of the rotation that turns the z axis to a direction. */
const ROTATIONS: Record<Facing, readonly [Point, Point, Point]> = {
  '+z': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  '-z': [
    [1, 0, 0],
    [0, -1, 0],
    [0, 0, -1],
  ],
  '+y': [
    [1, 0, 0],
    [0, 0, 1],
    [0, -1, 0],
  ],
  '-y': [
    [1, 0, 0],
    [0, 0, -1],
    [0, 1, 0],
  ],
  '+x': [
    [0, 0, 1],
    [0, 1, 0],
    [-1, 0, 0],
  ],
  '-x': [
    [0, 0, -1],
    [0, 1, 0],
    [1, 0, 0],
  ],
};

/** Returns a placement at a point, with the z axis of the component turned to a direction. */
export function put(x: number, y: number, z: number, facing: Facing = '+z'): Placement {
  const rows = ROTATIONS[facing];
  return [
    [...rows[0], x],
    [...rows[1], y],
    [...rows[2], z],
  ];
}

/** Returns a placement at a point, rotated around the z axis by an angle in degrees. */
export function spin(angle: number, x = 0, y = 0, z = 0): Placement {
  const [cos, sin] = [Math.cos, Math.sin].map((f) => Number(f((angle * Math.PI) / 180).toFixed(12))) as [
    number,
    number,
  ];
  return [
    [cos, -sin, 0, x],
    [sin, cos, 0, y],
    [0, 0, 1, z],
  ];
}

/** Returns the point that is a distance in a direction away from another one. */
export function shift([x, y, z]: Point, facing: Facing, distance: number): Point {
  const signed = facing.startsWith('+') ? distance : -distance;
  const axis = facing[1];
  return [x + (axis === 'x' ? signed : 0), y + (axis === 'y' ? signed : 0), z + (axis === 'z' ? signed : 0)];
}

/** Returns points on a circle in the xy plane, at the same height. `start` is in degrees. */
export function onCircle(count: number, radius: number, [x, y, z]: Point, start = 0): Point[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (start / 180 + (2 * i) / count) * Math.PI;
    const round = (value: number) => Number(value.toFixed(9));
    return [round(x + radius * Math.cos(angle)), round(y + radius * Math.sin(angle)), z];
  });
}
