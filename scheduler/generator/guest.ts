// The first program inside the sandbox: one process, one kernel, one run. Frames come in on descriptor 0 (job.json, and the files of the generator below
// tree/) and go out on descriptor 4 (result.json, and the files of the documents). The generator's modules are loaded from memory: they have no folder.
import { readFileSync, writeSync } from 'node:fs';
import { compileKernel, startKernel } from '../engines/occt/kernel.ts';
import { JobFailure } from '../engines/occt/job-failure.ts';
import { decodeFrames, encodeFrame } from '../sandbox/frames.ts';
import { loadGenerator } from './load-generator.ts';
import { createDocuments } from './create-documents.ts';
import type { GuestResult, GuestJob } from './protocol.ts';

const MOST_FRAMES = 6_000;

const frames = new Map(
  decodeFrames(readFileSync(0), { maxFrames: MOST_FRAMES }).map(({ name, bytes }) => [name, bytes]),
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
  const made = await generate(kernel, job.params);
  progress(40, 'modelled');
  const documents = await createDocuments(kernel, made, {
    log: (line) => console.log(line),
    progress: (percent, step) => progress(40 + percent * 0.55, step),
  });
  for (const { key, files } of documents) for (const { kind, bytes } of files) send(`${key}/${kind}`, bytes);
  answer({ documents: documents.map(({ files, ...said }) => ({ ...said, files: files.map(({ kind }) => kind) })) });
} catch (thrown) {
  if (!(thrown instanceof JobFailure)) console.error(thrown instanceof Error ? thrown.stack : thrown);
  const known =
    thrown instanceof JobFailure
      ? thrown
      : new JobFailure('generator_failed', `the generator failed: ${thrown instanceof Error ? thrown.message : thrown}`);
  answer({ error: { code: known.code, message: known.message } });
}
process.exit(0);

function answer(said: GuestResult): void {
  send('result.json', Buffer.from(JSON.stringify(said)));
}

function send(name: string, bytes: Uint8Array): void {
  const frame = encodeFrame(name, bytes);
  for (let sent = 0; sent < frame.length; ) sent += writeSync(4, frame, sent);
}

// A line that the host takes for news; a generator that prints one only misleads about how far it is.
function progress(percent: number, step: string): void {
  console.log(`::progress ${Math.round(percent)} ${step}`);
}
