// Runs the demo with its whole machine, of which all parts are converted.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conveyor } from '../../demo/machine/conveyor.ts';
import {
  checkCode,
  checkComponents,
  checkHistory,
  type DemoService,
  runTestDemo,
  startDemoService,
} from '../support/demo.ts';

let service: DemoService;
beforeAll(async () => {
  service = await startDemoService();
});
afterAll(() => service.close());

test('creates more than 80 parts in three levels, two releases, a branch that is taken over, and code', {
  timeout: 30 * 60_000,
}, async () => {
  const { demo, lines } = await runTestDemo(service, conveyor);
  const kinds = [...demo.documents.values()].map(({ document }) => document.kind);
  expect(kinds.filter((kind) => kind === 'model').length).toBeGreaterThanOrEqual(80);
  await checkComponents(service, conveyor, demo);
  await checkHistory(service, demo);
  await checkCode(service, demo, lines);

  // the machine is pinned to the first revision of the torque arm
  const [version] = (await service.pdm.viewer.get(`/documents/${demo.machine.id}`)).body.versions;
  const { items } = (await service.pdm.viewer.get(`/versions/${version.id}/bom?mode=top`)).body;
  const outdated = items.filter((row: { outdated: boolean }) => row.outdated);
  expect(outdated.map(({ number }: { number: string }) => number)).toEqual([demo.history.number]);
});
