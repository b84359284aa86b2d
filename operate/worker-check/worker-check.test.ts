// worker-check finds each fault of a worker and no other. The workers in this repository pass. Several runs are
// concurrent, but not so many that the faulty workers are slowed down.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../test/support/needs.ts';
import { checkWorker } from './check-worker.ts';
import { CHECKS, type CheckName, type Finding } from './checks.ts';
import { startMockService } from './mock-service.ts';
import { startFaultyWorker, type WorkerFault } from './testing/faulty-worker.ts';
import { type StartWorker, spawnWorker } from './worker-process.ts';

const home = join(import.meta.dirname, '../..');
const content = readFileSync(new URL('./block.step', import.meta.url));
const source = { kind: 'source', fileName: 'block.step', contentType: 'model/step', content };
const python = needs('python3');
const ALL_PASS = Object.fromEntries(Object.keys(CHECKS).map((check) => [check, 'pass']));

const EXPECTED: Record<WorkerFault, [CheckName, RegExp]> = {
  'claims without workerId': ['sends-worker-id', /A claim has no workerId/],
  'sends an unknown field': ['valid-requests', /POST \/api\/v1\/jobs\/claim was rejected with 400/],
  'omits the attempt': ['sends-attempt', /has no attempt number/],
  'sends no heartbeat': ['sends-heartbeats', /sent no heartbeat for .* s; the interval is 1 s/],
  'gives up after a failed heartbeat': [
    'retries-heartbeat',
    /After a heartbeat failed with 503, the worker called fail/,
  ],
  'ignores the SHA-256 of the input': [
    'verifies-downloads',
    /uploaded properties, derived from an input with the wrong/,
  ],
  'omits X-Generator': ['sends-generator', /has no X-Generator/],
  'sends a wrong X-Input-Sha256': ['sends-input-hash', /not the inputSha256 of the job/],
  'does not report failures': ['reports-failure', /let the lease expire instead of calling fail/],
  'fails without a message': ['reports-failure', /The fail request has no message/],
  'does not retry complete': ['retries-end', /The complete request got no response, and the worker did not repeat it/],
  'ignores cancel': ['stops-on-cancel', /uploaded properties .* after the cancellation/],
  'ignores lease_lost': ['stops-on-lease-lost', /called upload .* after lease_lost/],
  'claims too often': ['limits-claims', /claimed \d+ times per second/],
  'exits after a failed claim': ['retries-claim', /the worker exited with 1/],
  'keeps its job on SIGTERM': ['handles-sigterm', /exited while holding a job/],
  'fails its job on SIGTERM': ['handles-sigterm', /called fail because it was stopped/],
  'reuses its workerId': ['new-worker-id', /used the workerId of the previous process/],
};
const faults = Object.entries(EXPECTED) as [WorkerFault, [CheckName, RegExp]][];

let faultless: ReturnType<typeof findings>;
let sdkWorker: ReturnType<typeof findings>;
let pythonWorker: ReturnType<typeof pdm>;
const faulty = new Map<WorkerFault, ReturnType<typeof findings>>();
beforeAll(() => {
  const limit = pLimit(6);
  const example = [process.execPath, join(home, 'examples/workers/point-box.ts')];
  faultless = limit(() => findings(startFaultyWorker(null)));
  sdkWorker = limit(() => findings(spawnWorker(example, () => {})));
  for (const [fault, [check]] of faults)
    faulty.set(
      fault,
      limit(() => findings(startFaultyWorker(fault), [check], 3)),
    );
  if (!python.isMissing)
    pythonWorker = limit(() => pdm('worker-check', '--json', '--', 'python3', 'examples/workers/point_box.py'));
});

describe('reports a worker that', () => {
  test.each(faults)('%s', { timeout: 120_000 }, async (fault, [check, message]) => {
    expect(await faulty.get(fault)).toEqual({ [check]: expect.stringMatching(`^fail: .*${message.source}`) });
  });
});

describe('reports no fault of', { timeout: 120_000 }, () => {
  test('a worker without errors', async () => expect(await faultless).toEqual(ALL_PASS));
  test('the worker that uses the SDK', async () => expect(await sdkWorker).toEqual(ALL_PASS));
  test.skipIf(python.isMissing)(python.title('the Python worker'), async () => {
    const { code, out } = await pythonWorker;
    expect(verdicts(JSON.parse(out).findings)).toEqual(ALL_PASS);
    expect(code).toBe(0);
  });
});

describe('pdm worker-check', { timeout: 60_000 }, () => {
  test('lists failed checks with the expected behavior, and exits with 1', async () => {
    const claim = `fetch(process.env.PDM_URL + '/api/v1/jobs/claim', { method: 'POST', body: '{}', headers: { authorization: 'Bearer ' + process.env.PDM_TOKEN, 'content-type': 'application/json' } })`;
    const args = [
      '--only',
      'sends-worker-id',
      '--only',
      'valid-requests',
      '--',
      process.execPath,
      '-e',
      `setInterval(() => ${claim}, 200)`,
    ];
    const { code, out } = await pdm('worker-check', ...args);
    expect(out).toContain('FAIL  sends-worker-id  A claim has no workerId.\n');
    expect(out).toContain(`Expected: ${CHECKS['sends-worker-id']}`);
    expect(out).toContain('was rejected with 400 validation_failed');
    expect(code).toBe(1);
  });

  test('prints the output of a worker that never connects, and exits with 3', async () => {
    const { code, err } = await pdm('worker-check', '--', 'no-such-command');
    expect(err).toContain(
      'The worker exited (code 127) before its first request. Its output:\nCannot start no-such-command',
    );
    expect(code).toBe(3);
  });

  test('reports an unreadable input file', async () => {
    const { code, err } = await pdm('worker-check', '--source', '/no/such.step', '--', 'true');
    expect(err).toContain('Cannot read --source /no/such.step: ENOENT');
    expect(code).toBe(3);
  });
});

test('docs/worker-protocol.md lists exactly these checks', () => {
  const protocol = readFileSync(join(home, 'docs/worker-protocol.md'), 'utf8');
  const listed = [...protocol.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)].map(([, name, description]) => [
    name,
    description,
  ]);
  expect(listed).toEqual(Object.entries(CHECKS));
});

async function findings(
  start: StartWorker,
  only: readonly CheckName[] | null = null,
  leaseSeconds = 6,
): Promise<Record<string, string>> {
  const service = await startMockService({ leaseSeconds, type: 'convert', source });
  try {
    return verdicts(await checkWorker(service, { start, only }));
  } finally {
    await service.close();
  }
}

function verdicts(found: readonly Finding[]): Record<string, string> {
  return Object.fromEntries(
    found.map(({ check, verdict, message }) => [check, verdict === 'pass' ? 'pass' : `${verdict}: ${message}`]),
  );
}

async function pdm(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['--disable-proto=throw', 'app/pdm.ts', ...args], { cwd: home });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, err };
}
