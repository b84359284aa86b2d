/** The checks, each with the behaviour it requires. A test compares them with docs/worker-protocol.md. */
export const CHECKS = {
  'valid-requests': 'The service rejects no request as malformed, unknown or unauthorized.',
  'sends-worker-id': 'Every claim includes a workerId.',
  'sends-attempt': 'Heartbeats, uploads, complete, fail and give-back include the attempt number from the claim.',
  'sends-heartbeats': 'While the worker holds a job, it sends heartbeats at the interval returned by the claim.',
  'retries-heartbeat': 'If a heartbeat fails with 503, the worker sends the next one and continues the job.',
  'verifies-downloads': 'The worker rejects an input file whose SHA-256 does not match.',
  'sends-generator': 'Every upload includes X-Generator, the name and version of the program.',
  'sends-input-hash': "Every upload includes X-Input-Sha256 with the job's inputSha256.",
  'reports-failure': 'If the worker cannot do a job, it calls fail with a message.',
  'retries-end': 'If complete or fail gets no response, the worker repeats it with the same attempt number.',
  'stops-on-cancel': 'If a heartbeat returns cancelRequested, the worker stops and calls fail or give-back.',
  'stops-on-lease-lost': 'After lease_lost, the worker uploads and completes nothing.',
  'limits-claims': 'While no job is available, the worker claims at most five times per second.',
  'retries-claim': 'If a claim fails with 503, the worker claims again.',
  'handles-sigterm':
    'On SIGTERM, the worker stops claiming, finishes or gives back its job, and exits within 20 seconds.',
  'new-worker-id': 'A restarted worker process uses a new workerId.',
} as const;

export type CheckName = keyof typeof CHECKS;
export type Verdict = 'pass' | 'fail' | 'skipped';
export type Finding = { check: CheckName; verdict: Verdict; message: string };

export const pass = (check: CheckName, message = ''): Finding => ({ check, verdict: 'pass', message });
export const fail = (check: CheckName, message: string): Finding => ({ check, verdict: 'fail', message });
export const skip = (check: CheckName, message: string): Finding => ({ check, verdict: 'skipped', message });

/** Returns one finding per check, in the order of CHECKS. Fail takes precedence over pass, pass over skipped. */
export function summarizeFindings(findings: readonly Finding[]): Finding[] {
  return (Object.keys(CHECKS) as CheckName[]).map((check) => {
    const candidates = findings.filter((finding) => finding.check === check);
    const withVerdict = (verdict: Verdict) => candidates.find((finding) => finding.verdict === verdict);
    return (
      withVerdict('fail') ??
      withVerdict('pass') ??
      withVerdict('skipped') ??
      skip(check, 'The scenario for this check was not run.')
    );
  });
}
