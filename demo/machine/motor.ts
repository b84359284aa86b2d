// The three-phase motor, size 80, 0.75 kW. Its axis is z; the mounting face is at z = 0, the shaft end below it.
import { makeCylinder } from 'replicad';
import type { Assembly, Color, Part } from './component.ts';
import { MATERIALS, PAINTS } from './materials.ts';
import { onCircle, type Point, put } from './placement.ts';
import { block, circle, join, plate, polygon, rectangle, remove, ring, rod, shaft, turned } from './shapes.ts';
import { ballBearing, circlip, key, screwed, socketScrew } from './standard-parts.ts';

const part = (
  name: string,
  description: string,
  material: Part['material'],
  color: Color | undefined,
  shape: Part['shape'],
): Part => ({ kind: 'model', name, description, folder: 'Motor', material, ...(color && { color }), shape });

/** A circle with cooling fins, as an outline of lines. */
function finnedOutline(inner: number, outer: number, count: number): [number, number][] {
  const at = (radius: number, angle: number): [number, number] => [radius * Math.cos(angle), radius * Math.sin(angle)];
  return Array.from({ length: count }, (_, i) => {
    const center = (2 * Math.PI * i) / count;
    const half = 1.6 / outer;
    const gap = Math.PI / count;
    return [
      at(inner, center - gap * 0.55),
      at(outer, center - half),
      at(outer, center + half),
      at(inner, center + gap * 0.55),
    ];
  }).flat();
}

/** Screws of the mounting flange, on a circle of 130 mm. */
const flangeScrews = (z: number): Point[] => onCircle(4, 65, [0, 0, z], 45);
export const FLANGE_SCREWS = flangeScrews(12);

const housing = part(
  'Stator housing',
  'Die-cast, shrunk onto the stator core',
  MATERIALS.aluminum,
  PAINTS.anthracite,
  () =>
    join(
      plate(polygon(finnedOutline(61, 72, 36)), 150, [circle(112)], 30),
      remove(block(84, 30, 90, 60).translate(0, -65, 0), rod(113, 100, 55)),
    ),
);
const statorCore = part(
  'Stator core with winding',
  'Class F, 230/400 V',
  MATERIALS.electricalSteel,
  [176, 104, 62],
  () =>
    turned([
      [38, 40],
      [52, 40],
      [52, 55],
      [56, 55],
      [56, 155],
      [52, 155],
      [52, 170],
      [38, 170],
      [38, 155],
      [36, 155],
      [36, 55],
      [38, 55],
    ]),
);
const rotorShaft = part(
  'Rotor shaft',
  'Bearing seats 20 k5, shaft end 19 j6',
  MATERIALS.heatTreatedSteel,
  undefined,
  () =>
    remove(
      shaft(
        [
          [19, 34],
          [20, 36],
          [26, 115],
          [20, 29],
          [15, 20],
        ],
        -34,
      ),
      block(6, 20, 20, -30).translate(0, 16, 0),
    ),
);
const rotorCore = part('Rotor core', 'Cast aluminum cage, balanced to G2.5', MATERIALS.electricalSteel, undefined, () =>
  join(ring(26, 71, 100, 55), ring(44, 66, 12, 45), ring(44, 66, 12, 153)),
);
const driveShield = part('End shield, drive side', 'Flange B14, 160 mm', MATERIALS.aluminum, PAINTS.anthracite, () =>
  remove(
    turned([
      [11, -3.5],
      [54.9, -3.5],
      [54.9, 0],
      [80, 0],
      [80, 12],
      [57, 14],
      [60, 30],
      [55.9, 30],
      [55.9, 34],
      [30, 34],
      [23.5, 34],
      [23.5, 20],
      [11, 20],
    ]),
    ...flangeScrews(0).map(([x, y]) => rod(9, 40, -5).translate(x, y, 0)),
  ),
);
const fanShield = part(
  'End shield, fan side',
  'With a wave spring behind the bearing',
  MATERIALS.aluminum,
  PAINTS.anthracite,
  () =>
    turned([
      [23.5, 180],
      [23.5, 199],
      [11, 199],
      [11, 203],
      [40, 203],
      [61, 190],
      [61, 180],
    ]),
);
const fan = part('Fan', 'For both directions of rotation', MATERIALS.polyamide, undefined, () => {
  const blades = onCircle(7, 0, [0, 0, 0], 0).map((_, i) =>
    block(36, 3, 20, 208)
      .translate(36, 0, 0)
      .rotate((360 / 7) * i, [0, 0, 0], [0, 0, 1]),
  );
  return join(ring(15, 34, 18, 208), ring(30, 112, 2, 206.5), ...blades);
});
const fanCover = part('Fan cover', 'Deep-drawn, guard to IP20', MATERIALS.structuralSteel, PAINTS.anthracite, () => {
  const slots = Array.from({ length: 12 }, (_, i) =>
    rectangle(26, 6, 2.9, [40, 0]).rotate(30 * i, [0, 0, 0], [0, 0, 1]),
  );
  return join(ring(143, 146, 66, 182), plate(circle(146), 2, slots, 246));
});
const terminalBox = part('Terminal box', 'IP55, two entries M20', MATERIALS.aluminum, PAINTS.anthracite, () =>
  remove(block(92, 92, 34, 0, 8), block(84, 84, 40, 4, 5), makeCylinder(10, 20, [38, 0, 17], [1, 0, 0])),
);
const terminalLid = part('Terminal box lid', 'With a molded gasket', MATERIALS.aluminum, PAINTS.anthracite, () =>
  plate(
    rectangle(92, 92, 8),
    8,
    onCircle(4, 56, [0, 0, 0], 45).map(([x, y]) => circle(5.5, [x, y])),
  ),
);
export const cableGland = part(
  'Cable gland M20',
  'Clamping range 7 to 13 mm, IP68',
  MATERIALS.polyamide,
  undefined,
  () => remove(join(rod(20, 12, -10), plate(polygon(finnedOutline(12, 13.5, 8)), 10), rod(21, 18)), rod(11, 40, -12)),
);
const plateOfMotor = part(
  'Nameplate, motor',
  '0.75 kW, 1400 min⁻¹, 1.9 A at 400 V, IE3',
  MATERIALS.stainlessSteel,
  undefined,
  () => plate(rectangle(70, 40, 3), 0.8, [circle(3, [-31, 0]), circle(3, [31, 0])]),
);

