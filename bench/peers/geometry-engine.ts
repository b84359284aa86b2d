// Converts STEP files with the built-in engine, or only reads and meshes them with its kernel. Input: a line of JSON per
// file; output: a line of JSON with the processor time in ms, the chord error in mm, and the peak memory in MB.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { convert } from '../../scheduler/engines/occt/convert.ts';
import { compileKernel, startKernel } from '../../scheduler/engines/occt/kernel.ts';
import { checkStep, readStep } from '../../scheduler/engines/occt/read-step.ts';

const MAX_BYTES = 64 * 2 ** 20;
const ANGLE = 0.3;

const module = await compileKernel();
const lines = createInterface({ input: process.stdin });
console.log('ready');
for await (const line of lines) {
  const { path, only, tolerance } = JSON.parse(line) as { path: string; only?: 'kernel'; tolerance?: number };
  // a standby thread has started the kernel before a job arrives
  const kernel = await startKernel(module);
  const steps: Record<string, number> = {};
  const start = process.cpuUsage();
  let last = start;
  let chordErrorMm = tolerance;
  if (only) {
    readStep(kernel, checkStep(readFileSync(path), MAX_BYTES), (shape) => {
      using mesher = new kernel.BRepMesh_IncrementalMesh(shape, tolerance!, false, ANGLE, false);
      if (!mesher.IsDone()) throw new Error(`${path} was not meshed`);
    });
  } else {
    const { glb } = await convert(
      readFileSync(path),
      async () => kernel,
      MAX_BYTES,
      {
        log: () => {},
        progress: (_percent, step) => {
          const now = process.cpuUsage();
          steps[step] = (steps[step] ?? 0) + milliseconds(process.cpuUsage(last));
          last = now;
        },
      },
      path,
    );
    steps.glb = milliseconds(process.cpuUsage(last));
    chordErrorMm = chordErrorOf(glb);
  }
  const cpuMs = milliseconds(process.cpuUsage(start));
  const peakMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ cpuMs, chordErrorMm, peakMb, steps }));
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

function chordErrorOf(glb: Uint8Array): number {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  return JSON.parse(Buffer.from(glb.subarray(20, 20 + length)).toString()).asset.extras.chordErrorMm;
}
