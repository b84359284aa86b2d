// The example generators, run beside a kernel of the test: their volumes against closed formulas, at their defaults and away from them.
import { readFileSync } from 'node:fs';
import type { Shape3D } from 'replicad';
import * as cad from 'replicad';
import { describe, expect, test } from 'vitest';
import '../../scheduler/engines/occt/test-models.ts';
import { readManifest } from '../../subgraphs/core/domain/manifest.ts';
import { completeParams } from '../../subgraphs/jobs/check-params.ts';
import bracket, { type Params as BracketParams } from './bracket/bracket.ts';
import gear, { type Params as GearParams } from './gear/gear.ts';
import { fewestTeeth, halfAngle, radiiOf, sectionArea } from './gear/involute.ts';
import { DOWEL, layOut, type Params as RackParams } from './rack/lay-out.ts';
import rack from './rack/rack.ts';

const complete = async <P>(name: string, params: object): Promise<P> => {
  const manifest = readManifest(readFileSync(new URL(`./${name}/generator.json`, import.meta.url), 'utf8'), null);
  return (await completeParams({ schema: manifest.params, params })) as P;
};
const volume = (document: object | undefined): number => cad.measureVolume((document as { shape: Shape3D }).shape);
const cylinder = (diameter: number, length: number): number => (Math.PI * diameter ** 2 * length) / 4;
const relative = (value: number, to: number): number => Math.abs(value / to - 1);

describe('the bracket', () => {
  test.each([{}, { length: 120, width: 90, height: 80, thickness: 10, fillet: 10, bolt: 'M8', bore: 40 }])(
    '%j has the volume of foot, wall and fillet less its holes',
    async (given) => {
      const params = await complete<BracketParams>('bracket', given);
      const { length, width, height, thickness, fillet, bore } = params;
      const hole = params.bolt === 'M8' ? 9 : 6.6;
      const profile = length * thickness + height * thickness + (1 - Math.PI / 4) * fillet ** 2;
      const expected = profile * width - 4 * cylinder(hole, thickness) - cylinder(bore, thickness);
      const [made] = bracket(params, { cad });
      expect(relative(volume(made), expected)).toBeLessThan(1e-9);
    },
  );

  test('is refused where bolts or bore do not fit', async () => {
    const params = await complete<BracketParams>('bracket', {});
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
    '%j has as many boards as its height holds, each with four dowels, and parts of the volume they should have',
    async (given, boards, thickness) => {
      const params = await complete<RackParams>('rack', given);
      const [side, board, dowel, assembly] = rack(params, { cad });
      const { depth, width, height, clearance } = params;
      const { heights } = layOut(params);
      expect([heights.length, layOut(params).boardThickness]).toEqual([boards, thickness]);
      const placed = (assembly as { instances: { template: string }[] }).instances.map(({ template }) => template);
      const count = (template: string) => placed.filter((name) => name === template).length;
      expect([count('side'), count('board'), count('dowel')]).toEqual([2, boards, 4 * boards]);
      for (const [i, z] of heights.slice(1).entries())
        if (boards > 2) expect(z - heights[i]! - thickness).toBeGreaterThanOrEqual(clearance);
      const { diameter, inSide, inBoard } = DOWEL;
      const wholeSide = 18 * depth * height;
      expect(relative(volume(side), wholeSide - 2 * boards * cylinder(diameter, inSide))).toBeLessThan(1e-9);
      expect(relative(volume(board), (width - 36) * depth * thickness - 4 * cylinder(diameter, inBoard))).toBeLessThan(
        1e-9,
      );
      expect(relative(volume(dowel), cylinder(diameter, inSide + inBoard))).toBeLessThan(1e-9);
    },
  );
});

describe('the gear', () => {
  test.each([
    {},
    { module: 4, teeth: 40, faceWidth: 20, bore: 30, keyway: { width: 8, height: 18.3 } },
    { teeth: 19, pressureAngle: 20, bore: 6 },
  ])('%j has the volume of its involute outline, less bore and keyway', async (given) => {
    const params = await complete<GearParams>('gear', given);
    const { faceWidth, bore, keyway } = params;
    const section = sectionArea(params) - cylinder(bore, 1) - (keyway ? keywayArea(bore / 2, keyway) : 0);
    const [made] = gear(params, { cad });
    expect(relative(volume(made), section * faceWidth)).toBeLessThan(2e-5);
  });

  // The part of the keyway that the bore has not taken away already.
  const keywayArea = (radius: number, { width, height }: { width: number; height: number }): number =>
    width * height -
    (width / 2) * Math.sqrt(radius ** 2 - width ** 2 / 4) -
    radius ** 2 * Math.asin(width / (2 * radius));

  test('has teeth and gaps of the same width on the pitch circle, and the number of teeth that is not undercut', () => {
    const params = { module: 2, teeth: 24, pressureAngle: 20 };
    expect(halfAngle(params, radiiOf(params).pitch)).toBeCloseTo(Math.PI / 48, 12);
    expect(Math.ceil(fewestTeeth(20))).toBe(18);
    expect(() => gear({ ...params, teeth: 12, faceWidth: 10, bore: 5 }, { cad })).toThrow('12 teeth would be undercut');
  });
});
