// Drums, bearing units, return rollers and belt tensioners. The axes of drums and rollers are z.
import { makeCylinder } from 'replicad';
import type { Assembly, Part } from './component.ts';
import { shaftDrawing } from './drawing.ts';
import { MATERIALS, PAINTS } from './materials.ts';
import { put } from './placement.ts';
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
  ring,
  rod,
  shaft,
  turned,
} from './shapes.ts';
import {
  ballBearing,
  circlip,
  greaseNipple,
  hexagonScrew,
  key,
  nut,
  screwed,
  setScrew,
  washer,
} from './standard-parts.ts';

const part = (
  folder: string,
  name: string,
  description: string,
  material: Part['material'],
  shape: Part['shape'],
): Part => ({ kind: 'model', name, description, folder, material, shape });

const DRUMS = 'Drums';
const shell = part(
  DRUMS,
  'Drum shell 100x430',
  'Crowned by 1 mm, so that the belt centers itself',
  MATERIALS.structuralSteel,
  () =>
    turned([
      [44, -215],
      [49.5, -215],
      [50, -70],
      [50, 70],
      [49.5, 215],
      [44, 215],
    ]),
);
const disc = part(DRUMS, 'Drum end disc', 'Welded into the shell, weld a4', MATERIALS.structuralSteel, () =>
  plate(circle(88), 12, [circle(35), ...[0, 90, 180, 270].map((angle) => circle(14, polar(30, angle)))]),
);
const polar = (radius: number, degrees: number): [number, number] => [
  radius * Math.cos((degrees * Math.PI) / 180),
  radius * Math.sin((degrees * Math.PI) / 180),
];

const DRIVE_SHAFT = [
  [30, 60],
  [35, 450],
  [30, 165],
] as const;
const driveShaftShape = (keyLength: number, from: number) => () =>
  remove(shaft(DRIVE_SHAFT, -285, 1.5), block(8, 20, keyLength, from).translate(0, 21, 0), rod(8.5, 26, 365));
/** The drive shaft; its end for the gear unit is from z = 284 to 390. */
export const driveShaft: Part = {
  ...part(
    DRUMS,
    'Drive drum shaft',
    'Seats 30 h6, key 8x7x70 to the gear unit',
    MATERIALS.heatTreatedSteel,
    driveShaftShape(70, 305),
  ),
  attachments: () => [
    shaftDrawing('Drive drum shaft', MATERIALS.heatTreatedSteel.name, DRIVE_SHAFT, [
      'Seats 30 h6, centers DIN 332 A 4 at both ends',
      'Keyway 8 P9 x 70, 25 mm from the right end',
      'Thread M8 x 25 in the right end',
      'Edges broken 0.5 x 45°',
    ]),
  ],
  former: {
    shape: driveShaftShape(45, 318),
    comment: 'First issue, key 8x7x45',
    change: 'Keyway for a key of 70 mm: with 45 mm, the pressure was 118 N/mm² when starting with a full belt',
  },
};
const tailShaft = part(DRUMS, 'Tail drum shaft', 'Seats 30 h6 at both ends', MATERIALS.heatTreatedSteel, () =>
  shaft(
    [
      [30, 60],
      [35, 450],
      [30, 60],
    ],
    -285,
    1.5,
  ),
);

const bearingHousing: Part = {
  ...part(DRUMS, 'Flange bearing housing FL206', 'Hole distance 117 mm', MATERIALS.castIron, () =>
    join(
      plate(
        polygon(
          [
            [-74, -14],
            [-25, -40],
            [25, -40],
            [74, -14],
            [74, 14],
            [25, 40],
            [-25, 40],
            [-74, 14],
          ],
          12,
        ),
        14,
        [circle(62), circle(13, [-58.5, 0]), circle(13, [58.5, 0])],
      ),
      turned([
        [31, 13],
        [40, 13],
        [37, 31],
        [31, 31],
      ]),
    ),
  ),
  color: [84, 112, 130],
};
const bearingInsert = part(DRUMS, 'Bearing insert UC206', 'Bore 30 mm, two set screws', MATERIALS.bearingSteel, () =>
  turned([
    [15, -4],
    [20, -4],
    [20, 4],
    [31, 6],
    [31, 26],
    [20, 27],
    [20, 34],
    [15, 34],
  ]),
);
export const bearingUnit: Assembly = {
  kind: 'assembly',
  name: 'Flange bearing unit UCFL206',
  description: 'Grease every 2,000 hours',
  comment: 'Same unit on both drums, to keep one spare part',
  folder: DRUMS,
  uses: [
    { component: bearingHousing, placements: [put(0, 0, 0)] },
    { component: bearingInsert, placements: [put(0, 0, 0)] },
    { component: greaseNipple, placements: [put(0, 38.5, 22, '+y')] },
    { component: setScrew(6, 8), placements: [put(20, 0, 31, '+x'), put(0, 20, 31, '+y')] },
  ],
};

const drum = (name: string, description: string, parts: Assembly['uses']): Assembly => ({
  kind: 'assembly',
  name,
  description,
  folder: DRUMS,
  uses: [
    { component: shell, placements: [put(0, 0, 0)] },
    { component: disc, placements: [put(0, 0, -208), put(0, 0, 196)] },
    ...parts,
    { component: bearingUnit, placements: [put(0, 0, 240), put(0, 0, -240, '-z')] },
  ],
});
export const driveDrum = drum('Drive drum', 'Balanced to G16, run-out at most 0.3 mm', [
  { component: driveShaft, placements: [put(0, 0, 0)] },
  { component: key(8, 7, 70), placements: [put(0, 11, 305)] },
]);
export const tailDrum = drum('Tail drum', 'Run-out at most 0.3 mm', [
  { component: tailShaft, placements: [put(0, 0, 0)] },
]);

