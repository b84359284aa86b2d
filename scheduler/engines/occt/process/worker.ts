import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type AssemblyInput, assemble, exportBrep, exportStep } from '../assemble.ts';
import { convert } from '../convert.ts';
import { exportFile } from '../export-file.ts';
import { fail, failure, JobFailure } from '../job-failure.ts';
import { type Kernel, rootCause, startKernel } from '../kernel.ts';
import { packSplitResult, splitStep } from '../split-step.ts';
import {
  FILE_NAMES,
  type JobResult,
  type MessageFromWorker,
  RESULT_KINDS,
  type ResultFile,
  type Task,
} from './protocol.ts';
import type { Reporter } from './reporter.ts';

// A worker thread that runs one job with its own kernel and exits, so that no state is shared between jobs.
const { module } = workerData as { module: WebAssembly.Module };
let prepared: Promise<Kernel> | null = startKernel(module);
// A failed kernel start must fail the job that uses the kernel, not the standby thread.
prepared.catch(() => {});
// The first kernel is already starting; others replace one that crashed.
const freshKernel = (): Promise<Kernel> => {
  const kernel = prepared ?? startKernel(module);
  prepared = null;
  return kernel;
};
parentPort?.once('message', async (task: Task) => {
  send({ result: await catchFailures(() => (task.type === 'convert' && task.split ? runSplit(task) : run(task))) });
});

async function runSplit({ source, folder, maxBytes }: Extract<Task, { split: boolean }>): Promise<JobResult> {
  const delivery = join(folder, 'documents.tar');
  writeFileSync(
    delivery,
    packSplitResult(await splitStep(readFileSync(source), freshKernel, maxBytes, createReporter())),
  );
  return { delivery };
}

async function run(task: Task): Promise<JobResult> {
  const results = await computeFiles(task, createReporter());
  const files = RESULT_KINDS.flatMap((kind) => {
    const bytes = results[kind];
    if (!bytes) return [];
    const file = join(task.folder, FILE_NAMES[kind]);
    writeFileSync(file, bytes);
    return [{ kind, file }];
  });
  return { files, isStep: results.isStep };
}

type Results = Partial<Record<ResultFile['kind'], Uint8Array>> & { isStep?: boolean };

async function computeFiles(task: Task, report: Reporter): Promise<Results> {
  if (task.type === 'convert')
    return convert(readFileSync(task.source), freshKernel, task.maxBytes, report, task.fileName);
  if (task.type === 'exportFile') return exportFile(readFileSync(task.source), task, freshKernel, report);
  const oc = await freshKernel();
  report.progress(2, 'kernel');
  if (task.type === 'assemble') return assemble(oc, inputOf(task), report);
  if (task.format === 'BREP') return { brep: exportBrep(oc, inputOf(task), report) };
  return { stp: exportStep(oc, inputOf(task), task.time, report) };
}

function inputOf({ asmJson, name, files, maxBytes }: Extract<Task, { asmJson: string }>): AssemblyInput {
  const paths = new Map(Object.entries(files));
  const read = (location: string) =>
    readFileSync(paths.get(location) ?? fail('missing_file', `${location} was not passed to the engine`));
  return { asmJson: readFileSync(asmJson), name, read, maxBytes };
}

async function catchFailures(work: () => Promise<JobResult>): Promise<JobResult> {
  try {
    return await work();
  } catch (thrown) {
    const error = rootCause(thrown);
    if (error instanceof JobFailure) return failure(error.code, error.message);
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { ...failure('internal', message), stack };
  }
}

function createReporter(): Reporter {
  let last = performance.now();
  return {
    log: (line) => send({ update: { log: line } }),
    progress: (percent, step) => {
      const now = performance.now();
      send({ update: { percent, step } });
      send({ update: { log: `${step}: ${Math.round(now - last)} ms` } });
      last = now;
    },
  };
}

function send(message: MessageFromWorker): void {
  parentPort?.postMessage(message);
}
