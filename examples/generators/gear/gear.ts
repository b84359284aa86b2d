// A spur gear around the z axis. The first tooth points to +x.
import type * as replicad from 'replicad';
import { flankPoints, type GearParams, halfAngle, minTeeth, radiiOf } from './involute.ts';

export type Params = GearParams & { faceWidth: number; bore: number; keyway?: { width: number; height: number } };

// A spline through this many points deviates from the flank by less than a micrometer.
const FLANK_POINTS = 12;
const SPLINE = { tolerance: 1e-4, degMin: 3, degMax: 6 };

export default function generate(params: Params, { cad }: { cad: typeof replicad }) {
  const { module, teeth, pressureAngle, faceWidth, bore, keyway } = params;
  const minimum = Math.ceil(minTeeth(pressureAngle));
  if (teeth < minimum)
    throw new Error(
      `${teeth} teeth would be undercut at ${pressureAngle} degrees; the minimum without profile shift is ${minimum}`,
    );
  const { root, tip } = radiiOf(params);
  const cutoutRadius = keyway ? Math.hypot(keyway.width / 2, keyway.height) : bore / 2;
  if (Math.max(cutoutRadius, bore / 2) > root - module)
    throw new Error(`bore and keyway leave less than ${module} mm of material below the teeth`);
  if (keyway && (keyway.width >= bore || keyway.height <= bore / 2))
    throw new Error('the keyway must be narrower than the bore and higher than its radius');
  if (halfAngle(params, tip) <= 0) throw new Error('the teeth are pointed: their flanks meet below the tip circle');

  const outline = cad.assembleWire(Array.from({ length: teeth }, (_, i) => toothEdges(params, i, cad)).flat());
  const section = cad.makeFace(outline, [boreWire(bore / 2, keyway, cad)]);
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

/** Returns the edges of one tooth and of the gap after it, counter-clockwise. */
function toothEdges(gear: GearParams, index: number, cad: typeof replicad): replicad.Edge[] {
  const { root, tip } = radiiOf(gear);
  const step = (2 * Math.PI) / gear.teeth;
  const center = index * step;
  const at = (radius: number, angle: number): replicad.Point => [radius * Math.cos(angle), radius * Math.sin(angle), 0];
  const flank = flankPoints(gear, FLANK_POINTS);
  const [start, foot] = flank[0]!;
  const [, top] = flank.at(-1)!;
  const rising = flank.map(([radius, half]) => at(radius, center - half));
  const falling = flank.map(([radius, half]) => at(radius, center + half)).reverse();
  // below the base circle the flank is a radial line to the root
  const hasRadialPart = start > root;
  return [
    ...(hasRadialPart ? [cad.makeLine(at(root, center - foot), at(start, center - foot))] : []),
    cad.makeBSplineApproximation(rising, SPLINE),
    cad.makeThreePointArc(at(tip, center - top), at(tip, center), at(tip, center + top)),
    cad.makeBSplineApproximation(falling, SPLINE),
    ...(hasRadialPart ? [cad.makeLine(at(start, center + foot), at(root, center + foot))] : []),
    cad.makeThreePointArc(at(root, center + foot), at(root, center + step / 2), at(root, center + step - foot)),
  ];
}

/** Returns the outline of the bore with the keyway towards +y. It is clockwise because it bounds a hole. */
function boreWire(radius: number, keyway: Params['keyway'], cad: typeof replicad): replicad.Wire {
  if (!keyway) return cad.assembleWire([cad.makeCircle(radius, [0, 0, 0], [0, 0, -1])]);
  const halfWidth = keyway.width / 2;
  const mouth = Math.sqrt(radius ** 2 - halfWidth ** 2);
  const at = (x: number, y: number): replicad.Point => [x, y, 0];
  const [left, corner, top, right] = [
    at(-halfWidth, mouth),
    at(-halfWidth, keyway.height),
    at(halfWidth, keyway.height),
    at(halfWidth, mouth),
  ] as const;
  const sides = [cad.makeLine(left, corner), cad.makeLine(corner, top), cad.makeLine(top, right)];
  return cad.assembleWire([...sides, cad.makeThreePointArc(right, at(0, -radius), left)]);
}
