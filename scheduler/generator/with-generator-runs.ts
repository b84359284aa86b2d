import { setTimeout as wait } from 'node:timers/promises';
import type { Engine, EngineResult, EngineSlot } from '../engines/engine.ts';
import { failure } from '../engines/occt/job-failure.ts';
import { delegatedCgroup } from '../sandbox/cgroup.ts';
import type { Isolation } from '../sandbox/program.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { runGenerator } from './run-generator.ts';

export type RunOptions = {
  isolation: Isolation;
  sandbox: Sandbox;
  seconds: number;
  maxStepMb: number;
  log(line: object): void;
};

const MEGABYTE = 2 ** 20;
const UNKNOWN = { holds: null, reason: null, checks: [] };
const OFF = { holds: false, reason: 'PDM_SANDBOX=trusted', checks: [] };

/**
 * The same engine, and it also runs generators: each in a sandbox of its own. Fails closed: where the sandbox does not hold, a run fails with `no_sandbox`
 * and nothing of it is executed. Whether it holds is found out once, before the first run or when somebody looks at the status.
 */
export function withGeneratorRuns(engine: Engine, { isolation, sandbox, seconds, maxStepMb, log }: RunOptions): Engine {
  const stopping = new AbortController();
  let underWay = 0;
  const { mode } = isolation;
  if (mode === 'trusted')
    log({
      event: 'sandbox_off',
      message:
        'PDM_SANDBOX=trusted: generators run without a sandbox. Only for code of people you trust with this machine.',
    });
  return {
    ...engine,
    types: [...engine.types, 'run'],
    async run(job, on): Promise<EngineResult> {
      if (job.type !== 'run') return engine.run(job, on);
      if (mode !== 'trusted') {
        const { holds, reason } = await sandbox.probe();
        if (!holds) return failure('no_sandbox', `code is not run here: ${reason}`);
      }
      const signal = AbortSignal.any([on.signal, stopping.signal]);
      const options = {
        isolation,
        engine: `${engine.name}/${engine.version}`,
        maxBytes: maxStepMb * MEGABYTE,
        limits: { wallMs: seconds * 1000, cpuSeconds: 2 * seconds },
      };
      underWay++;
      const result = await runGenerator(job, options, { ...on, signal }).finally(() => underWay--);
      if (stopping.signal.aborted && !on.signal.aborted)
        return failure('engine_crashed', 'the engine process ended while it was running the job');
      return result;
    },
    state: () => {
      const state = engine.state();
      const found = mode !== 'trusted' ? (sandbox.report() ?? UNKNOWN) : OFF;
      return {
        ...state,
        slots: withBusy(state.slots, underWay),
        sandbox: { mode, groupLimits: mode !== 'container' && delegatedCgroup() !== null, ...found },
      };
    },
    startProbe: () => {
      if (mode !== 'trusted') void sandbox.probe();
    },
    async stop() {
      stopping.abort();
      await engine.stop();
      // the processes of runs are killed by now; their ends arrive in the next turn
      await wait(0);
    },
  };
}

// A run takes the place of a job of the engine, in a process of its own.
function withBusy(slots: readonly EngineSlot[], count: number): EngineSlot[] {
  let more = count;
  return slots.map((slot) => (slot.busy || more-- <= 0 ? slot : { ...slot, busy: true }));
}
