import { describe, expect, it } from 'vitest';
import { placeLabels, type ScreenPoint } from './labels.ts';

const SIZE: ScreenPoint = [400, 300];
const line = (from: ScreenPoint, to: ScreenPoint) => ({ from, to, text: '144.222 mm' });

describe('labels of measured lines', () => {
  it('are at the middle of the visible part of the line', () => {
    expect(placeLabels([line([100, 100], [300, 200])], SIZE)).toEqual([[200, 150]]);
    expect(placeLabels([line([200, 150], [1000, 150])], SIZE)).toEqual([[300, 150]]);
    expect(placeLabels([line([-500, 150], [100, 150])], SIZE)).toEqual([[50, 150]]);
  });

  it('are omitted if the line is not visible', () => {
    const beside = [line([-50, 100], [-10, 200]), line([390, -20], [500, 100]), line([-9, 150], [-9, 150])];
    expect(placeLabels(beside, SIZE)).toEqual([null, null, null]);
  });

  it('stay within the canvas', () => {
    const [[x, y] = []] = placeLabels([line([399, 299], [399, 299])], SIZE) as ScreenPoint[];
    expect([x, y]).toEqual([400 - 42.5, 291]);
  });

  it('make room for newer labels', () => {
    const same = Array.from({ length: 8 }, (_, at) => line([100, 290 - at], [300, 290 - at]));
    const spots = placeLabels(same, SIZE) as ScreenPoint[];
    expect(spots.at(-1)).toEqual([200, 283]);
    const down = spots.map(([, y]) => y).sort((a, b) => a - b);
    for (const [at, y] of down.slice(1).entries()) expect(y - (down[at] as number)).toBeGreaterThanOrEqual(18);
    expect(down.at(-1)).toBeLessThanOrEqual(291);
  });

  it('do not move without overlap', () => {
    expect(placeLabels([line([50, 100], [150, 100]), line([250, 100], [350, 100])], SIZE)).toEqual([
      [100, 100],
      [300, 100],
    ]);
  });
});
