// The control box and the photo eye.
import { makeCylinder } from 'replicad';
import type { Assembly, Color, Part } from './component.ts';
import { MATERIALS, PAINTS } from './materials.ts';
import { cableGland } from './motor.ts';
import { put } from './placement.ts';
import { block, circle, join, plate, polygon, rectangle, remove, rod, slot, turned } from './shapes.ts';
import { socketScrew } from './standard-parts.ts';

const FOLDER = 'Control';
const part = (
  name: string,
  description: string,
  material: Part['material'],
  color: Color | null,
  shape: Part['shape'],
): Part => ({ kind: 'model', name, description, folder: FOLDER, material, ...(color && { color }), shape });

const backPlate = part(
  'Control box back plate',
  'Screwed to the rail',
  MATERIALS.structuralSteel,
  PAINTS.anthracite,
  () =>
    plate(
      rectangle(240, 330, 8),
      4,
      [-90, 90].flatMap((x) => [-150, 150].map((y) => slot(14, 8, [x, y]))),
    ),
);
const enclosure = part('Control box', 'IP66, 220x260x110', MATERIALS.polycarbonate, null, () =>
  remove(
    block(220, 260, 90, 4, 10),
    block(208, 248, 90, 10, 6),
    ...[-50, 0, 50].map((x) => makeCylinder(10, 30, [x, -115, 40], [0, -1, 0])),
  ),
);
const lid = part(
  'Control box lid',
  'Gasket foamed in, four captive screws',
  MATERIALS.polycarbonate,
  PAINTS.lightGray,
  () => plate(rectangle(220, 260, 10), 16, [circle(22, [0, -50]), circle(22, [-45, 55]), circle(22, [45, 55])], 94),
);
const button = (name: string, description: string, color: Color, height: number, diameter: number): Part =>
  part(name, description, MATERIALS.polyamide, color, () =>
    join(rod(22, 20, -18), rod(30, 4), rod(diameter - 8, height, 3), rod(diameter, 8, height)),
  );
const emergencyStop = button('Emergency stop button', 'Two break contacts, turn to release', PAINTS.red, 16, 40);
const emergencyPlate = part(
  'Emergency stop plate',
  'Yellow background as in ISO 13850',
  MATERIALS.polyamide,
  PAINTS.yellow,
  () => plate(circle(64), 2, [circle(22)]),
);
const startButton = button('Start button', 'Green, flush', [30, 140, 74], 4, 26);
const stopButton = button('Stop button', 'White, raised', [235, 235, 232], 8, 26);

/** The control box: its back is at z = 0, its lid faces z. */
export const controlBox: Assembly = {
  kind: 'assembly',
  name: 'Control box, assembled',
  description: 'Motor starter, safety relay and terminals; wiring in the circuit diagram',
  folder: FOLDER,
  uses: [
    { component: backPlate, placements: [put(0, 0, 0)] },
    { component: enclosure, placements: [put(0, 0, 0)] },
    { component: lid, placements: [put(0, 0, 0)] },
    { component: emergencyPlate, placements: [put(0, -50, 110)] },
    { component: emergencyStop, placements: [put(0, -50, 112)] },
    { component: startButton, placements: [put(-45, 55, 110)] },
    { component: stopButton, placements: [put(45, 55, 110)] },
    { component: cableGland, placements: [-50, 0, 50].map((x) => put(x, -130, 40, '-y')) },
  ],
};

const eyeBracket = part('Sensor bracket', 'Bent sheet 3 mm', MATERIALS.stainlessSteel, null, () =>
  join(
    plate(rectangle(50, 34, 3), 3, [circle(5.5, [-15, 0]), circle(5.5, [15, 0])]),
    plate(
      polygon(
        [
          [-25, 0],
          [25, 0],
          [25, 90],
          [-25, 90],
        ],
        2,
      ),
      3,
      [slot(24, 5, [0, 60]), slot(24, 5, [0, 76])],
    )
      .rotate(90, [0, 0, 0], [1, 0, 0])
      .translate(0, 17, 0),
  ),
);
const eye = part('Photo eye', 'Retroreflective, range 4 m, PNP', MATERIALS.polyamide, [232, 120, 34], () =>
  remove(join(block(18, 30, 50, 0, 3), rod(11, 14, -13)), makeCylinder(4, 4, [0, -13, 36], [0, -1, 0])),
);
const reflector = part(
  'Reflector 60',
  'Triple prism',
  { ...MATERIALS.polycarbonate, name: 'PMMA', density: 1190 },
  [206, 44, 44],
  () =>
    turned([
      [0, 0],
      [30, 0],
      [30, 6],
      [28, 8],
      [0, 8],
    ]),
);
/** The photo eye on a rail flange at z = 0, facing -y. */
export const photoEye: Assembly = {
  kind: 'assembly',
  name: 'Photo eye with bracket',
  description: 'Stops the belt when a parcel reaches the end',
  folder: FOLDER,
  uses: [
    { component: eyeBracket, placements: [put(0, 0, 0)] },
    { component: eye, placements: [put(0, -1, 38)] },
    { component: socketScrew(5, 12), placements: [put(-15, 0, 3), put(15, 0, 3)] },
  ],
};
/** The reflector on a rail flange at z = 0, facing y. */
export const reflectorUnit: Assembly = {
  kind: 'assembly',
  name: 'Reflector with bracket',
  description: 'Opposite to the photo eye',
  folder: FOLDER,
  uses: [
    {
      component: eyeBracket,
      placements: [
        [
          [-1, 0, 0, 0],
          [0, -1, 0, 0],
          [0, 0, 1, 0],
        ],
      ],
    },
    { component: reflector, placements: [put(0, -14, 66, '+y')] },
    { component: socketScrew(5, 12), placements: [put(-15, 0, 3), put(15, 0, 3)] },
  ],
};
