import { afterAll, beforeAll, expect, test } from 'vitest';
// Runs the demo end to end with the built-in scheduler.
import { createApi } from '../../demo/api.ts';
import { findStepFolder, loadDemoFiles } from '../../demo/files.ts';
import { runDemo } from '../../demo/run-demo.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

let pdm: Pdm;
beforeAll(async () => {
  pdm = await startPdm({ scheduler: true });
});
afterAll(() => pdm.close());

const folder = findStepFolder(process.env.PDM_STEP_DIR);

test(`runs the demo with ${folder ? 'the AS1 assembly from two CAD systems' : 'a generated bracket (PDM_STEP_DIR is not set)'}`, {
  timeout: 180_000,
}, async () => {
  const lines: string[] = [];
  const { document, versions, audit } = await runDemo(
    createApi(pdm.url, pdm.tokens.editor),
    await loadDemoFiles(folder),
    (line) => lines.push(line),
  );

  expect(versions.map(({ n }) => n)).toEqual([1, 2]);
  expect(document.workspaces.map(({ name }: { name: string }) => name)).toEqual(['main', 'what-if']);
  expect(audit.length).toBeGreaterThanOrEqual(10);
  expect(lines.some((line) => line.startsWith('Bill of materials: 2 × PRT-'))).toBe(true);
  if (folder) expect(lines.join('\n').match(/18 solids, 160 faces, 200 × 150 × 84 mm, 764,518 mm³/g)).toHaveLength(2);

  const picture = await pdm.viewer.get(document.thumbnailUrl.replace('/api/v1', ''));
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect([picture.bytes.readUInt32BE(16), picture.bytes.readUInt32BE(20)]).toEqual([512, 512]);
});
