/** What is looked at in a worker: by name, and what is right. docs/worker-protocol.md lists the same, and a test compares them. */
export const CHECKS = {
  'well-formed': 'Nothing it sends is refused as malformed, unknown or unauthorised.',
  'claims-with-worker-id': 'Every claim names the same workerId.',
  'sends-attempt': 'Heartbeats, results and the last word carry the attempt that was claimed.',
  'beats-in-time': 'While it works, heartbeats come at the interval that claim told.',
  'bears-a-missed-beat': 'A heartbeat that is answered 503 is sent again, and the job goes on.',
  'verifies-downloads': 'Bytes that do not have the SHA-256 of their file are not worked on.',
  'names-generator': 'Every result has X-Generator: what made it.',
  'names-input': "Every result has X-Input-Sha256: the job's inputSha256.",
  'fails-with-a-reason': 'A job it cannot do ends with fail and a message.',
  'repeats-the-last-word': 'A complete or fail that was not answered is repeated, with the same attempt.',
  'stops-on-cancel': 'Told to cancel by a heartbeat, it stops and says fail.',
  'stops-after-lease-lost': 'Once the service says lease_lost, it stores and completes nothing.',
  'waits-patiently': 'While there is no job, it does not ask more than five times a second.',
  'bears-an-outage': 'A claim that is answered 503 is asked again.',
  'gives-back-on-sigterm': 'At SIGTERM it claims no more, ends or gives back its job, and exits within 20 seconds.',
  'fresh-worker-id': 'A process that starts again has another workerId.',
} as const;

export type CheckName = keyof typeof CHECKS;
export type Verdict = 'pass' | 'fail' | 'not seen';
export type Finding = { check: CheckName; verdict: Verdict; message: string };

export const pass = (check: CheckName, says = ''): Finding => ({ check, verdict: 'pass', message });
export const fail = (check: CheckName, says: string): Finding => ({ check, verdict: 'fail', message });
export const notTested = (check: CheckName, says: string): Finding => ({ check, verdict: 'not seen', message });

/** One finding for each check, in the order of the list: a fault outweighs a pass, a pass what was not seen. */
export function summarizeFindings(findings: readonly Finding[]): Finding[] {
  return (Object.keys(CHECKS) as CheckName[]).map((check) => {
    const about = findings.filter((finding) => finding.check === check);
    const of = (verdict: Verdict) => about.find((finding) => finding.verdict === verdict);
    return of('fail') ?? of('pass') ?? of('not seen') ?? notTested(check, 'Its scene was not played.');
  });
}
