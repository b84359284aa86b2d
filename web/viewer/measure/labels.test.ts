import { describe, expect, it } from 'vitest';
import { labelSpots, type Spot } from './labels.ts';

const SIZE: Spot = [400, 300];
const line = (from: Spot, to: Spot) => ({ from, to, text: '144.222 mm' });

describe('the label of a measured line', () => {
  it('stands in the middle of what is seen of it', () => {
    expect(labelSpots([line([100, 100], [300, 200])], SIZE)).toEqual([[200, 150]]);
    expect(labelSpots([line([200, 150], [1000, 150])], SIZE)).toEqual([[300, 150]]);
    expect(labelSpots([line([-500, 150], [100, 150])], SIZE)).toEqual([[50, 150]]);
  });

  it('is left out where none of it is', () => {
    const beside = [line([-50, 100], [-10, 200]), line([390, -20], [500, 100]), line([-9, 150], [-9, 150])];
    expect(labelSpots(beside, SIZE)).toEqual([null, null, null]);
  });

  it('lies within the picture', () => {
    const [[x, y] = []] = labelSpots([line([399, 299], [399, 299])], SIZE) as Spot[];
    expect([x, y]).toEqual([400 - 42.5, 291]);
  });

  it('gives way to those that were measured later', () => {
    const same = Array.from({ length: 8 }, (_, at) => line([100, 290 - at], [300, 290 - at]));
    const spots = labelSpots(same, SIZE) as Spot[];
    expect(spots.at(-1)).toEqual([200, 283]);
    const down = spots.map(([, y]) => y).sort((a, b) => a - b);
    for (const [at, y] of down.slice(1).entries()) expect(y - (down[at] as number)).toBeGreaterThanOrEqual(18);
    expect(down.at(-1)).toBeLessThanOrEqual(291);
  });

  it('stays where it is beside others', () => {
    expect(labelSpots([line([50, 100], [150, 100]), line([250, 100], [350, 100])], SIZE)).toEqual([
      [100, 100],
      [300, 100],
    ]);
  });
});
