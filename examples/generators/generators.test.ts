// Runs the example generators with the kernel of this process and compares their volumes with closed formulas, for
// default and other parameters.
import { readFileSync } from 'node:fs';
import type { Shape3D } from 'replicad';
import * as cad from 'replicad';
import { describe, expect, test } from 'vitest';
import '../../scheduler/engines/occt/test-models.ts';
import { parseManifest } from '../../subgraphs/core/domain/jobs/manifest.ts';
import { completeParams } from '../../subgraphs/jobs/complete-params.ts';
import bracket, { type Params as BracketParams } from './bracket/bracket.ts';
import gear, { type Params as GearParams } from './gear/gear.ts';
import { halfAngle, minTeeth, radiiOf, sectionArea } from './gear/involute.ts';
import { computeLayout, DOWEL, type Params as RackParams } from './rack/layout.ts';
import rack from './rack/rack.ts';

const completeWithDefaults = async <P>(name: string, params: object): Promise<P> => {
  const manifest = parseManifest(readFileSync(new URL(`./${name}/generator.json`, import.meta.url), 'utf8'), null);
  return (await completeParams({ schema: manifest.params, params })) as P;
};
const volume = (document: object | undefined): number => cad.measureVolume((document as { shape: Shape3D }).shape);
const cylinder = (diameter: number, length: number): number => (Math.PI * diameter ** 2 * length) / 4;
const relativeError = (value: number, expected: number): number => Math.abs(value / expected - 1);

describe('the bracket', () => {
  test.each([{}, { length: 120, width: 90, height: 80, thickness: 10, fillet: 10, bolt: 'M8', bore: 40 }])(
    'has the volume of foot, wall and fillet minus the holes for %j',
    async (input) => {
      const params = await completeWithDefaults<BracketParams>('bracket', input);
      const { length, width, height, thickness, fillet, bore } = params;
      const hole = params.bolt === 'M8' ? 9 : 6.6;
      const profile = length * thickness + height * thickness + (1 - Math.PI / 4) * fillet ** 2;
      const expected = profile * width - 4 * cylinder(hole, thickness) - cylinder(bore, thickness);
      const [model] = bracket(params, { cad });
      expect(relativeError(volume(model), expected)).toBeLessThan(1e-9);
    },
  );

  test('rejects parameters for which bolts or bore do not fit', async () => {
    const params = await completeWithDefaults<BracketParams>('bracket', {});
    expect(() => bracket({ ...params, length: 40 }, { cad })).toThrow('too short for two rows of M6 bolts');
    expect(() => bracket({ ...params, bore: 50 }, { cad })).toThrow('leaves less than 8 mm of the wall');
  });
});

describe('the rack', () => {
  test.each([
    [{}, 4, 18],
    [{ width: 1200, height: 2000, depth: 400 }, 6, 25],
    [{ width: 300, height: 300, depth: 150, clearance: 800 }, 2, 18],
  ])(
    'fills the height with boards, four dowels each, and creates parts of the expected volume for %j',
    async (input, boards, thickness) => {
      const params = await completeWithDefaults<RackParams>('rack', input);
      const [side, board, dowel, assembly] = rack(params, { cad });
      const { depth, width, height, clearance } = params;
      const { heights } = computeLayout(params);
      expect([heights.length, computeLayout(params).boardThickness]).toEqual([boards, thickness]);
      const placed = (assembly as { instances: { template: string }[] }).instances.map(({ template }) => template);
      const count = (template: string) => placed.filter((name) => name === template).length;
      expect([count('side'), count('board'), count('dowel')]).toEqual([2, boards, 4 * boards]);
      for (const [i, z] of heights.slice(1).entries())
        if (boards > 2) expect(z - heights[i]! - thickness).toBeGreaterThanOrEqual(clearance);
      const { diameter, inSide, inBoard } = DOWEL;
      const wholeSide = 18 * depth * height;
      expect(relativeError(volume(side), wholeSide - 2 * boards * cylinder(diameter, inSide))).toBeLessThan(1e-9);
      expect(
        relativeError(volume(board), (width - 36) * depth * thickness - 4 * cylinder(diameter, inBoard)),
      ).toBeLessThan(1e-9);
      expect(relativeError(volume(dowel), cylinder(diameter, inSide + inBoard))).toBeLessThan(1e-9);
    },
  );
});

describe('the gear', () => {
  test.each([
    {},
    { module: 4, teeth: 40, faceWidth: 20, bore: 30, keyway: { width: 8, height: 18.3 } },
    { teeth: 19, pressureAngle: 20, bore: 6 },
  ])('has the volume of its involute outline minus bore and keyway for %j', async (input) => {
    const params = await completeWithDefaults<GearParams>('gear', input);
    const { faceWidth, bore, keyway } = params;
    const section = sectionArea(params) - cylinder(bore, 1) - (keyway ? keywayArea(bore / 2, keyway) : 0);
    const [model] = gear(params, { cad });
    expect(relativeError(volume(model), section * faceWidth)).toBeLessThan(2e-5);
  });

  // The area of the keyway outside the bore.
  const keywayArea = (radius: number, { width, height }: { width: number; height: number }): number =>
    width * height -
    (width / 2) * Math.sqrt(radius ** 2 - width ** 2 / 4) -
    radius ** 2 * Math.asin(width / (2 * radius));

  test('has equal teeth and gaps on the pitch circle, and rejects undercut teeth', () => {
    const params = { module: 2, teeth: 24, pressureAngle: 20 };
    expect(halfAngle(params, radiiOf(params).pitch)).toBeCloseTo(Math.PI / 48, 12);
    expect(Math.ceil(minTeeth(20))).toBe(18);
    expect(() => gear({ ...params, teeth: 12, faceWidth: 10, bore: 5 }, { cad })).toThrow('12 teeth would be undercut');
  });
});
