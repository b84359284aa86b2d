import { probeSandbox, type SandboxReport } from './probe.ts';
import type { Isolation } from './program.ts';

/** The sandbox of this machine: whether it holds is found out once, when it is first needed or when somebody looks at the status. */
export type Sandbox = {
  isolation: Isolation;
  /** What was found out; null as long as nobody has asked. */
  report(): SandboxReport | null;
  probe(): Promise<SandboxReport>;
};

/** `log` hears what was found. */
export function createSandbox(
  log: (line: object) => void,
  isolation: Isolation = { mode: 'strict' },
  examine: () => Promise<SandboxReport> = () => probeSandbox(isolation),
): Sandbox {
  let report: SandboxReport | null = null;
  let probing: Promise<SandboxReport> | null = null;
  return {
    isolation,
    report: () => report,
    probe: () => {
      probing ??= examine().then((found) => {
        report = found;
        log({ event: 'sandbox_probed', ...found });
        return found;
      });
      return probing;
    },
  };
}
