import { expect, test } from 'vitest';
import { pacedProgress } from './paced-progress.ts';

test('reports the share of the parts every two seconds, but not the last one', () => {
  const steps: string[] = [];
  const report = { log: () => {}, progress: (percent: number, step: string) => steps.push(`${percent} ${step}`) };
  let time = 0;
  const partDone = pacedProgress(report, { from: 20, to: 40, step: 'meshing', total: 10 }, () => time);
  for (let i = 0; i < 10; i++) {
    time += 700;
    partDone();
  }
  expect(steps).toEqual(['26 meshing', '32 meshing', '38 meshing']);
});