const ROLLERS = 'Return rollers';
const rollerTube = part(ROLLERS, 'Roller tube 50x440', 'Tube 50x2, ends deburred', MATERIALS.structuralSteel, () =>
  ring(46, 50, 440, -220),
);
const rollerAxle = part(ROLLERS, 'Roller axle 12x500', 'Flats 10 mm at both ends', MATERIALS.structuralSteel, () =>
  remove(
    shaft([[12, 500]], -250),
    ...[-1, 1].flatMap((side) => [-250, 238].map((z) => block(20, 4, 12, z).translate(0, 7 * side, 0))),
  ),
);
const rollerCap = part(ROLLERS, 'Roller end cap', 'Pressed in, bearing seat 28 N7', MATERIALS.polyamide, () =>
  turned([
    [14, 0],
    [23, 0],
    [23, 12],
    [10, 12],
    [10, 8.5],
    [14, 8.5],
  ]),
);
const rollerBracket = part(
  ROLLERS,
  'Roller bracket',
  'Bent sheet 4 mm, open slot for the axle',
  MATERIALS.structuralSteel,
  () => {
    const upright = plate(
      polygon(
        [
          [-30, -32],
          [30, -32],
          [30, 18],
          [-30, 18],
        ],
        3,
      ),
      4,
      [],
    ).rotate(90, [0, 0, 0], [1, 0, 0]);
    const foot = block(60, 34, 4, 14).translate(0, 13, 0);
    return remove(
      join(upright, foot),
      makeCylinder(4.5, 20, [0, 16, 8], [0, 0, 1]),
      block(10.2, 20, 16, -6),
      makeCylinder(6.2, 20, [0, -10, 0], [0, 1, 0]),
    );
  },
);
/** A roller below the rails: its axis is y, and the rail flange is at z = 18. */
export const returnRoller: Assembly = {
  kind: 'assembly',
  name: 'Return roller 50x440',
  description: 'Complete with brackets',
  folder: ROLLERS,
  uses: [
    { component: rollerTube, placements: [put(0, 0, 0, '+y')] },
    { component: rollerAxle, placements: [put(0, 0, 0, '+y')] },
    { component: rollerCap, placements: [put(0, -220, 0, '+y'), put(0, 220, 0, '-y')] },
    { component: ballBearing('6001', 12, 28, 8), placements: [put(0, -220, 0, '+y'), put(0, 212, 0, '+y')] },
    { component: circlip(12, 1), placements: [put(0, -222, 0, '+y'), put(0, 221, 0, '+y')] },
    {
      component: rollerBracket,
      placements: [
        put(0, 242, 0),
        [
          [-1, 0, 0, 0],
          [0, -1, 0, -242],
          [0, 0, 1, 0],
        ],
      ],
    },
    ...screwed(
      hexagonScrew(8, 20),
      8,
      [
        [0, 258, 22],
        [0, -258, 22],
      ],
      '+z',
      8,
    ),
  ],
};

const TENSION = 'Belt tensioner';
const tensionBracket = part(TENSION, 'Tensioner bracket', 'Welded angle 6 mm', MATERIALS.structuralSteel, () =>
  join(
    alongX(plate(rectangle(50, 34), 6, [circle(13)])),
    remove(alongY(block(40, 50, 6)).translate(26, -17, 0), makeCylinder(5.5, 40, [34, -30, 0], [0, 1, 0])),
  ),
);
const tensionScrew = part(TENSION, 'Tensioning screw M12x85', 'End turned to 8.5 mm', MATERIALS.zincPlatedSteel, () =>
  shaft(
    [
      [8.5, 6],
      [12, 79],
    ],
    -6,
    0.8,
  ).rotate(-90, [0, 0, 0], [0, 1, 0]),
);
/** A tensioner on the outer face of a rail: x away from the drum, y away from the rail, the screw at the origin. */
export const tensioner: Assembly = {
  kind: 'assembly',
  name: 'Belt tensioner M12',
  description: 'Tension by turns of equal number on both sides; 1 turn is 1.75 mm',
  folder: TENSION,
  uses: [
    { component: tensionBracket, placements: [put(0, 0, 0)] },
    { component: tensionScrew, placements: [put(26, 0, 0)] },
    { component: nut(12), placements: [put(0, 0, 0, '-x'), put(6, 0, 0, '+x')] },
    { component: washer(10), placements: [put(34, -11, 0, '+y')] },
    { component: hexagonScrew(10, 30), placements: [put(34, -9, 0, '+y')] },
  ],
};

export const belt: Part = part(
  'Conveyor',
  'Belt 400x3150',
  'Two plies, endless spliced, top cover fabric 3 mm',
  MATERIALS.belt,
  () => {
    const outline = (radius: number) => stadium(1500, radius);
    return plate(outline(53), 400, [outline(50)], -200).rotate(90, [0, 0, 0], [1, 0, 0]);
  },
);
const stadium = (distance: number, radius: number) => rectangle(distance + 2 * radius, 2 * radius, radius - 1e-4);
export const shaftWasher: Part = {
  ...part('Conveyor', 'Retaining disc 45', 'Holds the gear unit on the shaft', MATERIALS.structuralSteel, () =>
    plate(circle(45), 5, [circle(8.4)]),
  ),
  color: PAINTS.anthracite,
};
