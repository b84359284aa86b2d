// A spur gear. Its axis is z, a tooth points to +x.
import type * as replicad from 'replicad';
import { fewestTeeth, flank, type GearParams, halfAngle, radiiOf } from './involute.ts';

export type Params = GearParams & { faceWidth: number; bore: number; keyway?: { width: number; height: number } };

// The spline through so many points of a flank is off by less than a micrometre.
const POINTS = 12;
const SPLINE = { tolerance: 1e-4, degMin: 3, degMax: 6 };

export default function generate(params: Params, { cad }: { cad: typeof replicad }) {
  const { module, teeth, pressureAngle, faceWidth, bore, keyway } = params;
  const fewest = Math.ceil(fewestTeeth(pressureAngle));
  if (teeth < fewest)
    throw new Error(
      `${teeth} teeth would be undercut at ${pressureAngle} degrees: at least ${fewest} are needed without profile shift`,
    );
  const { root, tip } = radiiOf(params);
  const hollow = keyway ? Math.hypot(keyway.width / 2, keyway.height) : bore / 2;
  if (Math.max(hollow, bore / 2) > root - module)
    throw new Error(`bore and keyway leave less than ${module} mm below the teeth`);
  if (keyway && (keyway.width >= bore || keyway.height <= bore / 2))
    throw new Error('the keyway must be narrower than the bore and reach beyond it');
  if (halfAngle(params, tip) <= 0) throw new Error('the teeth are pointed: their flanks meet below the tip circle');

  const outline = cad.assembleWire(Array.from({ length: teeth }, (_, i) => toothEdges(params, i, cad)).flat());
  const section = cad.makeFace(outline, [hollowWire(bore / 2, keyway, cad)]);
  const shape = cad.basicFaceExtrusion(section, new cad.Vector([0, 0, faceWidth]));
  return [
    {
      key: 'gear',
      kind: 'model',
      name: `Spur gear m${module} z${teeth}`,
      description: `Pressure angle ${pressureAngle} degrees`,
      shape,
    },
  ];
}

/** The outline of one tooth and of the gap after it, counter-clockwise. */
function toothEdges(gear: GearParams, index: number, cad: typeof replicad): replicad.Edge[] {
  const { root, tip } = radiiOf(gear);
  const step = (2 * Math.PI) / gear.teeth;
  const centre = index * step;
  const at = (radius: number, angle: number): replicad.Point => [radius * Math.cos(angle), radius * Math.sin(angle), 0];
  const points = flank(gear, POINTS);
  const [start, foot] = points[0]!;
  const [, top] = points.at(-1)!;
  const rising = points.map(([radius, half]) => at(radius, centre - half));
  const falling = points.map(([radius, half]) => at(radius, centre + half)).reverse();
  // below the base circle there is no involute: the flank goes straight to the root
  const radial = start > root;
  return [
    ...(radial ? [cad.makeLine(at(root, centre - foot), at(start, centre - foot))] : []),
    cad.makeBSplineApproximation(rising, SPLINE),
    cad.makeThreePointArc(at(tip, centre - top), at(tip, centre), at(tip, centre + top)),
    cad.makeBSplineApproximation(falling, SPLINE),
    ...(radial ? [cad.makeLine(at(start, centre + foot), at(root, centre + foot))] : []),
    cad.makeThreePointArc(at(root, centre + foot), at(root, centre + step / 2), at(root, centre + step - foot)),
  ];
}

/** The outline of the bore with the keyway towards +y, clockwise: it bounds a hole. */
function hollowWire(radius: number, keyway: Params['keyway'], cad: typeof replicad): replicad.Wire {
  if (!keyway) return cad.assembleWire([cad.makeCircle(radius, [0, 0, 0], [0, 0, -1])]);
  const half = keyway.width / 2;
  const mouth = Math.sqrt(radius ** 2 - half ** 2);
  const at = (x: number, y: number): replicad.Point => [x, y, 0];
  const [left, corner, top, right] = [
    at(-half, mouth),
    at(-half, keyway.height),
    at(half, keyway.height),
    at(half, mouth),
  ] as const;
  const sides = [cad.makeLine(left, corner), cad.makeLine(corner, top), cad.makeLine(top, right)];
  return cad.assembleWire([...sides, cad.makeThreePointArc(right, at(0, -radius), left)]);
}
