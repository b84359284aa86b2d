// The two-stage gear unit, i = 12: spur gears of module 2 (18/72) and 2.5 (20/60). Its shafts are parallel to z;
// the output shaft is at the origin, the others above it on the y axis. The housing is from z = -16 to 96.
import * as cad from 'replicad';
import generateGear, { type Params as GearParams } from '../../examples/generators/gear/gear.ts';
import type { Assembly, Part } from './component.ts';
import { MATERIALS, PAINTS } from './materials.ts';
import { onCircle, type Point, put, spin } from './placement.ts';
import { block, circle, join, plate, polygon, rectangle, remove, ring, rod, shaft, turned } from './shapes.ts';
import {
  ballBearing,
  circlip,
  eyeBolt,
  hexagonScrew,
  key,
  screwed,
  screwPlug,
  shaftSeal,
  socketScrew,
} from './standard-parts.ts';

const FOLDER = 'Gear unit';
/** Positions of the intermediate and the input shaft on the y axis: the sums of the pitch radii. */
const INTERMEDIATE = 100;
export const INPUT = INTERMEDIATE + 90;

function gear(module: number, teeth: number, faceWidth: number, bore: number, keyway: GearParams['keyway']): Part {
  const params: GearParams = { module, teeth, pressureAngle: 20, faceWidth, bore, ...(keyway && { keyway }) };
  return {
    kind: 'model',
    name: `Spur gear m${module} z${teeth}`,
    description: `Pressure angle 20°, face width ${faceWidth} mm, case-hardened 58+4 HRC`,
    folder: FOLDER,
    material: MATERIALS.gearSteel,
    shape: () => {
      const [model] = generateGear(params, { cad });
      if (!model) throw new Error('The generator returned no gear.');
      return model.shape as cad.Shape3D;
    },
  };
}

const inputPinion = gear(2, 18, 18, 20, { width: 6, height: 12.8 });
const firstGear = gear(2, 72, 18, 25, { width: 8, height: 15.8 });
const outputPinion = gear(2.5, 20, 28, 25, { width: 8, height: 15.8 });
const secondGear = gear(2.5, 60, 28, 45, { width: 14, height: 26.3 });

const part = (name: string, description: string, material: Part['material'], shape: Part['shape']): Part => ({
  kind: 'model',
  name,
  description,
  folder: FOLDER,
  material,
  shape,
});

/** A keyway tool at +y: its bottom is at `bottom`. */
const keyway = (width: number, length: number, bottom: number, from: number) =>
  block(width, 20, length, from).translate(0, bottom + 10, 0);

const inputShaft = part('Input shaft', 'Pinion seat 20 k6, coupling seat 19 j6', MATERIALS.heatTreatedSteel, () =>
  remove(
    shaft(
      [
        [20, 24],
        [26, 44],
        [20, 46],
        [19, 24],
      ],
      -14,
    ),
    keyway(6, 18, 6.5, 54),
    keyway(6, 20, 6, 101),
  ),
);
const intermediateShaft = part(
  'Intermediate shaft',
  'Gear seats 25 k6, bearing seats 20 k5',
  MATERIALS.heatTreatedSteel,
  () =>
    remove(
      shaft(
        [
          [20, 14],
          [25, 80],
          [20, 14],
        ],
        -14,
      ),
      keyway(8, 28, 8.5, 10),
      keyway(8, 18, 8.5, 54),
    ),
);
const outputShaft = part(
  'Hollow output shaft',
  'Bore 30 H7 with keyway 8 JS9, gear seat 45 k6',
  MATERIALS.heatTreatedSteel,
  () =>
    remove(
      join(
        turned([
          [15, -24],
          [22.5, -24],
          [22.5, 38],
          [27, 38],
          [27, 72],
          [22.5, 72],
          [22.5, 96],
          [15, 96],
        ]),
      ),
      keyway(14, 28, 17, 10),
      block(8, 10, 122, -25).translate(0, 13.3, 0),
    ),
);
const spacer = (inner: number, outer: number, length: number): Part =>
  part(`Spacer ${inner}x${outer}x${length}`, 'Faces ground parallel within 0.01 mm', MATERIALS.structuralSteel, () =>
    ring(inner, outer, length),
  );

const smallBearing = ballBearing('6204', 20, 47, 14);
const largeBearing = ballBearing('6009', 45, 75, 16);

