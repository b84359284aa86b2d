import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { convert } from './convert.ts';
import { startKernel } from './kernel.ts';
import type { Answer, FromWorker, Made, Task } from './protocol.ts';
import { REFUSALS, Refusal } from './refusal.ts';
import type { Report } from './report.ts';

// A thread for one job with a kernel of its own; it ends with the job, so nothing a job leaves behind meets another.
const { module } = workerData as { module: WebAssembly.Module };
const kernel = startKernel(module);
// A kernel that does not start is a fault of the job that needs it, not of the thread that waits for one.
kernel.catch(() => {});
parentPort?.once('message', async (task: Task) => {
  tell({ answer: await answer(() => work(task)) });
});

async function work({ source, folder, maxBytes }: Task): Promise<Made[]> {
  const report = reporter();
  const converted = await convert(readFileSync(source), () => kernel, maxBytes, report);
  const save = (kind: Made['kind'], name: string): Made => {
    const file = join(folder, name);
    writeFileSync(file, converted[kind]);
    return { kind, file };
  };
  return [save('glb', 'model.glb'), save('properties', 'properties.json'), save('thumbnail', 'thumbnail.png')];
}

async function answer(make: () => Promise<Made[]>): Promise<Answer> {
  try {
    return { made: await make() };
  } catch (thrown) {
    if (thrown instanceof Refusal) return { error: { code: thrown.code, message: thrown.message, final: REFUSALS[thrown.code].final } };
    const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { error: { code: 'internal', message, final: REFUSALS.internal.final }, stack };
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
