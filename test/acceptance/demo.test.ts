// Runs the demo with one assembly of its machine; test/faults/demo-machine.test.ts runs it with all.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { driveDrum } from '../../demo/machine/drums.ts';
import type { Demo } from '../../demo/run-demo.ts';
import {
  checkCode,
  checkComponents,
  checkHistory,
  type DemoService,
  runTestDemo,
  startDemoService,
} from '../support/demo.ts';

// generators have the lowest priority, and wait long on a busy machine
const TIMEOUT_MS = 20 * 60_000;

let service: DemoService;
let demo: Demo;
let lines: string[];
beforeAll(async () => {
  service = await startDemoService();
  ({ demo, lines } = await runTestDemo(service, driveDrum));
}, TIMEOUT_MS);
afterAll(() => service.close());

test('creates a converted and released document for each component, and an attachment', async () => {
  await checkComponents(service, driveDrum, demo);
  const { id } = demo.documents.get('Drive drum shaft')!.document;
  const [version] = (await service.pdm.viewer.get(`/documents/${id}`)).body.versions;
  const { items } = (await service.pdm.viewer.get(`/versions/${version.id}/artifacts`)).body;
  expect(items.map(({ kind }: { kind: string }) => kind)).toContain('attachment.drawing');
});

test('releases a part twice and takes a branch over', () => checkHistory(service, demo));

test('creates a code document and runs it if there is a sandbox', () => checkCode(service, demo, lines));

test('prints the bill of materials and the audit log', () => {
  expect(lines).toContainEqual(expect.stringMatching(/^Bill of materials: 15 parts, 8 different ones, 2 levels/));
  const audit = lines.slice(lines.findIndex((line) => line.startsWith('Audit log of PRT-')));
  expect(audit.length).toBeGreaterThanOrEqual(10);
});

test(
  'creates another folder in a second run and names the first',
  async () => {
    const { folders } = demo;
    const second = await runTestDemo(service, { ...driveDrum, uses: driveDrum.uses.slice(0, 1) });
    expect([folders.root.name, second.demo.folders.root.name]).toEqual(['Demo', 'Demo 2']);
    expect(second.lines[0]).toBe('Earlier runs created "Demo"; this run creates "Demo 2".');
  },
  TIMEOUT_MS,
);
