// Solids from outlines. Outlines are wires in the xy plane; lengths are in mm.
import {
  addHolesInFace,
  assembleWire,
  basicFaceExtrusion,
  type Edge,
  makeCircle,
  makeFace,
  makeLine,
  makeThreePointArc,
  revolution,
  type Shape3D,
  Vector,
  type Wire,
} from 'replicad';

type Point2 = readonly [number, number];

/** Returns a closed outline through the points, counterclockwise, with rounded corners. */
export function polygon(points: readonly Point2[], radius = 0): Wire {
  const corners = points.map((point, i) => {
    const before = points.at(i - 1)!;
    const after = points[(i + 1) % points.length]!;
    return radius > 0 ? roundCorner(before, point, after, radius) : { from: point, middle: null, to: point };
  });
  const edges = corners.flatMap(({ from, middle, to }, i): Edge[] => {
    const next = corners[(i + 1) % corners.length]!.from;
    const side = Math.hypot(next[0] - to[0], next[1] - to[1]) > 1e-6 ? [makeLine(flat(to), flat(next))] : [];
    return middle ? [makeThreePointArc(flat(from), flat(middle), flat(to)), ...side] : side;
  });
  return assembleWire(edges);
}

const flat = ([x, y]: Point2): [number, number, number] => [x, y, 0];

function roundCorner(before: Point2, corner: Point2, after: Point2, radius: number) {
  const unit = ([x, y]: Point2): Point2 => {
    const [dx, dy] = [x - corner[0], y - corner[1]];
    return [dx / Math.hypot(dx, dy), dy / Math.hypot(dx, dy)];
  };
  const [a, b] = [unit(before), unit(after)];
  const half = Math.acos(a[0] * b[0] + a[1] * b[1]) / 2;
  const along = ([x, y]: Point2, distance: number): Point2 => [corner[0] + x * distance, corner[1] + y * distance];
  const bisector: Point2 = [(a[0] + b[0]) / (2 * Math.cos(half)), (a[1] + b[1]) / (2 * Math.cos(half))];
  const tangent = radius / Math.tan(half);
  return { from: along(a, tangent), middle: along(bisector, radius / Math.sin(half) - radius), to: along(b, tangent) };
}

/** Returns a rectangle around a point. */
export function rectangle(width: number, height: number, radius = 0, [x, y]: Point2 = [0, 0]): Wire {
  const [w, h] = [width / 2, height / 2];
  const corners: Point2[] = [
    [x - w, y - h],
    [x + w, y - h],
    [x + w, y + h],
    [x - w, y + h],
  ];
  return polygon(corners, radius);
}

/** Returns a circle around a point. */
export function circle(diameter: number, [x, y]: Point2 = [0, 0]): Wire {
  return assembleWire([makeCircle(diameter / 2, [x, y, 0], [0, 0, 1])]);
}

/** Returns a slot along x around a point; its length is measured over the ends. */
export function slot(length: number, width: number, center: Point2 = [0, 0]): Wire {
  return rectangle(length, width, width / 2 - 1e-4, center);
}

/** Returns a regular hexagon with a width across flats. */
export function hexagon(width: number): Wire {
  const radius = width / Math.sqrt(3);
  return polygon(
    Array.from(
      { length: 6 },
      (_, i): Point2 => [radius * Math.cos((i * Math.PI) / 3), radius * Math.sin((i * Math.PI) / 3)],
    ),
  );
}

/** Extrudes an outline with holes along z, from the height `from`. */
export function plate(outline: Wire, thickness: number, holes: readonly Wire[] = [], from = 0): Shape3D {
  const face = makeFace(outline);
  const section = holes.length > 0 ? addHolesInFace(face, [...holes]) : face;
  const solid = basicFaceExtrusion(section, new Vector([0, 0, thickness])) as Shape3D;
  return from === 0 ? solid : solid.translate(0, 0, from);
}

/** Revolves a closed outline of points (radius, height) around the z axis. */
export function turned(points: readonly Point2[]): Shape3D {
  const at = ([r, z]: Point2): [number, number, number] => [r, 0, z];
  const edges = points.map((point, i) => makeLine(at(point), at(points[(i + 1) % points.length]!)));
  return revolution(makeFace(assembleWire(edges)), [0, 0, 0], [0, 0, 1]);
}

/** Returns a ring or tube around the z axis. */
export function ring(inner: number, outer: number, height: number, from = 0): Shape3D {
  return plate(circle(outer), height, [circle(inner)], from);
}

/** Returns a disc or rod around the z axis. */
export function rod(diameter: number, height: number, from = 0): Shape3D {
  return plate(circle(diameter), height, [], from);
}

/** Returns a shaft of cylindrical steps (diameter, length) with chamfered ends, beginning at a height. */
export function shaft(steps: readonly Point2[], from: number, chamfer = 1): Shape3D {
  const points: [number, number][] = [[0, from]];
  let z = from;
  steps.forEach(([diameter, length], i) => {
    const radius = diameter / 2;
    if (i === 0) points.push([radius - chamfer, z], [radius, z + chamfer]);
    else points.push([radius, z]);
    z += length;
    if (i === steps.length - 1) points.push([radius, z - chamfer], [radius - chamfer, z]);
    else points.push([radius, z]);
  });
  return turned([...points, [0, z]]);
}

/** Returns a block around the z axis, from a height upwards. */
export function block(width: number, depth: number, height: number, from = 0, radius = 0): Shape3D {
  return plate(rectangle(width, depth, radius), height, [], from);
}

/** Returns the union of solids. */
export function join(first: Shape3D, ...others: Shape3D[]): Shape3D {
  return others.reduce((sum, shape) => sum.fuse(shape), first);
}

/** Returns a solid without others. */
export function remove(from: Shape3D, ...tools: Shape3D[]): Shape3D {
  return tools.reduce((rest, tool) => rest.cut(tool), from);
}

/** Turns a solid that was extruded along z, so that it extends along x. */
export function alongX(shape: Shape3D): Shape3D {
  return shape.rotate(90, [0, 0, 0], [0, 1, 0]);
}

/** Turns a solid that was extruded along z, so that it extends along y. */
export function alongY(shape: Shape3D): Shape3D {
  return shape.rotate(-90, [0, 0, 0], [1, 0, 0]);
}
