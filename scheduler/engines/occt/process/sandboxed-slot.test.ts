// Jobs in the sandbox: same results and failures as without it; strict mode without a sandbox opens no file.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testIsolation } from '../../../../test/support/isolation.ts';
import { needs } from '../../../../test/support/needs.ts';
import { probeSandbox, type SandboxReport } from '../../../sandbox/probe.ts';
import { createSandbox } from '../../../sandbox/sandbox.ts';
import { occtEngine } from '../engine.ts';
import { iges, threeMf } from '../mesh/test-meshes.ts';
import { box, stepOf } from '../test-models.ts';

const report: SandboxReport = await probeSandbox(testIsolation());
if (!report.works) console.warn(`NOT RUN: CAD files in the sandbox: ${report.reason}`);
const workDir = mkdtempSync(join(tmpdir(), 'pdm-sandboxed-'));
afterAll(() => rmSync(workDir, { recursive: true, force: true }));

const engineOn = (found: SandboxReport, mode: 'auto' | 'strict', more: object = {}) =>
  occtEngine({
    slots: 1,
    workDir,
    log: () => undefined,
    sandbox: {
      instance: createSandbox(
        () => undefined,
        testIsolation(),
        async () => found,
      ),
      mode,
    },
    ...more,
  });
const source = (name: string, bytes: Uint8Array): string => {
  mkdirSync(join(workDir, name));
  writeFileSync(join(workDir, name, 'source'), bytes);
  return join(workDir, name, 'source');
};
const listener = () => ({ log: () => undefined, progress: () => undefined, signal: new AbortController().signal });

const bubblewrap = needs('bubblewrap', report.works);
test.skipIf(bubblewrap.isMissing)(
  bubblewrap.title('converts and exports in the sandbox, rejects a file that is not STEP and enforces the time limit'),
  { timeout: 120_000 },
  async () => {
    const engine = engineOn(report, 'strict');
    const step = await stepOf(box());
    const busyStates: boolean[] = [];
    const watching = {
      ...listener(),
      progress: () => void busyStates.push(...engine.state().slots.map(({ busy }) => busy)),
    };
    const result = await engine.run({ type: 'convert', source: source('part', step) }, watching);
    expect(new Set(busyStates)).toEqual(new Set([true]));
    if (!('artifacts' in result)) throw new Error(JSON.stringify(result));
    expect(result.artifacts.map(({ kind }) => kind)).toEqual(['stp', 'glb', 'properties', 'thumbnail', 'measure']);
    const fileOf = (kind: string) =>
      readFileSync(result.artifacts.find((artifact) => artifact.kind === kind)?.file ?? '');
    expect(JSON.parse(fileOf('properties').toString())).toMatchObject({
      volume: 6000,
      boundingBox: { size: [20, 30, 10] },
    });
    expect(engine.state().isolation).toBe('strict');
    expect(engine.state().slots).toMatchObject([{ pid: null, busy: false, restarts: 0 }]);

    const mesh = { type: 'convert', source: source('mesh', threeMf()), fileName: 'two.3mf' } as const;
    const fromMesh = await engine.run(mesh, listener());
    if (!('artifacts' in fromMesh)) throw new Error(JSON.stringify(fromMesh));
    expect(fromMesh.artifacts.map(({ kind }) => kind)).toEqual(['glb', 'properties', 'thumbnail']);

    const stl = await engine.run(
      { type: 'export', format: 'STL', source: fromMesh.artifacts[0]!.file, name: 'Two' },
      listener(),
    );
    expect(stl).toMatchObject({ artifacts: [{ kind: 'stl' }] });
    const surface = await engine.run({ type: 'convert', source: source('iges', iges()) }, listener());
    expect(surface).toMatchObject({ artifacts: [{ kind: 'glb' }, { kind: 'properties' }, { kind: 'thumbnail' }] });

    const location = 'https://example.test/box.stp';
    const asm = source(
      'asm',
      Buffer.from(
        JSON.stringify({
          templates: [{ ident: 'box', reference: { location, type: 'stp' } }],
          instances: [
            { ident: 'a', template: 'box' },
            { ident: 'b', template: 'box', transform: [0, 0, 10] },
          ],
        }),
      ),
    );
    const exported = await engine.run(
      {
        type: 'export',
        format: 'STP',
        asmJson: asm,
        files: { [location]: join(workDir, 'part', 'source') },
        name: 'Two',
        time: '2026-01-01T00:00:00.000Z',
      },
      listener(),
    );
    expect(exported).toMatchObject({ artifacts: [{ kind: 'stp' }] });

    const rejected = await engine.run({ type: 'convert', source: source('text', Buffer.from('not STEP')) }, listener());
    expect(rejected).toMatchObject({ error: { code: 'not_step', final: true } });
    const slow = engineOn(report, 'auto', { timeoutSeconds: { convert: 0.05 } });
    for (const restarts of [0, 1]) {
      expect(await slow.run({ type: 'convert', source: join(workDir, 'part', 'source') }, listener())).toMatchObject({
        error: { code: 'timeout' },
      });
      expect(slow.state().slots).toMatchObject([
        { restarts, restartReasons: { timeout: restarts, crash: 0 }, lastError: null },
      ]);
    }
    await Promise.all([engine.stop(), slow.stop()]);
  },
);

test('fails every job in strict mode without a sandbox', async () => {
  const engine = engineOn({ works: false, reason: 'this machine has no sandbox: none', checks: [] }, 'strict');
  const result = await engine.run({ type: 'convert', source: source('closed', await stepOf(box())) }, listener());
  expect(result).toEqual({
    error: {
      code: 'no_sandbox',
      message: 'CAD files cannot be opened here: this machine has no sandbox: none',
      final: true,
    },
  });
  await engine.stop();
});
