// An angle bracket. The foot is on the plane z = 0, the wall rises from its back edge at x = 0.
import type * as replicad from 'replicad';

export type Params = {
  length: number;
  width: number;
  height: number;
  thickness: number;
  fillet: number;
  bolt: keyof typeof CLEARANCE;
  bore: number;
};

/** Clearance hole diameters in mm: ISO 273, medium series. */
const CLEARANCE = { M5: 5.5, M6: 6.6, M8: 9 };

export default function generate(
  { length, width, height, thickness, fillet, bolt, bore }: Params,
  { cad }: { cad: typeof replicad },
) {
  const hole = CLEARANCE[bolt];
  const inner = thickness + fillet;
  const flatLength = length - inner;
  if (flatLength < 4 * hole)
    throw new Error(
      `the foot is too short for two rows of ${bolt} bolts: ${length} mm; the minimum is ${4 * hole + inner} mm`,
    );
  if (bore > Math.min(width, height - fillet) - 2 * thickness)
    throw new Error(`a bearing hole of ${bore} mm leaves less than ${thickness} mm of the wall`);

  // The side view: an L with a rounded inner corner.
  const side = cad
    .draw([0, 0])
    .hLineTo(length)
    .vLineTo(thickness)
    .hLineTo(inner)
    .threePointsArcTo([thickness, inner], [inner - fillet * Math.SQRT1_2, inner - fillet * Math.SQRT1_2])
    .vLineTo(thickness + height)
    .hLineTo(0)
    .close();
  const body = side.sketchOnPlane('XZ', -width / 2).extrude(width) as replicad.Solid;

  const bolts = [0.25, 0.75].flatMap((along) =>
    [-0.25, 0.25].map((across) => [inner + along * flatLength, across * width] as const),
  );
  const drilled = bolts.reduce<replicad.Shape3D>(
    (rest, [x, y]) => rest.cut(cad.makeCylinder(hole / 2, thickness + 2, [x, y, -1], [0, 0, 1])),
    body,
  );
  const boreCenter = inner + (height - fillet) / 2;
  const shape = drilled.cut(cad.makeCylinder(bore / 2, thickness + 2, [-1, 0, boreCenter], [1, 0, 0]));
  return [
    { key: 'bracket', kind: 'model', name: `Bracket ${length}x${width}x${height + thickness}, 4 ${bolt}`, shape },
  ];
}
