// An angle bracket. The foot lies on z = 0, the wall stands at its back edge.
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

/** Diameters of clearance holes for bolts, ISO 273, medium series. */
const CLEARANCE = { M5: 5.5, M6: 6.6, M8: 9 };

export default function generate(
  { length, width, height, thickness, fillet, bolt, bore }: Params,
  { cad }: { cad: typeof replicad },
) {
  const hole = CLEARANCE[bolt];
  const free = length - thickness - fillet;
  if (free < 4 * hole)
    throw new Error(
      `the foot is too short for two rows of ${bolt} bolts: ${length} mm; it needs ${4 * hole + thickness + fillet} mm`,
    );
  if (bore > Math.min(width, height - fillet) - 2 * thickness)
    throw new Error(`a bearing hole of ${bore} mm leaves less than ${thickness} mm of the wall`);

  // The outline seen from the side: an L whose inner corner is rounded.
  const inner = thickness + fillet;
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

  const bolts = [0.25, 0.75].flatMap((part) =>
    [-0.25, 0.25].map((across) => [inner + part * free, across * width] as const),
  );
  const drilled = bolts.reduce<replicad.Shape3D>(
    (rest, [x, y]) => rest.cut(cad.makeCylinder(hole / 2, thickness + 2, [x, y, -1], [0, 0, 1])),
    body,
  );
  const centre = inner + (height - fillet) / 2;
  const shape = drilled.cut(cad.makeCylinder(bore / 2, thickness + 2, [-1, 0, centre], [1, 0, 0]));
  return [
    { key: 'bracket', kind: 'model', name: `Bracket ${length}x${width}x${height + thickness}, 4 ${bolt}`, shape },
  ];
}
