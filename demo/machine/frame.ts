// The frame of the conveyor: x along the belt, y across it, z up from the floor; the drum axes are at z = 790.
import type { Assembly, Color, Part } from './component.ts';
import { MATERIALS, PAINTS } from './materials.ts';
import { type Placement, type Point, put } from './placement.ts';
import {
  alongX,
  alongY,
  block,
  circle,
  join,
  plate,
  polygon,
  rectangle,
  remove,
  rod,
  shaft,
  slot,
  turned,
} from './shapes.ts';
import { hexagonScrew, nut, screwed, washer } from './standard-parts.ts';

const FOLDER = 'Frame';
const part = (
  name: string,
  description: string,
  shape: Part['shape'],
  color: Color | null = PAINTS.lightGray,
  material: Part['material'] = MATERIALS.structuralSteel,
): Part => ({ kind: 'model', name, description, folder: FOLDER, material, ...(color && { color }), shape });

/** Distance of the drum axes from the middle, and their height. */
export const DRUM_X = 750;
export const DRUM_Z = 790;
const CROSS_X = [-400, 0, 400];
export const ROLLER_X = [-330, 330];
const LEG_X = [-550, 550];

// The web is in the xz plane from y = 0 to 4; the flanges point outwards.
const modelRail = (hasSlots: boolean) => () => {
  const drumHoles = [-DRUM_X, DRUM_X].flatMap((x) => [
    circle(46, [x, 0]),
    ...[-58.5, 58.5].map((dx) => (hasSlots ? slot(33, 13, [x + dx, 0]) : circle(13, [x + dx, 0]))),
  ]);
  const crossHoles = CROSS_X.flatMap((x) => [-36, 36].map((dx) => circle(9, [x + dx, -5])));
  const web = plate(rectangle(1700, 120), 4, [...drumHoles, ...crossHoles])
    .rotate(90, [0, 0, 0], [1, 0, 0])
    .translate(0, 4, 0);
  const legHoles = LEG_X.flatMap((x) => [-45, 45].map((dx) => circle(11, [x + dx, 20])));
  const rollerHoles = ROLLER_X.map((x) => circle(9, [x, 22]));
  const flange = (from: number, holes: ReturnType<typeof circle>[]) =>
    plate(rectangle(1700, 40, 0, [0, 20]), 4, holes, from);
  return join(web, flange(-60, [...legHoles, ...rollerHoles]), flange(56, []));
};
const rail: Part = {
  ...part('Side rail 1700', 'Bent sheet 4 mm, the same on both sides', modelRail(true)),
  former: {
    shape: modelRail(false),
    comment: 'First issue',
    change: 'Slots of 33 mm for the bearing units: the belt could not be tensioned with round holes',
  },
};
const crossTube = part('Cross tube 40x40x460', 'Square tube 40x40x3', () =>
  plate(rectangle(40, 40, 5), 460, [rectangle(34, 34, 2)], -230),
);
const crossPlate = part('Cross member end plate', 'Laser-cut 6 mm, threaded M8', () =>
  plate(rectangle(96, 44, 6), 6, [circle(6.8, [-36, 0]), circle(6.8, [36, 0])]),
);
const crossMember: Assembly = {
  kind: 'assembly',
  name: 'Cross member 472',
  description: 'Welded, length 472 -0.5 mm',
  folder: FOLDER,
  uses: [
    { component: crossTube, placements: [put(0, 0, 0, '+y')] },
    { component: crossPlate, placements: [put(0, 230, 0, '+y'), put(0, -230, 0, '-y')] },
  ],
};
const sliderBed = part(
  'Slider bed',
  'Stainless sheet 2 mm, edges bent 33 mm',
  () =>
    alongX(
      plate(
        polygon([
          [0, -215],
          [35, -215],
          [35, -213],
          [2, -213],
          [2, 213],
          [35, 213],
          [35, 215],
          [0, 215],
        ]),
        1340,
        [],
        -670,
      ),
    ).translate(0, 0, 840),
  null,
  MATERIALS.stainlessSteel,
);

