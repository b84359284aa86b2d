// Runs valid and faulty generators: in the sandbox if this machine supports it, otherwise as child processes with a
// warning.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArchive, writeArchive } from '../../subgraphs/core/domain/jobs/code-archive.ts';
import { testIsolation } from '../../test/support/isolation.ts';
import type { EngineResult } from '../engines/engine.ts';
import { fakeEngine } from '../engines/fake-engine.ts';
import { TEST_PROGRAM } from '../sandbox/probe.ts';
import type { SandboxLimits } from '../sandbox/program.ts';
import { runProgram } from '../sandbox/run-program.ts';
import { createSandbox } from '../sandbox/sandbox.ts';
import { runGenerator } from './run-generator.ts';
import { withGeneratorRuns } from './with-generator-runs.ts';

const guest = join(import.meta.dirname, '../sandbox/guest');
const isolation = testIsolation();
const hasSandbox = await runProgram({
  ...TEST_PROGRAM,
  isolation,
  tree: guest,
  entry: '/gen/echo.mjs',
  input: Buffer.from('x'),
}).then(
  ({ result }) => result.length === 1,
  () => false,
);
if (!hasSandbox)
  console.warn('REDUCED: generators run as child processes in this test, because this machine has no sandbox');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pdm-run-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let runs = 0;
async function run(
  source: string,
  { params = {}, files = {}, limits = {}, entry = 'gen.ts', signal = new AbortController().signal }: RunInput = {},
): Promise<{ result: EngineResult; log: string[] }> {
  const runFolder = mkdtempSync(join(folder, `${runs++}-`));
  const sources = {
    'generator.json': JSON.stringify({ name: 'test', version: '1', entry }),
    [entry]: source,
    ...files,
  };
  writeFileSync(
    join(runFolder, 'code'),
    writeArchive(Object.entries(sources).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))),
  );
  const log: string[] = [];
  const on = { log: (line: string) => void log.push(line), progress: () => undefined, signal };
  const options = {
    isolation: hasSandbox ? isolation : ({ mode: 'trusted' } as const),
    engine: 'pdm-occt/1.0.0',
    maxBytes: 2 ** 26,
    limits,
  } as const;
  return { result: await runGenerator({ type: 'run', archive: join(runFolder, 'code'), params }, options, on), log };
}
type RunInput = {
  params?: Record<string, unknown>;
  files?: Record<string, string>;
  limits?: Partial<SandboxLimits>;
  entry?: string;
  signal?: AbortSignal;
};
const failed = (code: string, message: string) => ({
  error: { code, message: expect.stringContaining(message), final: true },
});

const BOX = `import { title } from './部品/題.ts';
import { makeBaseBox } from 'replicad';
import data from './data.json' with { type: 'json' };
type Params = { size: number };
export default ({ size }: Params, { cad }: { cad: unknown }) => {
  console.log('a log line', typeof cad);
  return [
    { key: 'pair', kind: 'assembly', name: 'Pair', instances: [{ template: 'box' }, { ident: 'upper', template: 'box', transform: [0, 0, size] }] },
    { key: 'box', kind: 'model', name: title(size, data.unit), shape: makeBaseBox(size, size, size), color: [255, 128, 0] },
  ];
};`;
const FILES = {
  '部品/題.ts': 'export const title = (size: number, unit: string): string => ["Box", size, unit].join(" ");',
  'data.json': '{"unit":"mm"}',
};

test('runs a TypeScript generator with imports, reproducibly, and logs its output', {
  timeout: 120_000,
}, async () => {
  const input = { params: { size: 10 }, files: FILES, entry: '箱.ts' };
  const [first, second] = await Promise.all([run(BOX, input), run(BOX, input)]);
  if (!('delivery' in first.result) || !('delivery' in second.result)) throw new Error(JSON.stringify(first.result));
  const bytes = readFileSync(first.result.delivery);
  expect(bytes.equals(readFileSync(second.result.delivery))).toBe(true);
  const files = new Map(
    readArchive(bytes, { maxFiles: 99 }).map(({ path, bytes }) => [path, Buffer.from(bytes).toString('latin1')]),
  );
  const result = JSON.parse(files.get('result.json') ?? '');
  expect(result).toMatchObject({
    generator: { name: 'test', version: '1' },
    isolation: hasSandbox ? isolation.mode : 'trusted',
    documents: [{ key: 'pair' }, { key: 'box', name: 'Box 10 mm' }],
  });
  const propertiesOf = (key: string) => JSON.parse(files.get(`${key}/properties`) ?? '');
  expect([propertiesOf('box').volume, propertiesOf('pair').volume, propertiesOf('pair').boundingBox.size]).toEqual([
    1000,
    2000,
    [10, 10, 20],
  ]);
  expect(JSON.parse(files.get('pair/asm-json') ?? '').templates).toEqual([
    { ident: 'box', type: 'part', reference: { location: 'generated:box' } },
  ]);
  // the color of the model, as sRGB in STEP and as linear RGB in GLB, also in the assembly
  for (const key of ['box', 'pair']) {
    expect(files.get(`${key}/stp`)).toMatch(/COLOUR_RGB\('',1\.,0\.50\d+,0\.\)/);
    expect(files.get(`${key}/glb`)).toMatch(/"baseColorFactor":\[1,0\.215\d+,0,1\]/);
  }
  expect(first.log).toContain('a log line object');
});

