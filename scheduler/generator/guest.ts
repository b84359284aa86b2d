// The guest program in the sandbox: runs one generator with one kernel. It reads frames from descriptor 0 (job.json,
// and the generator's files below tree/) and writes frames to descriptor 4 (result.json and the files of the
// documents). The generator's modules are loaded from memory.
import { readFileSync, writeSync } from 'node:fs';
import { JobFailure } from '../engines/occt/job-failure.ts';
import { compileKernel, startKernel } from '../engines/occt/kernel.ts';
import { decodeFrames, encodeFrame } from '../sandbox/frames.ts';
import { createDocuments } from './create-documents.ts';
import { loadGenerator } from './load-generator.ts';
import type { GuestJob, GuestResult } from './protocol.ts';

const MAX_FRAMES = 6_000;

const frames = new Map(
  decodeFrames(readFileSync(0), { maxFrames: MAX_FRAMES }).map(({ name, bytes }) => [name, bytes]),
);
const job = JSON.parse(String(frames.get('job.json'))) as GuestJob;
const modules = new Map(
  [...frames].flatMap(([name, bytes]) =>
    name.startsWith('tree/') ? [[name.slice('tree/'.length), bytes.toString()]] : [],
  ),
);

try {
  const generate = await loadGenerator(job.entry, modules);
  const kernel = await startKernel(await compileKernel());
  progress(10, 'kernel');
  const returned = await generate(kernel, job.params);
  progress(40, 'modeled');
  const documents = await createDocuments(kernel, returned, {
    log: (line) => console.log(line),
    progress: (percent, step) => progress(40 + percent * 0.55, step),
  });
  for (const { key, files } of documents) for (const { kind, bytes } of files) send(`${key}/${kind}`, bytes);
  sendResult({
    documents: documents.map(({ files, ...document }) => ({ ...document, files: files.map(({ kind }) => kind) })),
  });
} catch (thrown) {
  if (!(thrown instanceof JobFailure)) console.error(thrown instanceof Error ? thrown.stack : thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = thrown instanceof JobFailure ? thrown.code : 'generator_failed';
  sendResult({ error: { code, message: thrown instanceof JobFailure ? message : `the generator failed: ${message}` } });
}
process.exit(0);

function sendResult(result: GuestResult): void {
  send('result.json', Buffer.from(JSON.stringify(result)));
}

function send(name: string, bytes: Uint8Array): void {
  const frame = encodeFrame(name, bytes);
  for (let sent = 0; sent < frame.length; ) sent += writeSync(4, frame, sent);
}

// The scheduler parses this line as progress. A generator that prints one can only misreport its own progress.
function progress(percent: number, step: string): void {
  console.log(`::progress ${Math.round(percent)} ${step}`);
}
