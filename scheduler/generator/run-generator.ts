import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import {
  ArchiveError,
  readArchive,
  type TreeFile,
  writeArchive,
} from '../../subgraphs/core/domain/jobs/code-archive.ts';
import { MANIFEST_FILE, type Manifest, parseManifest } from '../../subgraphs/core/domain/jobs/manifest.ts';
import { parseRunResult } from '../../subgraphs/core/domain/jobs/run-result.ts';
import { pluralize } from '../../subgraphs/core/domain/text/pluralize.ts';
import type { EngineJob, EngineListener, EngineResult } from '../engines/engine.ts';
import { FAILURES, type FailureCode, fail, failure, JobFailure } from '../engines/occt/job-failure.ts';
import { checkStep } from '../engines/occt/read-step.ts';
import { ENGINE_CODE } from '../sandbox/engine-code.ts';
import { decodeFrames, encodeFrame, type Frame } from '../sandbox/frames.ts';
import { type Isolation, LIMITS, type SandboxLimits } from '../sandbox/program.ts';
import { type ProgramExit, runProgram } from '../sandbox/run-program.ts';
import type { GuestJob, GuestResult } from './protocol.ts';

type Run = Extract<EngineJob, { type: 'run' }>;
type Options = { isolation: Isolation; engine: string; maxBytes: number; limits?: Partial<SandboxLimits> };

// --liftoff-only halves the memory and is faster for a process that runs one job
const GUEST = { entry: 'scheduler/generator/guest.ts', nodeFlags: ['--liftoff-only'] };
const MAX_FILES = 5_000;
// 200 documents with 5 files each, and result.json
const MAX_FRAMES = 1_001;
const MAX_MESSAGE_LENGTH = 2_000;

/**
 * Runs a generator in the sandbox and packs its results. All output is untrusted: names, kinds and counts are validated
 * and STEP files are parsed again before delivery. Never throws for an error of the generator: every failure is
 * returned with a code.
 */
export async function runGenerator(
  { archive, params }: Run,
  { isolation, engine, maxBytes, limits }: Options,
  on: EngineListener,
): Promise<EngineResult> {
  try {
    const { manifest, files } = await readGenerator(archive);
    on.log(
      `${manifest.name} ${manifest.version}: ${pluralize(files.length, 'file')}, entry ${manifest.entry}, isolation ${isolation.mode}`,
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
    const exit = await runProgram(program, { onLine: (line) => onOutput(line, on), signal: on.signal });
    const frames = readFrames(exit, program.limits);
    const documents = readDocuments(frames);
    on.progress(97, 'validated');
    const result = {
      generator: { name: manifest.name, version: manifest.version },
      engine,
      isolation: isolation.mode,
      documents,
    };
    const delivery = packResult(result, frames, maxBytes);
    const folder = join(dirname(archive), 'result');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'result.tar'), delivery);
    on.log(`created ${pluralize(documents.length, 'document')}`);
    return { delivery: join(folder, 'result.tar') };
  } catch (error) {
    if (error instanceof JobFailure) return failure(error.code, error.message);
    throw error;
  }
}

async function readGenerator(archive: string): Promise<{ manifest: Manifest; files: TreeFile[] }> {
  try {
    const files = readArchive(await readFile(archive), { maxFiles: MAX_FILES });
    const text = files.find(({ path }) => path === MANIFEST_FILE)?.bytes ?? new Uint8Array();
    const paths = files.map(({ path }) => path);
    return { manifest: parseManifest(Buffer.from(text).toString(), paths), files };
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof DomainError)
      return fail('generator_manifest', `cannot read the generator: ${error.message}`);
    throw error;
  }
}

const PROGRESS = /^::progress (\d{1,3}) ([\w .:-]{1,60})$/;

function onOutput(line: string, on: EngineListener): void {
  const [, percent, step] = PROGRESS.exec(line) ?? [];
  if (percent !== undefined && step !== undefined) on.progress(Math.min(95, Number(percent)), step);
  else on.log(line);
}

function readFrames({ code, killReason, stderr, result }: ProgramExit, { wallMs, memory }: SandboxLimits): Frame[] {
  if (killReason === 'cancelled') fail('cancelled', 'the job was cancelled');
  if (killReason === 'wall clock') fail('timeout', `the generator took longer than ${wallMs / 1000} s`);
  if (killReason && killReason !== 'out of memory')
    fail('generator_output', `the generator was stopped: ${killReason}`);
  if (killReason || (code !== 0 && /out of memory|allocation failed|heap limit/i.test(stderr)))
    fail('out_of_memory', `the generator needed more than ${memory / 2 ** 20} MB`);
  if (code !== 0) fail('generator_failed', `the generator ended its process (${code ?? 'killed'})`);
  try {
    return decodeFrames(result, { maxFrames: MAX_FRAMES });
  } catch (error) {
    const message = error instanceof Error ? error.message : error;
    return fail('generator_output', `cannot read the output of the generator: ${message}`);
  }
}

function readDocuments(frames: readonly Frame[]): unknown[] {
  const frame = frames.find(({ name }) => name === 'result.json');
  if (!frame) return fail('generator_failed', 'the generator ended its process');
  const result = parseResult(frame.bytes.toString());
  if ('error' in result) {
    const { code, message } = result.error;
    throw new JobFailure(toFailureCode(code), String(message).slice(0, MAX_MESSAGE_LENGTH));
  }
  return result.documents;
}

function parseResult(text: string): GuestResult {
  try {
    const result: unknown = JSON.parse(text);
    if (
      typeof result === 'object' &&
      result !== null &&
      ('documents' in result || ('error' in result && typeof result.error === 'object' && result.error))
    )
      return result as GuestResult;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return fail('generator_output', 'cannot read the output of the generator: result.json is not valid');
}

// The code comes from the sandbox and is untrusted: an unknown code is replaced.
function toFailureCode(code: unknown): FailureCode {
  return typeof code === 'string' && Object.hasOwn(FAILURES, code) ? (code as FailureCode) : 'generator_failed';
}

function packResult(result: { documents: unknown[] }, frames: readonly Frame[], maxBytes: number): Buffer {
  const files = frames.filter(({ name }) => name !== 'result.json').map(({ name, bytes }) => ({ path: name, bytes }));
  try {
    const archive = writeArchive([{ path: 'result.json', bytes: Buffer.from(JSON.stringify(result)) }, ...files]);
    for (const { key, files: documentFiles } of parseRunResult(archive).documents)
      for (const { kind, bytes } of documentFiles)
        if (kind === 'stp') assertValidStep(key, Buffer.from(bytes), maxBytes);
    return archive;
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof DomainError) return fail('generator_output', error.message);
    throw error;
  }
}

function assertValidStep(key: string, bytes: Buffer, maxBytes: number): void {
  try {
    if (checkStep(bytes, maxBytes).unpacked) fail('generator_output', `the STEP file of ${key} is compressed`);
  } catch (error) {
    if (error instanceof JobFailure && error.code !== 'generator_output')
      fail('generator_output', `the STEP file of ${key} is damaged: ${error.message}`);
    throw error;
  }
}
