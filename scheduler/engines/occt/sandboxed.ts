// The first program inside the sandbox when a CAD file is opened: one process, one kernel, one job. Frames come in on descriptor 0 (task.json and the
// files it names) and go out on descriptor 4 (answer.json and the files made).
import { readFileSync, writeSync } from 'node:fs';
import { decodeFrames, encodeFrame } from '../../sandbox/frames.ts';
import { type AssemblyInput, assemble, exportStep } from './assemble.ts';
import { convert } from './convert.ts';
import { causeOf, compileKernel, startKernel } from './kernel.ts';
import type { Task } from './protocol.ts';
import { Refusal, refuse } from './refusal.ts';
import type { Report } from './report.ts';
import { archiveOf, split } from './split.ts';

const MOST_FRAMES = 20_010;
const frames = new Map(
  decodeFrames(readFileSync(0), { maxFrames: MOST_FRAMES, maxName: 4_096 }).map(({ name, bytes }) => [name, bytes]),
);
const kernel = async () => startKernel(await compileKernel());

try {
  const task = JSON.parse(String(frames.get('task.json'))) as Task;
  for (const [name, bytes] of Object.entries(await make(task))) if (bytes) send(name, bytes);
  answer({});
} catch (thrown) {
  const error = causeOf(thrown);
  if (!(error instanceof Refusal)) throw error;
  answer({ error: { code: error.code, message: error.message } });
}
process.exit(0);

async function make(task: Task): Promise<Record<string, Uint8Array | undefined>> {
  const report = reporter();
  if (task.type === 'convert' && task.split)
    return { delivery: archiveOf(await split(fileOf(task.source), kernel, task.maxBytes, report)) };
  if (task.type === 'convert') return { ...(await convert(fileOf(task.source), kernel, task.maxBytes, report)) };
  const oc = await kernel();
  report.progress(5, 'kernel');
  const { name, maxBytes } = task;
  const input: AssemblyInput = {
    asmJson: fileOf(task.asmJson),
    name,
    read: (location) => fileOf(task.files[location] ?? location),
    maxBytes,
  };
  return task.type === 'assemble'
    ? { ...(await assemble(oc, input, report)) }
    : { stp: exportStep(oc, input, task.time, report) };
}

function fileOf(name: string): Buffer {
  return frames.get(name) ?? refuse('missing_file', `${name} was not handed to the engine`);
}

function reporter(): Report {
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

function answer(said: object): void {
  send('answer.json', Buffer.from(JSON.stringify(said)));
}

function send(name: string, bytes: Uint8Array): void {
  const frame = encodeFrame(name, bytes);
  for (let sent = 0; sent < frame.length; ) sent += writeSync(4, frame, sent);
}
