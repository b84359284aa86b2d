import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type AssemblyInput, assemble, exportStep } from './assemble.ts';
import { convert } from './convert.ts';
import { causeOf, startKernel } from './kernel.ts';
import type { Answer, FromWorker, Made, Task } from './protocol.ts';
import { Refusal, refusal, refuse } from './refusal.ts';
import type { Report } from './report.ts';
import { archiveOf, split } from './split.ts';

// A thread for one job with a kernel of its own; it ends with the job, so nothing a job leaves behind meets another.
const { module } = workerData as { module: WebAssembly.Module };
const kernel = startKernel(module);
// A kernel that does not start is a fault of the job that needs it, not of the thread that waits for one.
kernel.catch(() => {});
parentPort?.once('message', async (task: Task) => {
  tell({ answer: await answer(() => (task.type === 'convert' && task.split ? takeApart(task) : work(task))) });
});

async function takeApart({ source, folder, maxBytes }: Extract<Task, { split: boolean }>): Promise<Answer> {
  const delivery = join(folder, 'documents.tar');
  writeFileSync(delivery, archiveOf(await split(readFileSync(source), () => kernel, maxBytes, reporter())));
  return { delivery };
}

async function work(task: Task): Promise<Answer> {
  const made = await make(task, reporter());
  const files = KINDS.flatMap((kind) => {
    const bytes = made[kind];
    if (!bytes) return [];
    const file = join(task.folder, FILE_NAMES[kind]);
    writeFileSync(file, bytes);
    return [{ kind, file }];
  });
  return { made: files };
}

type Results = Partial<Record<Made['kind'], Uint8Array>>;

async function make(task: Task, report: Report): Promise<Results> {
  if (task.type === 'convert') return convert(readFileSync(task.source), () => kernel, task.maxBytes, report);
  const oc = await kernel;
  report.progress(5, 'kernel');
  if (task.type === 'assemble') return assemble(oc, inputOf(task), report);
  return { stp: exportStep(oc, inputOf(task), task.time, report) };
}

function inputOf({ asmJson, name, files, maxBytes }: Extract<Task, { asmJson: string }>): AssemblyInput {
  const paths = new Map(Object.entries(files));
  const read = (location: string) =>
    readFileSync(paths.get(location) ?? refuse('missing_file', `${location} was not handed to the engine`));
  return { asmJson: readFileSync(asmJson), name, read, maxBytes };
}

const FILE_NAMES: Record<Made['kind'], string> = {
  stp: 'model.stp',
  glb: 'model.glb',
  properties: 'properties.json',
  thumbnail: 'thumbnail.png',
};
const KINDS = ['stp', 'glb', 'properties', 'thumbnail'] as const;

async function answer(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (thrown) {
    const error = causeOf(thrown);
    if (error instanceof Refusal) return refusal(error.code, error.message);
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { ...refusal('internal', message), stack };
  }
}

function reporter(): Report {
  let last = performance.now();
  return {
    log: (line) => tell({ news: { log: line } }),
    progress: (percent, step) => {
      const now = performance.now();
      tell({ news: { percent, step } });
      tell({ news: { log: `${step}: ${Math.round(now - last)} ms` } });
      last = now;
    },
  };
}

function tell(message: FromWorker): void {
  parentPort?.postMessage(message);
}
