// The geared motor: gear unit, coupling and motor, in the coordinates of the gear unit.
import type { Assembly, Part } from './component.ts';
import { gearUnit, INPUT } from './gear-unit.ts';
import { MATERIALS } from './materials.ts';
import { motor, motorScrews } from './motor.ts';
import { put, spin } from './placement.ts';
import { block, join, remove, ring, rod } from './shapes.ts';
import { key, setScrew } from './standard-parts.ts';

const FOLDER = 'Drive';
const hub: Part = {
  kind: 'model',
  name: 'Coupling hub 19',
  description: 'Bore 19 H7 with keyway 6 JS9',
  folder: FOLDER,
  material: MATERIALS.aluminum,
  shape: () => {
    const claw = remove(
      ring(26, 54, 10, 22),
      block(60, 60, 12, 21).translate(0, -30, 0),
      block(60, 60, 12, 21).translate(-30, 0, 0),
    );
    return remove(
      join(ring(19, 54, 22), claw, claw.clone().rotate(180, [0, 0, 0], [0, 0, 1])),
      block(6, 10, 24, -1).translate(0, 6.8, 0),
    );
  },
};
const spider: Part = {
  kind: 'model',
  name: 'Coupling spider',
  description: 'Replace at the first cracks, at the latest after 20,000 hours',
  folder: FOLDER,
  material: MATERIALS.polyurethane,
  shape: () => remove(join(rod(24, 10), block(52, 14, 10), block(14, 52, 10)), rod(12, 12, -1)),
};
const coupling: Assembly = {
  kind: 'assembly',
  name: 'Jaw coupling 19/19',
  description: 'Nominal torque 17 Nm',
  folder: FOLDER,
  uses: [
    { component: hub, placements: [put(0, 0, 0), put(0, 0, 54, '-z')] },
    { component: spider, placements: [spin(0, 0, 0, 22)] },
    { component: setScrew(5, 8), placements: [put(0, 27, 11, '+y'), put(0, 27, 43, '+y')] },
  ],
};

export const gearedMotor: Assembly = {
  kind: 'assembly',
  name: 'Geared motor 0.75 kW, 117 rpm',
  description: 'Fill with 0.9 l CLP 220 before the first start',
  comment: 'Motor of size 80 instead of 71: starting with a full belt takes 0.6 kW',
  folder: FOLDER,
  uses: [
    { component: gearUnit, placements: [put(0, 0, 0)] },
    { component: key(6, 6, 20), placements: [put(0, INPUT + 6, 101)] },
    { component: coupling, placements: [put(0, INPUT, 102)] },
    { component: motor, placements: [put(0, INPUT, 168)] },
    ...motorScrews(([x, y, z]) => [x, y + INPUT, z + 168]),
  ],
};
