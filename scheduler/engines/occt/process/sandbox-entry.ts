// Entry point in the sandbox for jobs with CAD files: one process, one kernel, one job. Frames are read from
// descriptor 0 (task.json and its input files) and written to descriptor 4 (result.json and the output files).
import { readFileSync, writeSync } from 'node:fs';
import { decodeFrames, encodeFrame } from '../../../sandbox/frames.ts';
import { type AssemblyInput, assemble, exportBrep, exportStep } from '../assemble.ts';
import { convert } from '../convert.ts';
import { exportFile } from '../export-file.ts';
import { fail, JobFailure } from '../job-failure.ts';
import { compileKernel, rootCause, startKernel } from '../kernel.ts';
import { packSplitResult, splitStep } from '../split-step.ts';
import type { ResultFile, Task } from './protocol.ts';
import type { Reporter } from './reporter.ts';

const MAX_FRAMES = 20_010;
const frames = new Map(
  decodeFrames(readFileSync(0), { maxFrames: MAX_FRAMES, maxName: 4_096 }).map(({ name, bytes }) => [name, bytes]),
);
let compiled: Promise<WebAssembly.Module> | undefined;
const createKernel = async () => {
  compiled ??= compileKernel();
  return startKernel(await compiled);
};

try {
  const task = JSON.parse(String(frames.get('task.json'))) as Task;
  const { isStep, ...files } = await runTask(task);
  for (const [name, bytes] of Object.entries(files)) if (bytes) send(name, bytes);
  sendResult({ isStep });
} catch (thrown) {
  const error = rootCause(thrown);
  if (!(error instanceof JobFailure)) throw error;
  sendResult({ error: { code: error.code, message: error.message } });
}
process.exit(0);

type Results = { [Name in ResultFile['kind'] | 'delivery']?: Uint8Array } & { isStep?: boolean };

async function runTask(task: Task): Promise<Results> {
  const report = createReporter();
  if (task.type === 'convert' && task.split)
    return {
      delivery: packSplitResult(await splitStep(requireFrame(task.source), createKernel, task.maxBytes, report)),
    };
  if (task.type === 'convert')
    return { ...(await convert(requireFrame(task.source), createKernel, task.maxBytes, report, task.fileName)) };
  if (task.type === 'exportFile') return exportFile(requireFrame(task.source), task, createKernel, report);
  const oc = await createKernel();
  report.progress(2, 'kernel');
  const { name, maxBytes } = task;
  const input: AssemblyInput = {
    asmJson: requireFrame(task.asmJson),
    name,
    read: (location) => requireFrame(task.files[location] ?? location),
    maxBytes,
  };
  if (task.type === 'assemble') return { ...(await assemble(oc, input, report)) };
  if (task.format === 'BREP') return { brep: exportBrep(oc, input, report) };
  return { stp: exportStep(oc, input, task.time, report) };
}

function requireFrame(name: string): Buffer {
  return frames.get(name) ?? fail('missing_file', `${name} was not passed to the engine`);
}

function createReporter(): Reporter {
  let last = performance.now();
  return {
    log: (line) => console.log(line),
    progress: (percent, step) => {
      const now = performance.now();
      console.log(`::progress ${Math.round(percent)} ${step}`);
      console.log(`${step}: ${Math.round(now - last)} ms`);
      last = now;
    },
  };
}

function sendResult(result: object): void {
  send('result.json', Buffer.from(JSON.stringify(result)));
}

function send(name: string, bytes: Uint8Array): void {
  const frame = encodeFrame(name, bytes);
  for (let sent = 0; sent < frame.length; ) sent += writeSync(4, frame, sent);
}