const legTube = part('Leg tube 50x50x656', 'Square tube 50x50x3', () =>
  plate(rectangle(50, 50, 6), 656, [rectangle(44, 44, 3)], 66),
);
const headPlate = part('Leg head plate', '8 mm, bolted to the rail', () =>
  plate(rectangle(130, 60, 5), 8, [circle(11, [-45, 0]), circle(11, [45, 0])], 722),
);
const footPlate = part('Leg foot plate', '8 mm, for the leveling foot', () =>
  plate(rectangle(60, 60, 5), 8, [circle(17)], 58),
);
const legBrace = part('Leg brace 40x40x462', 'Square tube 40x40x3', () =>
  plate(rectangle(40, 40, 5), 462, [rectangle(34, 34, 2)], -231),
);
const footPad = part(
  'Leveling foot pad 80',
  'Glass-fiber reinforced, with an anti-slip disc',
  () =>
    turned([
      [0, 0],
      [40, 0],
      [40, 6],
      [18, 18],
      [12, 18],
      [0, 18],
    ]),
  null,
  MATERIALS.polyamide,
);
const footSpindle = part(
  'Leveling spindle M16x110',
  'Ball end 14 mm',
  () => join(shaft([[16, 105]], 14), plate(rectangle(15, 15, 1), 8, [], 18)),
  null,
  MATERIALS.zincPlatedSteel,
);
const levelingFoot: Assembly = {
  kind: 'assembly',
  name: 'Leveling foot M16',
  description: 'Range 40 mm, 12 kN',
  folder: FOLDER,
  uses: [
    { component: footPad, placements: [put(0, 0, 0)] },
    { component: footSpindle, placements: [put(0, 0, 0)] },
    { component: washer(16), placements: [put(0, 0, 58, '-z')] },
    { component: nut(16), placements: [put(0, 0, 55, '-z')] },
  ],
};
const LEG_SIDES = [-256, 256];
const legFrame: Assembly = {
  kind: 'assembly',
  name: 'Leg frame 722',
  description: 'Welded, then powder-coated',
  folder: FOLDER,
  uses: [
    { component: legTube, placements: LEG_SIDES.map((y) => put(0, y, 0)) },
    { component: headPlate, placements: LEG_SIDES.map((y) => put(0, y, 0)) },
    { component: footPlate, placements: LEG_SIDES.map((y) => put(0, y, 0)) },
    { component: legBrace, placements: [put(0, 0, 240, '+y')] },
    { component: levelingFoot, placements: LEG_SIDES.map((y) => put(0, y, 0)) },
  ],
};

/** Rotated by 180° around z. */
const opposite = (x: number, y: number, z: number): Placement => [
  [-1, 0, 0, x],
  [0, -1, 0, y],
  [0, 0, 1, z],
];
const onBothSides = (points: readonly Point[]): Point[] =>
  points.flatMap(
    ([x, y, z]) =>
      [
        [x, y, z],
        [x, -y, z],
      ] as Point[],
  );

export const frame: Assembly = {
  kind: 'assembly',
  name: 'Conveyor frame',
  description: 'Align the rails within 1 mm over their length',
  comment: 'Third cross member added in the middle: the slider bed sagged 3 mm at 60 kg',
  folder: FOLDER,
  uses: [
    { component: rail, placements: [put(0, 236, DRUM_Z), opposite(0, -236, DRUM_Z)] },
    { component: crossMember, placements: CROSS_X.map((x) => put(x, 0, DRUM_Z - 5)) },
    { component: sliderBed, placements: [put(0, 0, 0)] },
    { component: legFrame, placements: LEG_X.map((x) => put(x, 0, 0)) },
    ...[1, -1].flatMap((side) =>
      screwed(
        hexagonScrew(8, 20),
        8,
        CROSS_X.flatMap((x) => [-36, 36].map((dx): Point => [x + dx, 240 * side, DRUM_Z - 5])),
        side > 0 ? '+y' : '-y',
      ),
    ),
    ...screwed(
      hexagonScrew(10, 30),
      10,
      onBothSides(LEG_X.flatMap((x) => [-45, 45].map((dx): Point => [x + dx, 256, 734]))),
      '+z',
      12,
    ),
  ],
};

const modelTorqueArm = (thickness: number, hasWindow: boolean) => () =>
  alongY(
    plate(
      polygon(
        [
          [0, -55],
          [55, -35],
          [90, -18],
          [90, 18],
          [55, 35],
          [0, 55],
          [-25, 55],
          [-25, -55],
        ],
        8,
      ),
      thickness,
      [
        circle(11, [0, -35]),
        circle(11, [0, 35]),
        circle(13, [60, 0]),
        ...(hasWindow ? [rectangle(30, 24, 6, [24, 0])] : []),
      ],
    ),
  );
/** The torque arm: screwed to a leg at the origin, and to the gear unit at x = 60, with its back at y = 0. */
export const torqueArm = part(
  'Torque arm',
  'Takes up 110 Nm at a lever of 220 mm',
  modelTorqueArm(8, true),
  PAINTS.yellow,
);
/** The states of the torque arm before the current one: as released first, and as tried on a branch. */
export const TORQUE_ARM_STATES = {
  first: modelTorqueArm(8, false),
  thinner: modelTorqueArm(6, true),
  current: modelTorqueArm(8, true),
};
export const buffer = part(
  'Rubber buffer 30x8',
  'Keeps forces of alignment away from the gear unit',
  () => remove(rod(30, 8), rod(13, 10, -1)),
  null,
  MATERIALS.rubber,
);

export const cableDuct = part(
  'Cable duct 40x40x760',
  'Cut to length, lid clipped on',
  () => alongX(plate(rectangle(40, 40, 2), 760, [rectangle(36, 36, 1)], -380)),
  null,
  { ...MATERIALS.polyamide, name: 'PVC-U', density: 1400, color: [176, 180, 184] },
);
/** A bent sheet below a drum against reaching in; from the rail end inwards. */
export const endGuard = part(
  'End guard',
  'Perforated sheet 2 mm; never run the conveyor without it',
  () => {
    const sheet = plate(
      rectangle(110, 470, 4),
      2,
      Array.from({ length: 3 }, (_, i) =>
        Array.from({ length: 11 }, (_, j) => slot(22, 8, [30 * (i - 1), 36 * (j - 5)])),
      ).flat(),
    );
    return join(sheet, alongX(block(40, 470, 2)).translate(-55, 0, 20));
  },
  PAINTS.yellow,
);
