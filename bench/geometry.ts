// The geometry engine compared with FreeCAD: processor time of a whole conversion (read, mesh, measure, picture, GLB) and
// of FreeCAD's read and mesh of the same STEP file at the same chord error, and of the engine's kernel reading and meshing
// alone, which bounds what the engine can reach. Each system is one process that stays; the order changes by round. Files:
// PDM_STEP_DIR and PDM_CAD_DIR, the FreeCAD documents among them as the STEP files written from them. The
// largest file (.gz) runs once, each time in a process of its own. Needs `freecadcmd`. Run:
// `node launch.mjs bench/geometry.ts`. Targets: 1.2 times at the median of at least 30 files; for 48 MB 1.5 times, with at
// most 1,536 MB of memory.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { convert } from '../scheduler/engines/occt/convert.ts';
import { compileKernel, startKernel } from '../scheduler/engines/occt/kernel.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const FOLDERS = [process.env.PDM_STEP_DIR, process.env.PDM_CAD_DIR].filter((folder) => folder !== undefined);
const TARGET = { ratio: 1.2, largeRatio: 1.5, largeMb: 1536, files: 30 };
const LOWEST_CPU_MS = 20;

type Result = { cpuMs: number; chordErrorMm: number; peakMb: number; steps?: Record<string, number> };
type System = { run(task: { path: string; tolerance: number }): Promise<Result>; stop(): void };

const folder = mkdtempSync(join(tmpdir(), 'bench-geometry-'));
if (spawnSync('freecadcmd', ['--version']).error) console.log('not run: freecadcmd is not installed');
else if (!FOLDERS.length) console.log('not run: PDM_STEP_DIR and PDM_CAD_DIR are not set');
else await measure();
rmSync(folder, { recursive: true });

async function measure(): Promise<void> {
  const files = [...stepFiles(), ...(await stepFilesOfDocuments())];
  const systems = { engine: await startEngine(), kernel: await startEngine('kernel'), FreeCAD: await startFreeCad() };
  const rows: { name: string; bytes: number; ratio: number; kernelRatio: number }[] = [];
  for (const path of files) {
    const times = { engine: [] as number[], kernel: [] as number[], FreeCAD: [] as number[] };
    // the engine chooses the chord error
    const { chordErrorMm: tolerance } = await systems.engine.run({ path, tolerance: 0 });
    const names = Object.keys(systems) as (keyof typeof systems)[];
    for (let round = 0; round < ROUNDS; round++)
      for (const name of round % 2 ? names.toReversed() : names)
        times[name].push((await systems[name].run({ path, tolerance })).cpuMs);
    const [engine, kernel, peer] = [median(times.engine), median(times.kernel), median(times.FreeCAD)];
    const ratio = engine / peer;
    const isTooShort = peer < LOWEST_CPU_MS;
    const note = isTooShort ? ' (too short to compare)' : '';
    console.log(
      `${basename(path)} (${Math.round(statSync(path).size / 1000)} kB): ${engine.toFixed(0)} ms, kernel ${kernel.toFixed(0)} ms, FreeCAD ${peer.toFixed(0)} ms: ${ratio.toFixed(2)}, kernel ${(kernel / peer).toFixed(2)}${note}`,
    );
    if (!isTooShort) rows.push({ name: basename(path), bytes: statSync(path).size, ratio, kernelRatio: kernel / peer });
  }
  for (const system of Object.values(systems)) await system.stop();
  const middle = median(rows.map(({ ratio }) => ratio));
  const kernelMiddle = median(rows.map(({ kernelRatio }) => kernelRatio));
  const few = rows.length < TARGET.files ? `, only ${rows.length} files` : '';
  console.log(
    `${rows.length} files: ${middle.toFixed(2)} times FreeCAD at the median (target: ${TARGET.ratio}${few})${middle > TARGET.ratio ? ': MISSED' : ''}; the kernel alone ${kernelMiddle.toFixed(2)}`,
  );
  await measureLargest();
}

async function measureLargest(): Promise<void> {
  const packed = allFiles().find((path) => path.endsWith('.stp.gz'));
  if (!packed) return console.log('48 MB: not run, the file is missing');
  const path = join(folder, 'large.stp');
  writeFileSync(path, gunzipSync(readFileSync(packed)));
  const run = async (start: () => Promise<System>, tolerance: number) => {
    const system = await start();
    const result = await system.run({ path, tolerance });
    await system.stop();
    return result;
  };
  const engine = await run(startEngine, 0);
  const kernel = await run(() => startEngine('kernel'), engine.chordErrorMm);
  const peer = await run(startFreeCad, engine.chordErrorMm);
  const ratio = engine.cpuMs / peer.cpuMs;
  const isMissed = ratio > TARGET.largeRatio || engine.peakMb > TARGET.largeMb;
  const describe = ({ cpuMs, peakMb }: Result) => `${(cpuMs / 1000).toFixed(1)} s and ${peakMb.toFixed(0)} MB`;
  const steps = Object.entries(engine.steps ?? {}).map(([step, ms]) => `${step} ${(ms / 1000).toFixed(1)} s`);
  console.log(
    `${basename(packed)}: ${describe(engine)} (${steps.join(', ')}), kernel ${describe(kernel)}, FreeCAD ${describe(peer)}: ${ratio.toFixed(2)} (target: ${TARGET.largeRatio} with ${TARGET.largeMb} MB)${isMissed ? ': MISSED' : ''}`,
  );
}

function allFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ).sort();
}

function stepFiles(): string[] {
  return allFiles().filter((path) => /\.(stp|step)$/i.test(path));
}

// FreeCAD reads them as STEP, too: opening a document would not mesh it.
async function stepFilesOfDocuments(): Promise<string[]> {
  const module = await compileKernel();
  const silent = { log: () => {}, progress: () => {} };
  const written: string[] = [];
  for (const path of allFiles().filter((path) => /\.fcstd$/i.test(path))) {
    const bytes = readFileSync(path);
    const kernel = startKernel(module); // one for all calls
    const { stp } = await convert(bytes, () => kernel, 64 * 2 ** 20, silent, basename(path)).catch((error: Error) => {
      console.log(`${basename(path)} is left out: ${error.message}`);
      return { stp: undefined };
    });
    if (!stp) continue;
    written.push(join(folder, `${basename(path)}.stp`));
    writeFileSync(written.at(-1)!, stp);
  }
  return written;
}

async function startEngine(only?: 'kernel'): Promise<System> {
  const script = join(import.meta.dirname, 'peers/geometry-engine.ts');
  const child = spawn(process.execPath, [...process.execArgv, script], { stdio: ['pipe', 'pipe', 'inherit'] });
  return system(child, ({ path, tolerance }) => JSON.stringify({ path, tolerance, only }));
}

async function startFreeCad(): Promise<System> {
  const script = join(import.meta.dirname, 'peers/freecad-mesh.py');
  const child = spawn('freecadcmd', [script], { stdio: ['pipe', 'pipe', 'ignore'] });
  return system(child, ({ path, tolerance }) => `${tolerance}\t${path}`);
}

async function system(
  child: ChildProcess,
  lineOf: (task: { path: string; tolerance: number }) => string,
): Promise<System> {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${child.spawnfile} ended (${child.exitCode ?? child.signalCode})`);
    return value;
  };
  while ((await next()) !== 'ready');
  return {
    async run(task) {
      child.stdin!.write(`${lineOf(task)}\n`);
      for (;;) {
        const line = await next();
        if (line.startsWith('{')) return JSON.parse(line);
      }
    },
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