const bearing = ballBearing('6204', 20, 47, 14);

const rotor: Assembly = {
  kind: 'assembly',
  name: 'Rotor, assembled',
  description: 'Balance with half key',
  folder: 'Motor',
  uses: [
    { component: rotorShaft, placements: [put(0, 0, 0)] },
    { component: rotorCore, placements: [put(0, 0, 0)] },
    { component: bearing, placements: [put(0, 0, 20), put(0, 0, 185)] },
    { component: circlip(20, 1.2), placements: [put(0, 0, 18.6)] },
    { component: key(6, 6, 20), placements: [put(0, 6, -30)] },
    { component: fan, placements: [put(0, 0, 0)] },
  ],
};

export const motor: Assembly = {
  kind: 'assembly',
  name: 'Motor 0.75 kW B14/80',
  description: 'Three-phase asynchronous motor, IE3',
  comment: 'Terminal box moved to the top, away from the leg',
  folder: 'Motor',
  uses: [
    { component: rotor, placements: [put(0, 0, 0)] },
    { component: housing, placements: [put(0, 0, 0)] },
    { component: statorCore, placements: [put(0, 0, 0)] },
    { component: driveShield, placements: [put(0, 0, 0)] },
    { component: fanShield, placements: [put(0, 0, 0)] },
    { component: fanCover, placements: [put(0, 0, 0)] },
    { component: terminalBox, placements: [put(0, -80, 105, '-y')] },
    { component: terminalLid, placements: [put(0, -114, 105, '-y')] },
    {
      component: socketScrew(5, 12),
      placements: onCircle(4, 56, [0, 0, 0], 45).map(([x, y]) => put(x, -122, 105 + y, '-y')),
    },
    { component: cableGland, placements: [put(46, -97, 105, '+x')] },
    { component: plateOfMotor, placements: [put(72, 0, 105, '+x')] },
  ],
};

/** The screws that fasten the motor to a flange behind it. */
export const motorScrews = (point: (at: Point) => Point) =>
  screwed(socketScrew(8, 30), 8, FLANGE_SCREWS.map(point), '+z');
