import { type CheckName, type Finding, skip, summarizeFindings } from './checks.ts';
import { evaluateRequests } from './evaluate-requests.ts';
import type { MockService } from './mock-service.ts';
import { NoWorkerError, SCENARIOS, type ScenarioContext } from './scenarios.ts';
import type { StartWorker, WorkerHandle } from './worker-process.ts';

type Options = {
  /** Starts the worker; null if the user starts it. */
  start: StartWorker | null;
  /** Runs only the scenarios for these checks; null runs all. */
  only: readonly CheckName[] | null;
  /** Called with the name of each scenario before it runs. */
  onScenario?(name: string): void;
};

/** Runs the scenarios with a worker and returns one finding per check. Throws NoWorkerError if no worker connects. */
export async function checkWorker(
  service: MockService,
  { start, only, onScenario = () => {} }: Options,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const worker = start && restartableWorker(start, service);
  const context: ScenarioContext = { service, claims: [], worker };
  try {
    for (const { name, checks, run } of SCENARIOS) {
      if (only && !checks.some((check) => only.includes(check))) continue;
      // A worker may exit after each job.
      if (worker?.current().exit()) await worker.restart();
      onScenario(name);
      try {
        findings.push(...(await run(context)));
      } catch (error) {
        if (!(error instanceof NoWorkerError)) throw error;
        if (!service.requests.some(({ operation, status }) => operation === 'claim' && status < 400)) break;
        findings.push(...checks.map((check) => skip(check, 'No worker claimed the job of this scenario.')));
      }
    }
    if (!service.requests.length) throw new NoWorkerError(describeMissingWorker(worker?.current().exit()));
  } finally {
    await worker?.current().kill();
  }
  const all = summarizeFindings([
    ...findings,
    ...evaluateRequests(service.requests, context.claims, service.heartbeatSeconds),
  ]);
  return only ? all.filter(({ check }) => only.includes(check)) : all;
}

function describeMissingWorker(exit: ReturnType<WorkerHandle['exit']> | undefined): string {
  if (exit) return `The worker exited (${exit.signal ?? `code ${exit.code}`}) before its first request.`;
  return 'No worker connected within 30 seconds. Check that it uses the URL in PDM_URL and the token in PDM_TOKEN.';
}

function restartableWorker(start: StartWorker, service: MockService): ScenarioContext['worker'] & {} {
  let handle = start(service);
  return {
    current: () => handle,
    restart: async () => {
      await handle.kill();
      handle = start(service);
    },
  };
}
