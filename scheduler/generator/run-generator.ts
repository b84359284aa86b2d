import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveFault, readArchive, type TreeFile, writeArchive } from '../../subgraphs/core/domain/jobs/code-archive.ts';
import { counted } from '../../subgraphs/core/domain/text/counted.ts';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import { MANIFEST_FILE, type Manifest, readManifest } from '../../subgraphs/core/domain/jobs/manifest.ts';
import { readRunResult } from '../../subgraphs/core/domain/jobs/run-result.ts';
import type { EngineJob, EngineListener, EngineResult } from '../engines/engine.ts';
import { checkStep } from '../engines/occt/read-step.ts';
import { FAILURES, JobFailure, type FailureCode, failure, fail } from '../engines/occt/job-failure.ts';
import { decodeFrames, encodeFrame, type Frame } from '../sandbox/frames.ts';
import { type ProgramExit, runProgram } from '../sandbox/run-program.ts';
import { type Isolation, LIMITS, type SandboxLimits } from '../sandbox/program.ts';
import { ENGINE_CODE } from '../sandbox/engine-code.ts';
import type { GuestResult, GuestJob } from './protocol.ts';

type Run = Extract<EngineJob, { type: 'run' }>;
type Options = { isolation: Isolation; engine: string; maxBytes: number; limits?: Partial<SandboxLimits> };

// half the memory, and faster for a process of one job
const GUEST = { entry: 'scheduler/generator/guest.ts', nodeFlags: ['--liftoff-only'] };
const MOST_FILES = 5_000;
// 200 documents with 5 files each, and result.json
const MOST_FRAMES = 1_001;
const LONGEST_MESSAGE = 2_000;

/**
 * Runs a generator in the sandbox and packs what it made. Everything that comes out is a stranger's: names, kinds and counts are checked, STEP files parsed
 * again, and only what passes is delivered. Never throws for what a generator does: every fault is an answer with a code.
 */
export async function runGenerator(
  { archive, params }: Run,
  { isolation, engine, maxBytes, limits }: Options,
  on: EngineListener,
): Promise<EngineResult> {
  try {
    const { manifest, files } = await generatorIn(archive);
    on.log(
      `${manifest.name} ${manifest.version}: ${counted(files.length, 'file')}, begins with ${manifest.entry}, isolation ${isolation.mode}`,
    );
    const job: GuestJob = { entry: manifest.entry, params };
    const input = [
      encodeFrame('job.json', Buffer.from(JSON.stringify(job))),
      ...files.map(({ path, bytes }) => encodeFrame(`tree/${path}`, bytes)),
    ];
    const program = {
      ...ENGINE_CODE,
      ...GUEST,
      isolation,
      input: Buffer.concat(input),
      limits: { ...LIMITS, ...limits },
    };
    const ended = await runProgram(program, { onLine: (line) => hear(line, on), signal: on.signal });
    const frames = framesOf(ended, program.limits);
    const documents = documentsOf(frames);
    on.progress(97, 'checked');
    const said = {
      generator: { name: manifest.name, version: manifest.version },
      engine,
      isolation: isolation.mode,
      documents,
    };
    const delivery = packed(said, frames, maxBytes);
    const folder = join(dirname(archive), 'result');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'result.tar'), delivery);
    on.log(`made ${counted(documents.length, 'document')}`);
    return { delivery: join(folder, 'result.tar') };
  } catch (error) {
    if (error instanceof JobFailure) return failure(error.code, error.message);
    throw error;
  }
}

async function generatorIn(archive: string): Promise<{ manifest: Manifest; files: TreeFile[] }> {
  try {
    const files = readArchive(await readFile(archive), { maxFiles: MOST_FILES });
    const text = files.find(({ path }) => path === MANIFEST_FILE)?.bytes ?? new Uint8Array();
    const paths = files.map(({ path }) => path);
    return { manifest: readManifest(Buffer.from(text).toString(), paths), files };
  } catch (error) {
    if (error instanceof ArchiveFault || error instanceof DomainError)
      return fail('generator_manifest', `the code cannot be run: ${error.message}`);
    throw error;
  }
}

const NEWS = /^::progress (\d{1,3}) ([\w .:-]{1,60})$/;

function hear(line: string, on: EngineListener): void {
  const [, percent, step] = NEWS.exec(line) ?? [];
  if (percent !== undefined && step !== undefined) on.progress(Math.min(95, Number(percent)), step);
  else on.log(line);
}

function framesOf({ code, killReason: why, stderr, result }: ProgramExit, { wallMs, memory }: SandboxLimits): Frame[] {
  if (why === 'cancelled') fail('cancelled', 'the job was cancelled');
  if (why === 'wall clock') fail('timeout', `the generator took longer than ${wallMs / 1000} s`);
  if (why && why !== 'out of memory') fail('generator_output', `the generator was ended: ${why}`);
  if (why || (code !== 0 && /out of memory|allocation failed|heap limit/i.test(stderr)))
    fail('out_of_memory', `the generator needed more than ${memory / 2 ** 20} MB`);
  if (code !== 0) fail('generator_failed', `the generator ended its process (${code ?? 'killed'})`);
  try {
    return decodeFrames(result, { maxFrames: MOST_FRAMES });
  } catch (error) {
    return fail(
      'generator_output',
      `what the generator made cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function documentsOf(frames: readonly Frame[]): unknown[] {
  const said = frames.find(({ name }) => name === 'result.json');
  if (!said) return fail('generator_failed', 'the generator ended its process');
  const answer = parsed(said.bytes.toString());
  if ('error' in answer) {
    const { code, message } = answer.error;
    throw new JobFailure(codeOf(code), String(message).slice(0, LONGEST_MESSAGE));
  }
  return answer.documents;
}

function parsed(text: string): GuestResult {
  try {
    const answer: unknown = JSON.parse(text);
    if (
      typeof answer === 'object' &&
      answer !== null &&
      ('documents' in answer || ('error' in answer && typeof answer.error === 'object' && answer.error))
    )
      return answer as GuestResult;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return fail('generator_output', 'what the generator made cannot be read: its result.json is none');
}

// The code comes out of the sandbox as well: any that this engine does not know is not passed on.
function codeOf(code: unknown): FailureCode {
  return typeof code === 'string' && Object.hasOwn(FAILURES, code) ? (code as FailureCode) : 'generator_failed';
}

function packed(said: { documents: unknown[] }, frames: readonly Frame[], maxBytes: number): Buffer {
  const files = frames.filter(({ name }) => name !== 'result.json').map(({ name, bytes }) => ({ path: name, bytes }));
  try {
    const archive = writeArchive([{ path: 'result.json', bytes: Buffer.from(JSON.stringify(said)) }, ...files]);
    for (const { key, files: made } of readRunResult(archive).documents)
      for (const { kind, bytes } of made) if (kind === 'stp') checkedStep(key, Buffer.from(bytes), maxBytes);
    return archive;
  } catch (error) {
    if (error instanceof ArchiveFault || error instanceof DomainError) return fail('generator_output', error.message);
    throw error;
  }
}

function checkedStep(key: string, bytes: Buffer, maxBytes: number): void {
  try {
    checkStep(bytes, maxBytes);
  } catch (error) {
    if (error instanceof JobFailure) fail('generator_output', `the STEP file of ${key} is damaged: ${error.message}`);
    throw error;
  }
}