const inputShaftAssembly: Assembly = {
  kind: 'assembly',
  name: 'Input shaft, assembled',
  description: 'Heat the bearings to 100 °C before mounting',
  folder: FOLDER,
  uses: [
    { component: inputShaft, placements: [put(0, 0, 0)] },
    { component: inputPinion, placements: [put(0, 0, 54)] },
    { component: key(6, 6, 18), placements: [put(0, 6.5, 54)] },
    { component: spacer(20, 28, 8), placements: [put(0, 0, 72)] },
    { component: smallBearing, placements: [put(0, 0, -14), put(0, 0, 80)] },
    { component: circlip(20, 1.2), placements: [put(0, 0, 94.2)] },
  ],
};
const intermediateShaftAssembly: Assembly = {
  kind: 'assembly',
  name: 'Intermediate shaft, assembled',
  description: 'Heat the gear to 180 °C before mounting',
  folder: FOLDER,
  uses: [
    { component: intermediateShaft, placements: [put(0, 0, 0)] },
    { component: outputPinion, placements: [put(0, 0, 10)] },
    { component: firstGear, placements: [put(0, 0, 54)] },
    { component: key(8, 7, 28), placements: [put(0, 8.5, 10)] },
    { component: key(8, 7, 18), placements: [put(0, 8.5, 54)] },
    { component: spacer(25, 32, 10), placements: [put(0, 0, 0)] },
    { component: spacer(25, 32, 16), placements: [put(0, 0, 38)] },
    { component: spacer(25, 32, 8), placements: [put(0, 0, 72)] },
    { component: smallBearing, placements: [put(0, 0, -14), put(0, 0, 80)] },
  ],
};
const outputShaftAssembly: Assembly = {
  kind: 'assembly',
  name: 'Output shaft, assembled',
  description: 'Grease the hollow bore with anti-fretting paste',
  folder: FOLDER,
  uses: [
    { component: outputShaft, placements: [put(0, 0, 0)] },
    { component: secondGear, placements: [put(0, 0, 10)] },
    { component: key(14, 9, 28), placements: [put(0, 17, 10)] },
    { component: spacer(45, 54, 10), placements: [put(0, 0, 0)] },
    { component: spacer(45, 54, 8), placements: [put(0, 0, 72)] },
    { component: largeBearing, placements: [put(0, 0, -16), put(0, 0, 80)] },
  ],
};

/** The outline of the housing, counterclockwise. */
const outline = (margin: number): [number, number][] => [
  [-100 - margin, -95 - margin],
  [100 + margin, -95 - margin],
  [100 + margin, 60],
  [68 + margin, 238 + margin],
  [-68 - margin, 238 + margin],
  [-100 - margin, 60],
];
/** Screws of the flange, on the right side from bottom to top. */
const RIGHT_SCREWS: readonly (readonly [number, number])[] = [
  [50, -102.5],
  [107.5, -65],
  [107.5, 10],
  [100.6, 98],
  [88, 168],
  [35, 245.5],
];
const FLANGE_SCREWS = RIGHT_SCREWS.flatMap(([x, y]): [number, number][] => [
  [x, y],
  [-x, y],
]);
/** Shaft positions with the outer diameter of their bearings. */
const SEATS: readonly (readonly [number, number])[] = [
  [0, 75],
  [INTERMEDIATE, 47],
  [INPUT, 47],
];

/** Hole circles of the bearing covers, with their number of screws. */
const outputScrews = (z: number): Point[] => onCircle(6, 45, [0, 0, z], 30);
const smallScrews = (y: number, z: number): Point[] => onCircle(4, 31, [0, y, z], 45);
const COVER_HOLES = [...outputScrews(0), ...smallScrews(INTERMEDIATE, 0), ...smallScrews(INPUT, 0)];
const adapterScrews = onCircle(4, 47, [0, INPUT, 104], 45);

const seats = () => SEATS.map(([y, diameter]) => circle(diameter, [0, y]));
const threads = (points: readonly Point[], diameter: number) => points.map(([x, y]) => circle(diameter, [x, y]));

function modelHousing(wall: number): cad.Shape3D {
  const shell = plate(polygon(outline(0), 30), 96, [polygon(outline(-wall), 30 - wall)], -16);
  const base = plate(polygon(outline(-wall / 2), 30 - wall / 2), 16, [...seats(), ...threads(COVER_HOLES, 5)], -16);
  const flange = plate(
    polygon(outline(15), 40),
    14,
    [polygon(outline(-wall), 30 - wall), ...FLANGE_SCREWS.map((at) => circle(6.8, at))],
    66,
  );
  const lug = plate(
    polygon(
      [
        [-165, 145],
        [-70, 130],
        [-70, 210],
        [-165, 195],
      ],
      10,
    ),
    16,
    [circle(13, [-140, 170])],
    -3,
  );
  const ports = [
    cad.makeCylinder(6.5, 30, [100 - 15, -45, 35], [1, 0, 0]),
    cad.makeCylinder(6.5, 30, [0, 238 - 15, 35], [0, 1, 0]),
    cad.makeCylinder(6.5, 30, [-30, -80, 35], [0, -1, 0]),
    cad.makeCylinder(3.4, 13, [30, -82, 35], [0, -1, 0]),
  ];
  return remove(join(shell, base, flange, lug), ...ports);
}

