// Every fault of a worker is named, and nothing else is; the workers that come with the service have none. All are checked at once: they mostly wait.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkWorker } from './check-worker.ts';
import { CHECKS, type CheckName, type Finding } from './checks.ts';
import { startMockService } from './mock-service.ts';
import { startFaultyWorker, type WorkerFault } from './testing/faulty-worker.ts';
import { type StartWorker, spawnWorker } from './worker-process.ts';

const home = join(import.meta.dirname, '../..');
const content = readFileSync(new URL('./block.step', import.meta.url));
const source = { kind: 'source', fileName: 'block.step', contentType: 'model/step', content };
const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 8))']).status === 0;
const ALL_PASS = Object.fromEntries(Object.keys(CHECKS).map((check) => [check, 'pass']));

const NAMED: Record<WorkerFault, [CheckName, RegExp]> = {
  'no worker id': ['claims-with-worker-id', /A claim had no workerId/],
  'unknown field': ['well-formed', /POST \/api\/v1\/jobs\/claim was answered 400/],
  'no attempt': ['sends-attempt', /carried no attempt/],
  'no heartbeat': ['beats-in-time', /s passed without a heartbeat; every 1 s were asked for/],
  'gives up at a missed beat': ['bears-a-missed-beat', /After one heartbeat answered 503 it said fail/],
  'believes every byte': ['verifies-downloads', /It stored properties, made of bytes/],
  'no generator': ['names-generator', /no X-Generator/],
  'wrong input hash': ['names-input', /not the inputSha256 of the job/],
  'silent about failures': ['fails-with-a-reason', /It fell silent/],
  'fails without a word': ['fails-with-a-reason', /Its fail had no message/],
  'says complete once': ['repeats-the-last-word', /Its complete was not answered, and it was not repeated/],
  'deaf to cancel': ['stops-on-cancel', /Told to cancel, it uploaded properties/],
  'deaf to lease lost': ['stops-after-lease-lost', /After lease_lost it still said upload/],
  'asks all the time': ['waits-patiently', /It asked \d+ times a second/],
  'dies of an outage': ['bears-an-outage', /it ended with 1/],
  'keeps its job at SIGTERM': ['gives-back-on-sigterm', /It exited with a job in its hands/],
  'fails its job at SIGTERM': ['gives-back-on-sigterm', /It failed its job because it was stopped/],
  'same id again': ['fresh-worker-id', /with the workerId of the process before/],
};
const faults = Object.entries(NAMED) as [WorkerFault, [CheckName, RegExp]][];

let good: ReturnType<typeof findings>;
let onSdk: ReturnType<typeof findings>;
let inPython: ReturnType<typeof pdm>;
const broken = new Map<WorkerFault, ReturnType<typeof findings>>();
beforeAll(() => {
  for (const [fault, [check]] of faults) broken.set(fault, findings(startFaultyWorker(fault), [check], 3));
  good = findings(startFaultyWorker(null));
  onSdk = findings(spawnWorker([process.execPath, join(home, 'examples/workers/point-box.ts')], () => {}));
  if (python) inPython = pdm('worker-check', '--json', '--', 'python3', 'examples/workers/point_box.py');
});

describe('a worker with one fault', () => {
  test.each(faults)('%s', { timeout: 60_000 }, async (fault, [check, says]) => {
    expect(await broken.get(fault)).toEqual({ [check]: expect.stringMatching(`^fail: .*${says.source}`) });
  });
});

describe('no fault is found', { timeout: 60_000 }, () => {
  test('with a worker that does everything right', async () => expect(await good).toEqual(ALL_PASS));
  test('with the worker on the SDK', async () => expect(await onSdk).toEqual(ALL_PASS));
  test.skipIf(!python)(`with the worker in plain Python${python ? '' : ' (python3 is not installed)'}`, async () => {
    const { code, out } = await inPython;
    expect(verdicts(JSON.parse(out).findings)).toEqual(ALL_PASS);
    expect(code).toBe(0);
  });
});

describe('the command', { timeout: 60_000 }, () => {
  test('names faults with what is right, and ends with 1', async () => {
    const claim = `fetch(process.env.PDM_URL + '/api/v1/jobs/claim', { method: 'POST', body: '{}', headers: { authorization: 'Bearer ' + process.env.PDM_TOKEN, 'content-type': 'application/json' } })`;
    const words = [
      '--only',
      'claims-with-worker-id',
      '--only',
      'well-formed',
      '--',
      process.execPath,
      '-e',
      `setInterval(() => ${claim}, 200)`,
    ];
    const { code, out } = await pdm('worker-check', ...words);
    expect(out).toContain('FAIL      claims-with-worker-id  A claim had no workerId.\n');
    expect(out).toContain(`Right: ${CHECKS['claims-with-worker-id']}`);
    expect(out).toContain('was answered 400 validation_failed');
    expect(code).toBe(1);
  });

  test('says what the worker printed when it never came, and ends with 3', async () => {
    const { code, err } = await pdm('worker-check', '--', 'no-such-command');
    expect(err).toContain(
      'the worker ended (exit 127) before it asked for anything. It printed:\nno-such-command cannot be started',
    );
    expect(code).toBe(3);
  });

  test('says which input cannot be read', async () => {
    const { code, err } = await pdm('worker-check', '--source', '/no/such.step', '--', 'true');
    expect(err).toContain('--source /no/such.step cannot be read: ENOENT');
    expect(code).toBe(3);
  });
});

test('docs/worker-protocol.md lists every check, and no other', () => {
  const protocol = readFileSync(join(home, 'docs/worker-protocol.md'), 'utf8');
  const listed = [...protocol.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)].map(([, name, says]) => [name, says]);
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

async function pdm(...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['--disable-proto=throw', 'app/pdm.ts', ...words], { cwd: home });
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
