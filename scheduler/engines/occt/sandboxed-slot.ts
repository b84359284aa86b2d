import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeFrames, encodeFrame, type Frame } from '../../sandbox/frames.ts';
import { type Ended, launch } from '../../sandbox/launch.ts';
import type { Isolation } from '../../sandbox/program.ts';
import { ENGINE_CODE } from '../../sandbox/visible.ts';
import type { EngineListener } from '../engine.ts';
import { type RestartReason, restartCount } from '../restarts.ts';
import type { Answer, Made, Task } from './protocol.ts';
import { REFUSALS, type RefusalCode, refusal } from './refusal.ts';
import type { Slot } from './slot.ts';

const MEGABYTE = 2 ** 20;
const LARGEST_RESULT = 1024 * MEGABYTE;
const MOST_FRAMES = 16;
const FILE_NAMES: Record<Made['kind'], string> = {
  stp: 'model.stp',
  glb: 'model.glb',
  properties: 'properties.json',
  thumbnail: 'thumbnail.png',
};
const KINDS = Object.keys(FILE_NAMES) as Made['kind'][];

/** A slot whose every job is a process of its own in the sandbox: it sees the files of that job and nothing else. Half a second more for each job. */
export function sandboxedSlot(isolation: Isolation): Slot {
  const stopping = new AbortController();
  const restarts = restartCount();
  let busy = false;
  let pid: number | null = null;
  let lastError: string | null = null;
  return {
    async run(task, { timeoutMs, memoryMb }, on) {
      busy = true;
      try {
        const signal = AbortSignal.any([on.signal, stopping.signal]);
        const limits = {
          wallMs: timeoutMs,
          cpuSeconds: Math.ceil((2 * timeoutMs) / 1000),
          memory: memoryMb * MEGABYTE,
          heapMiB: 1024,
          resultBytes: LARGEST_RESULT,
        };
        const program = {
          ...ENGINE_CODE,
          isolation,
          entry: 'scheduler/engines/occt/sandboxed.ts',
          urgent: true,
          input: await inputOf(task),
          limits,
        } as const;
        restarts.started();
        const onStart = (started: number) => {
          pid = started;
        };
        const ended = await launch(program, { onStart, onLine: (line) => hear(line, on), signal });
        const early = earlyEnd(ended);
        if (early && !stopping.signal.aborted) restarts.ended(early);
        const answer = stopping.signal.aborted
          ? refusal('engine_crashed', CRASHED)
          : await answerOf(ended, task, { timeoutMs, memoryMb });
        if ('error' in answer && !REFUSALS[answer.error.code as RefusalCode].final) lastError = answer.error.message;
        return answer;
      } finally {
        busy = false;
        pid = null;
      }
    },
    state: () => ({ pid, busy, ...restarts.state(), lastError }),
    async stop() {
      stopping.abort();
    },
  };
}

const CRASHED = 'the engine process ended while it worked on the job';

// Files go in by name: the sandbox has no folder of the job.
async function inputOf(task: Task): Promise<Buffer> {
  const paths = new Map<string, string>();
  const named = (name: string, path: string): string => {
    paths.set(name, path);
    return name;
  };
  const inside: Task =
    task.type === 'convert'
      ? { ...task, folder: '', source: named('source', task.source) }
      : {
          ...task,
          folder: '',
          asmJson: named('asm.json', task.asmJson),
          files: Object.fromEntries(
            Object.entries(task.files).map(([location, path], index) => [location, named(`file/${index}`, path)]),
          ),
        };
  const frames = [encodeFrame('task.json', Buffer.from(JSON.stringify(inside)))];
  for (const [name, path] of paths) frames.push(encodeFrame(name, await readFile(path)));
  return Buffer.concat(frames);
}

const NEWS = /^::progress (\d{1,3}) ([\w .:-]{1,60})$/;

function hear(line: string, on: EngineListener): void {
  const [, percent, step] = NEWS.exec(line) ?? [];
  if (percent !== undefined && step !== undefined) on.progress(Math.min(100, Number(percent)), step);
  else on.log(line);
}

async function answerOf(
  ended: Ended,
  task: Task,
  { timeoutMs, memoryMb }: { timeoutMs: number; memoryMb: number },
): Promise<Answer> {
  switch (earlyEnd(ended)) {
    case 'cancelled':
      return refusal('cancelled', 'the job was cancelled');
    case 'timeout':
      return refusal('timeout', `the job took longer than ${timeoutMs / 1000} s`);
    case 'memory':
      return refusal('out_of_memory', `the job needed more than ${memoryMb} MB`);
    case 'crash':
      return { ...refusal('engine_crashed', CRASHED), stack: ended.stderr.slice(-2_000) };
  }
  const frames = decodeFrames(ended.result, { maxFrames: MOST_FRAMES });
  const said = JSON.parse(String(frames.find(({ name }) => name === 'answer.json')?.bytes ?? '{}')) as {
    error?: { code: string; message: string };
  };
  if (said.error) return refusal(codeOf(said.error.code), String(said.error.message));
  return kept(frames, task);
}

// Null: it went to its end, whatever it found.
function earlyEnd({ code, why, stderr }: Ended): RestartReason | null {
  if (why === 'cancelled') return 'cancelled';
  if (why === 'wall clock') return 'timeout';
  if (why === 'out of memory') return 'memory';
  if (code === 0) return null;
  return /out of memory|allocation failed|heap limit/i.test(stderr) ? 'memory' : 'crash';
}

// What reads a hostile file may be in its author's hands: an unknown code is not passed on.
function codeOf(code: string): RefusalCode {
  return Object.hasOwn(REFUSALS, code) ? (code as RefusalCode) : 'internal';
}

async function kept(frames: readonly Frame[], { folder }: Task): Promise<Answer> {
  const files = new Map(frames.map(({ name, bytes }) => [name, bytes]));
  const delivered = files.get('delivery');
  if (delivered) {
    const delivery = join(folder, 'documents.tar');
    await writeFile(delivery, delivered);
    return { delivery };
  }
  const made: Made[] = [];
  for (const kind of KINDS) {
    const bytes = files.get(kind);
    if (!bytes) continue;
    const file = join(folder, FILE_NAMES[kind]);
    await writeFile(file, bytes);
    made.push({ kind, file });
  }
  return { made };
}
