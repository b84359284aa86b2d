import { type CheckName, summarizeFindings, type Finding, notTested } from './checks.ts';
import { evaluateRequests } from './evaluate-requests.ts';
import type { MockService } from './mock-service.ts';
import { NoWorkerError, SCENARIOS, type ScenarioContext } from './scenarios.ts';
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
export async function checkWorker(service: MockService, { start, only, on = () => {} }: Options): Promise<Finding[]> {
  const findings: Finding[] = [];
  const worker = start && restartableWorker(start, service);
  const stage: ScenarioContext = { service, claims: [], worker };
  try {
    for (const { name, checks, run } of SCENARIOS) {
      if (only && !checks.some((check) => only.includes(check))) continue;
      // A worker that does one job and ends is none the worse for it.
      if (worker?.now().exit()) await worker.again();
      on(name);
      try {
        findings.push(...(await run(stage)));
      } catch (error) {
        if (!(error instanceof NoWorkerError)) throw error;
        if (!service.requests.some(({ operation, status }) => operation === 'claim' && status < 400)) break;
        findings.push(...checks.map((check) => notTested(check, 'Nobody came for its job.')));
      }
    }
    if (!service.requests.length) throw new NoWorkerError(describeMissingWorker(worker?.now().exit()));
  } finally {
    await worker?.now().kill();
  }
  const all = summarizeFindings([...findings, ...evaluateRequests(service.requests, stage.claims, service.heartbeatSeconds)]);
  return only ? all.filter(({ check }) => only.includes(check)) : all;
}

function describeMissingWorker(exit: ReturnType<WorkerHandle['exit']> | undefined): string {
  if (exit) return `the worker ended (${exit.signal ?? `exit ${exit.code}`}) before it asked for anything.`;
  return 'no worker came within 30 seconds: nothing was asked of the address in PDM_URL with the token in PDM_TOKEN.';
}

function restartableWorker(start: StartWorker, service: MockService): { now(): WorkerHandle; again(): Promise<void> } {
  let handle = start(service);
  return {
    now: () => handle,
    again: async () => {
      await handle.kill();
      handle = start(service);
    },
  };
}
