// The demo machine: a belt conveyor with a shaft-mounted geared motor.
import type { Assembly } from './component.ts';
import { controlBox, photoEye, reflectorUnit } from './control.ts';
import { gearedMotor } from './drive.ts';
import { belt, driveDrum, returnRoller, shaftWasher, tailDrum, tensioner } from './drums.ts';
import { buffer, cableDuct, DRUM_X, DRUM_Z, endGuard, frame, ROLLER_X, torqueArm } from './frame.ts';
import { type Placement, type Point, put } from './placement.ts';
import { hexagonScrew, screwed } from './standard-parts.ts';

/** The gear unit is on the drive shaft outside the rail, with its motor below the belt. */
const GEAR_UNIT_Y = 300;
const BEARING_SCREWS = [-DRUM_X, DRUM_X].flatMap((x) => [-58.5, 58.5].map((dx): Point => [x + dx, 254, DRUM_Z]));
const mirrored = (points: readonly Point[]): Point[] => points.map(([x, y, z]) => [x, -y, z]);
/** Mirror images, as rotations: x and one other axis are reversed. */
const tensionerAt = (side: 1 | -1): Placement =>
  side > 0
    ? [
        [-1, 0, 0, -838],
        [0, 1, 0, 257],
        [0, 0, -1, DRUM_Z],
      ]
    : [
        [-1, 0, 0, -838],
        [0, -1, 0, -257],
        [0, 0, 1, DRUM_Z],
      ];

const INSTRUCTIONS = `Belt conveyor BC-400: assembly

1. Align the leveling feet; the rails are level within 1 mm over 1700 mm.
2. Slide both drums in from the ends. Tighten the bearing units by hand.
3. Tension the belt with both screws by the same number of turns until it sags 8 mm
   between the return rollers at 50 N.
4. Tightening torques in Nm for 8.8: M5 5.5, M6 9.5, M8 23, M10 46, M12 79.
5. Push the gear unit on the shaft, with anti-fretting paste. The torque arm must have
   play between its buffers: never clamp it.
6. Fill in 0.9 l of CLP 220 and run for two hours at half load. Retighten step 2.
`;

export const conveyor: Assembly = {
  kind: 'assembly',
  name: 'Belt conveyor BC-400',
  description: 'Belt width 400 mm, length 1.5 m, 0.6 m/s, up to 60 kg',
  folder: 'Conveyor',
  comment: 'First complete machine; end guards as agreed in the risk assessment',
  attachments: () => [
    {
      fileName: 'assembly-instructions.txt',
      contentType: 'text/plain; charset=utf-8',
      content: new TextEncoder().encode(INSTRUCTIONS),
    },
  ],
  uses: [
    { component: frame, placements: [put(0, 0, 0)] },
    { component: driveDrum, placements: [put(DRUM_X, 0, DRUM_Z, '+y')] },
    { component: tailDrum, placements: [put(-DRUM_X, 0, DRUM_Z, '+y')] },
    { component: belt, placements: [put(0, 0, DRUM_Z)] },
    { component: returnRoller, placements: ROLLER_X.map((x) => put(x, 0, 712)) },
    { component: tensioner, placements: [tensionerAt(1), tensionerAt(-1)] },
    { component: gearedMotor, placements: [put(DRUM_X, GEAR_UNIT_Y, DRUM_Z, '+y')] },
    { component: shaftWasher, placements: [put(DRUM_X, GEAR_UNIT_Y + 96, DRUM_Z, '+y')] },
    ...screwed(hexagonScrew(8, 20), 8, [[DRUM_X, GEAR_UNIT_Y + 101, DRUM_Z]], '+y'),
    { component: torqueArm, placements: [put(550, 281, 620)], pinned: true },
    ...screwed(
      hexagonScrew(10, 30),
      10,
      [
        [550, 289, 585],
        [550, 289, 655],
      ],
      '+y',
    ),
    { component: buffer, placements: [put(610, 289, 620, '+y'), put(610, 313, 620, '+y')] },
    ...screwed(hexagonScrew(12, 60), 12, [[610, 321, 620]], '+y', 40),
    ...screwed(hexagonScrew(12, 40), 12, BEARING_SCREWS, '+y', 18),
    ...screwed(hexagonScrew(12, 40), 12, mirrored(BEARING_SCREWS), '-y', 18),
    { component: controlBox, placements: [put(120, -276, 600, '-y')] },
    { component: cableDuct, placements: [put(110, -258, 705)] },
    { component: photoEye, placements: [put(600, 258, 850)] },
    { component: reflectorUnit, placements: [put(600, -258, 850)] },
    {
      component: endGuard,
      placements: [
        put(770, 0, 722),
        [
          [-1, 0, 0, -770],
          [0, -1, 0, 0],
          [0, 0, 1, 722],
        ],
      ],
    },
  ],
};
