import { waitForAny } from '../../worker-sdk/sleep.ts';
import { probeSandbox, type SandboxReport } from './probe.ts';
import type { Isolation } from './program.ts';

/** The sandbox of this machine. It is probed once, when it is first needed or the status is first read. */
export type Sandbox = {
  isolation: Isolation;
  /** Returns the result of the probe; null until it has finished. */
  report(): SandboxReport | null;
  probe(): Promise<SandboxReport>;
};

/** Returns the sandbox; `log` receives the result of the probe. */
export function createSandbox(
  log: (line: object) => void,
  isolation: Isolation = { mode: 'strict' },
  runProbe: () => Promise<SandboxReport> = () => probeSandbox(isolation),
): Sandbox {
  let report: SandboxReport | null = null;
  let probing: Promise<SandboxReport> | null = null;
  return {
    isolation,
    report: () => report,
    probe: () => {
      probing ??= runProbe().then((result) => {
        report = result;
        log({ event: 'sandbox_probed', ...result });
        return result;
      });
      return probing;
    },
  };
}

/** Probes the sandbox. Returns null if the signal aborts first; the probe then continues. */
export async function probeUnlessAborted(sandbox: Sandbox, signal: AbortSignal): Promise<SandboxReport | null> {
  await waitForAny([sandbox.probe()], signal);
  return signal.aborted ? null : sandbox.report();
}