describe.concurrent('returns the error of a generator that', () => {
  test.each<[string, string, RunInput, object]>([
    [
      'imports a module of Node',
      'import fs from "node:fs"; export default () => fs;',
      {},
      failed('generator_import', 'not node:fs'),
    ],
    [
      'imports a file outside its folder',
      'import "../../etc/passwd"; export default () => [];',
      {},
      failed('generator_import', 'not ../../etc/passwd'),
    ],
    ['exports nothing', 'export const a = 1;', {}, failed('generator_entry', 'must export a function as default')],
    [
      'throws',
      'export default () => { throw new Error("parameter does not fit"); };',
      {},
      failed('generator_failed', 'parameter does not fit'),
    ],
    ['ends its process', 'export default () => process.exit(3);', {}, failed('generator_failed', 'ended its process')],
    ['returns nothing', 'export default () => undefined;', {}, failed('generator_output', '1 to 200 documents')],
    [
      'returns an invalid color',
      'import { makeBaseBox } from "replicad"; export default () => [{ key: "a", kind: "model", name: "A", shape: makeBaseBox(1, 1, 1), color: [0, 0.5, 1] }];',
      {},
      failed('generator_output', 'model a: color must be red, green and blue'),
    ],
    [
      'returns an unknown field',
      'export default () => [{ key: "a", kind: "assembly", name: "A", instances: [{ template: "b", trasform: [0, 0, 1] }] }];',
      {},
      failed('generator_output', 'instance 1 of assembly a has an unknown field trasform'),
    ],
    [
      'does not terminate',
      'export default () => { for (;;); };',
      { limits: { wallMs: 4_000 } },
      failed('timeout', 'longer than 4 s'),
    ],
    [
      'forges a result frame',
      `const fs = process.getBuiltinModule('node:fs');
       const frame = (name, bytes) => { const head = Buffer.alloc(8); head.writeUInt32LE(name.length, 0); head.writeUInt32LE(bytes.length, 4); return Buffer.concat([head, Buffer.from(name), bytes]); };
       export default () => { fs.writeSync(4, frame('result.json', Buffer.from('{"documents":[{"key":"../x","kind":"model","name":"X"}]}'))); process.exit(0); };`,
      { entry: 'gen.mjs' },
      failed('generator_output', '/documents/0/key'),
    ],
  ])('%s', { timeout: 120_000 }, async (_case, source, input, expected) => {
    expect((await run(source, input)).result).toEqual(expected);
  });

  test('is cancelled', async () => {
    const signal = AbortSignal.timeout(200);
    expect((await run('export default () => { for (;;); };', { signal })).result).toEqual(
      failed('cancelled', 'cancelled'),
    );
  });
});

test('executes no generator without a sandbox', async () => {
  const probe = async () => ({ works: false, reason: 'this machine has no sandbox: none', checks: [] });
  const engine = withGeneratorRuns(fakeEngine(), {
    isolation: { mode: 'strict' },
    sandbox: createSandbox(() => undefined, { mode: 'strict' }, probe),
    seconds: 60,
    maxStepMb: 64,
    log: () => undefined,
  });
  const on = { log: () => undefined, progress: () => undefined, signal: new AbortController().signal };
  expect(engine.types).toEqual(['convert', 'run']);
  expect(engine.state().sandbox).toMatchObject({ mode: 'strict', works: null });
  expect(await engine.run({ type: 'run', archive: '/nowhere', params: {} }, on)).toEqual(
    failed('no_sandbox', 'generators are disabled: this machine has no sandbox'),
  );
  expect(engine.state().sandbox).toMatchObject({ works: false, reason: expect.stringContaining('no sandbox') });
  await engine.stop();
});

test('does not wait for the probe of the sandbox when the run is cancelled or the engine stops', async () => {
  const engine = withGeneratorRuns(fakeEngine(), {
    isolation: { mode: 'strict' },
    sandbox: createSandbox(
      () => undefined,
      { mode: 'strict' },
      () => new Promise(() => {}),
    ),
    seconds: 60,
    maxStepMb: 64,
    log: () => undefined,
  });
  const cancel = new AbortController();
  const running = [cancel.signal, new AbortController().signal].map((signal) =>
    engine.run(
      { type: 'run', archive: '/nowhere', params: {} },
      { log: () => undefined, progress: () => undefined, signal },
    ),
  );
  cancel.abort();
  await engine.stop();
  expect(await Promise.all(running)).toMatchObject([
    { error: { code: 'cancelled' } },
    { error: { code: 'engine_crashed' } },
  ]);
});
