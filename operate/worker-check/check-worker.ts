import { type CheckName, concluded, type Finding, notSeen } from './checks.ts';
import { judgeJournal } from './judge-journal.ts';
import type { PlayedService } from './played-service.ts';
import { NoWorker, SCENES, type Stage } from './scenes.ts';
import type { StartWorker, WorkerHandle } from './worker-process.ts';

type Options = {
  /** Starts the worker; null: it is started by somebody else. */
  start: StartWorker | null;
  /** Only what is needed for these checks; null: all. */
  only: readonly CheckName[] | null;
  /** Hears which scene begins. */
  on?(scene: string): void;
};

/** Plays the scenes with a worker and answers one finding for each check. Throws NoWorker when none came at all. */
export async function checkWorker(service: PlayedService, { start, only, on = () => {} }: Options): Promise<Finding[]> {
  const findings: Finding[] = [];
  const worker = start && restartable(start, service);
  const stage: Stage = { service, held: [], worker };
  try {
    for (const { name, shows, play } of SCENES) {
      if (only && !shows.some((check) => only.includes(check))) continue;
      // A worker that does one job and ends is none the worse for it.
      if (worker?.now().exit()) await worker.again();
      on(name);
      try {
        findings.push(...(await play(stage)));
      } catch (error) {
        if (!(error instanceof NoWorker)) throw error;
        if (!service.journal.some(({ deed, status }) => deed === 'claim' && status < 400)) break;
        findings.push(...shows.map((check) => notSeen(check, 'Nobody came for its job.')));
      }
    }
    if (!service.journal.length) throw new NoWorker(whyNobody(worker?.now().exit()));
  } finally {
    await worker?.now().kill();
  }
  const all = concluded([...findings, ...judgeJournal(service.journal, stage.held, service.heartbeatSeconds)]);
  return only ? all.filter(({ check }) => only.includes(check)) : all;
}

function whyNobody(exit: ReturnType<WorkerHandle['exit']> | undefined): string {
  if (exit) return `the worker ended (${exit.signal ?? `exit ${exit.code}`}) before it asked for anything.`;
  return 'no worker came within 30 seconds: nothing was asked of the address in PDM_URL with the token in PDM_TOKEN.';
}

function restartable(start: StartWorker, service: PlayedService): { now(): WorkerHandle; again(): Promise<void> } {
  let handle = start(service);
  return {
    now: () => handle,
    again: async () => {
      await handle.kill();
      handle = start(service);
    },
  };
}