const housing: Part = {
  ...part(
    'Gear unit housing',
    'GJL-250, wall 10 mm, bearing seats bored together with the cover',
    MATERIALS.castIron,
    () => modelHousing(10),
  ),
  color: PAINTS.blue,
  former: {
    shape: () => modelHousing(8),
    comment: 'First casting pattern, wall 8 mm',
    change: 'Wall 10 instead of 8 mm: the foundry had cold shuts beside the torque lug',
  },
};
const cover: Part = {
  ...part('Gear unit cover', 'Sealed with liquid gasket, dowel holes drilled after alignment', MATERIALS.castIron, () =>
    plate(polygon(outline(15), 40), 16, [
      ...seats(),
      ...FLANGE_SCREWS.map((at) => circle(9, at)),
      ...threads([...outputScrews(0), ...smallScrews(INTERMEDIATE, 0)], 5),
      ...threads(adapterScrews, 6.8),
    ]),
  ),
  color: PAINTS.blue,
};
const closedCover: Part = {
  ...part('Bearing cover 47, closed', 'O-ring groove on the spigot', MATERIALS.structuralSteel, () =>
    plate(circle(76), 8, threads(smallScrews(0, 0), 6.6)),
  ),
  color: PAINTS.anthracite,
};
const openCover: Part = {
  ...part('Bearing cover 75 with seal seat', 'Seal seat 62 H8, chamfer 15°', MATERIALS.structuralSteel, () =>
    join(plate(circle(104), 8, [circle(62), ...threads(outputScrews(0), 6.6)])),
  ),
  color: PAINTS.anthracite,
};
const sightGlass = part(
  'Oil sight glass G1/4',
  'Oil level: middle of the glass with the unit at rest',
  MATERIALS.brass,
  () => join(rod(13, 12, -12), remove(plate(circle(22), 7), rod(14, 3, 5))),
);
const breather = part('Breather G1/4', 'Cracks open at 0.2 bar', MATERIALS.brass, () =>
  join(rod(13, 12, -12), rod(20, 5), rod(14, 12, 4), rod(18, 6, 14)),
);
const nameplate: Part = part(
  'Nameplate, gear unit',
  'Laser-marked: type, ratio 12, oil CLP 220, 0.9 l',
  MATERIALS.aluminum,
  () => plate(rectangle(44, 70, 4), 1, [circle(3, [0, -31]), circle(3, [0, 31])]),
);
/** The adapter between cover and motor: from z = 96 to 168. */
export const motorAdapter: Part = {
  ...part('Motor adapter B14/80', 'Centering 110 H7, four inspection openings', MATERIALS.castIron, () =>
    remove(
      turned([
        [24, 0],
        [56, 0],
        [56, 8],
        [40, 12],
        [40, 48],
        [80, 60],
        [80, 72],
        [55, 72],
        [55, 68],
        [34, 56],
        [34, 10],
        [24, 10],
      ]),
      ...onCircle(4, 47, [0, 0, 0], 45).map(([x, y]) => rod(9, 12, -1).translate(x, y, 0)),
      ...onCircle(4, 65, [0, 0, 0], 45).map(([x, y]) => rod(6.8, 30, 50).translate(x, y, 0)),
      block(100, 18, 22, 18),
      block(18, 100, 22, 18),
    ),
  ),
  color: PAINTS.blue,
};

export const gearUnit: Assembly = {
  kind: 'assembly',
  name: 'Gear unit i=12',
  description: 'Two spur gear stages for shaft mounting, 110 Nm at the output',
  comment: 'Backlash measured at the output: 14 arc minutes',
  folder: FOLDER,
  uses: [
    { component: housing, placements: [put(0, 0, 0)] },
    { component: cover, placements: [put(0, 0, 80)] },
    // Turned by half a tooth, so that the teeth mesh.
    { component: outputShaftAssembly, placements: [spin(3)] },
    { component: intermediateShaftAssembly, placements: [put(0, INTERMEDIATE, 0)] },
    { component: inputShaftAssembly, placements: [put(0, INPUT, 0)] },
    { component: openCover, placements: [put(0, 0, -24), put(0, 0, 96)] },
    { component: shaftSeal(45, 62, 8), placements: [put(0, 0, -24), put(0, 0, 96)] },
    {
      component: closedCover,
      placements: [put(0, INTERMEDIATE, -24), put(0, INPUT, -24), put(0, INTERMEDIATE, 96)],
    },
    ...screwed(socketScrew(6, 20), 6, [...outputScrews(104), ...smallScrews(INTERMEDIATE, 104)], '+z'),
    ...screwed(
      socketScrew(6, 16),
      6,
      [...outputScrews(-24), ...smallScrews(INTERMEDIATE, -24), ...smallScrews(INPUT, -24)],
      '-z',
    ),
    ...screwed(
      socketScrew(8, 25),
      8,
      FLANGE_SCREWS.map(([x, y]): Point => [x, y, 96]),
      '+z',
    ),
    { component: motorAdapter, placements: [put(0, INPUT, 96)] },
    ...screwed(hexagonScrew(8, 20), 8, adapterScrews, '+z'),
    { component: sightGlass, placements: [put(100, -45, 35, '+x')] },
    { component: screwPlug, placements: [put(0, 238, 35, '+y')] },
    { component: breather, placements: [put(-30, -95, 35, '-y')] },
    { component: eyeBolt, placements: [put(30, -95, 35, '-y')] },
    { component: nameplate, placements: [put(100, 25, 30, '+x')] },
  ],
};
