// Third-party workers against the service: the examples, the commands of docs/worker-protocol.md, and the
// simulated service of worker-check.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startMockService } from '../../operate/worker-check/mock-service.ts';
import { recordProtocol } from '../../operate/worker-check/testing/record-protocol.ts';
import { writeArchive } from '../../subgraphs/core/domain/jobs/code-archive.ts';
import { runWorker } from '../../worker-sdk/index.ts';
import { client } from '../support/client.ts';
import { sha256Of } from '../support/content.ts';
import { jobWhen } from '../support/job-when.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const home = join(import.meta.dirname, '../..');
const SOURCE =
  "ISO-10303-21;\n#1=CARTESIAN_POINT('',(0.,-1.,2.));\n#2=CARTESIAN_POINT('',(10.,20.,30.5));\nEND-ISO-10303-21;\n";
const BOX = { boundingBox: { min: [0, -1, 2], max: [10, 20, 30.5] } };
const python = needs('python3');

let pdm: Pdm;
const workers: { child: ChildProcess; exit: Promise<unknown[]> }[] = [];
let variables: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), 'pdm-protocol-'));
const run = promisify(execFile);
const curl = needs('curl');
beforeAll(async () => {
  pdm = await startPdm();
  variables = { PATH: process.env.PATH ?? '', PDM_URL: `${pdm.url}/api/v1`, PDM_TOKEN: pdm.tokens.worker };
});
afterEach(async () => {
  for (const { child, exit } of workers.splice(0)) {
    child.kill('SIGKILL');
    await exit;
  }
});
afterAll(async () => {
  await pdm.close();
  rmSync(folder, { recursive: true, force: true });
});

function work(command: string, file: string) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PDM_URL: pdm.url, PDM_TOKEN: pdm.tokens.worker };
  const child = spawn(command, [join(home, file)], {
    env,
    stdio: ['ignore', 'ignore', process.env.PDM_TEST_LOG ? 'inherit' : 'ignore'],
  });
  const worker = { child, exit: once(child, 'exit') };
  workers.push(worker);
  return worker;
}

async function queued(source: string | Buffer, fileName = 'block.step') {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const draftId = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items[0].draftId;
  await pdm.editor.upload(draftId, 'source', source, { fileName, headers: { 'content-type': 'model/step' } });
  return { draftId, id: (await pdm.viewer.get(`/versions/${draftId}/jobs?limit=1`)).body.items[0].id };
}

type Job = {
  status: string;
  attempt: number;
  error: { code: string; message: string; final: boolean } | null;
  log: { line: string }[];
  progress: unknown;
};
const _until = (id: string, found: (job: Job) => boolean): Promise<Job> => jobWhen(pdm, id, found);
const ended = (id: string): Promise<Job> => jobWhen(pdm, id);

test('matches the responses of the simulated service of worker-check', async () => {
  const content = readFileSync(join(home, 'operate/worker-check/block.step'));
  const source = { kind: 'source', fileName: 'block.step', contentType: 'model/step', content };
  const service = await startMockService({ leaseSeconds: 60, type: 'convert', source });
  const at = (url: string, token: string) => client(`${url}/api/v1`, token);
  const mock = {
    worker: at(service.url, service.token),
    stranger: at(service.url, 'wrong'),
    queue: async () => void service.queue(),
  };
  const stranger = at(pdm.url, 'pdm_nobody00_00000000000000000000000000000000');
  const real = { worker: pdm.worker, stranger, queue: async () => void (await queued(content)) };
  expect(await recordProtocol(mock)).toEqual(await recordProtocol(real));
  await service.close();
});

describe.each([
  {
    name: 'on the SDK',
    command: process.execPath,
    file: 'examples/workers/point-box.ts',
    generator: 'point-box/1.0',
    program: { isMissing: false, title: (name: string) => name },
  },
  {
    name: 'in plain Python',
    command: 'python3',
    file: 'examples/workers/point_box.py',
    generator: 'point-box-py/1.0',
    program: python,
  },
])('the example $name', ({ command, file, generator, program }) => {
  test.skipIf(program.isMissing)(
    program.title('completes a job, fails an unsupported one, and stops on request'),
    async () => {
      const good = await queued(SOURCE);
      const { child, exit } = work(command, file);
      expect(await ended(good.id)).toMatchObject({ status: 'done', attempt: 1, error: null });
      const { items } = (await pdm.viewer.get(`/versions/${good.draftId}/artifacts`)).body;
      expect(items).toContainEqual(
        expect.objectContaining({ kind: 'properties', generator, inputSha256: sha256Of(SOURCE), jobId: good.id }),
      );
      expect((await pdm.viewer.get(`/versions/${good.draftId}/artifacts/properties/file`)).body).toEqual(BOX);

      const bad = await queued('text without points', 'Träger.step');
      expect(await ended(bad.id)).toMatchObject({
        status: 'failed',
        error: { final: true, message: expect.stringContaining('contains no points') },
      });

      child.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
    },
  );
});

const protocol = readFileSync(join(home, 'docs/worker-protocol.md'), 'utf8');
const BLOCK = /```sh ?(refused|next)?\n([\s\S]+?)```\n(?:\n```json\n([\s\S]+?)```)?/g;
const commands = [...protocol.matchAll(BLOCK)].map(([, how, command = '', shown]) => ({
  name: `${how ? `${how}: ` : ''}${command.split('"')[1]?.replace('$PDM_URL', '')}`,
  claims: command.includes('/jobs/claim'),
  next: how === 'next',
  command,
  shown: shown && JSON.parse(shown),
}));

test('completes an import job when a worker on the SDK delivers the parts of an assembly', async () => {
  const { body } = await pdm.editor.post('/documents', { name: 'Frame', kind: 'assembly' });
  const draftId = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items[0].draftId;
  const headers = {
    authorization: `Bearer ${pdm.tokens.editor}`,
    'content-type': 'model/step',
    'x-file-name': 'frame.step',
  };
  await fetch(`${pdm.url}/api/v1/versions/${draftId}/artifacts?kind=source&split=true`, {
    method: 'POST',
    body: SOURCE,
    headers,
  });
  const { id } = (await pdm.viewer.get(`/versions/${draftId}/jobs?limit=1`)).body.items[0];
  const asm = {
    version: 1,
    templates: [{ ident: 'part', type: 'part', reference: { location: 'generated:part' } }],
    instances: [{ ident: 'part:1', template: 'part' }],
    constraints: [],
  };
  const documents = [
    { key: 'root', kind: 'assembly', name: 'Frame' },
    { key: 'part', kind: 'model', name: 'Part' },
  ];
  const archive = writeArchive([
    {
      path: 'result.json',
      bytes: Buffer.from(JSON.stringify({ engine: 'test/1.0.0', isolation: 'strict', documents })),
    },
    { path: 'root/asm-json', bytes: Buffer.from(JSON.stringify(asm)) },
    { path: 'part/stp', bytes: Buffer.from(SOURCE) },
  ]);
  const stop = new AbortController();
  const worker = runWorker({
    baseUrl: pdm.url,
    token: pdm.tokens.worker,
    types: ['convert'],
    environment: ['split:step'],
    signal: stop.signal,
    log: () => {},
    handler: (_job, ctx) => ctx.submitResult(Readable.from([archive])),
  });
  expect(await ended(id)).toMatchObject({ status: 'done', attempt: 1, error: null });
  stop.abort();
  await worker;
});

describe('docs/worker-protocol.md', () => {
  test('has a command for every worker route', () => {
    const routes = [
      '/jobs/claim',
      '/context',
      '/file',
      '/heartbeat',
      '/artifacts?kind=',
      '/complete',
      '/fail',
      '/give-back',
    ];
    for (const route of routes)
      expect(commands.map(({ command }) => command)).toContainEqual(expect.stringContaining(route));
  });

  test.skipIf(curl.isMissing).each(commands)(curl.title('$name'), async ({ command, shown, claims, next }) => {
    if (claims || next) await queued(SOURCE, 'bracket.step');
    if (next) setVariables(await runCommand(commands[0]?.command ?? ''));
    const { stdout } = await run('sh', ['-ec', command], { env: variables, cwd: folder });
    if (!shown) return expect(stdout).toContain(sha256Of(SOURCE));
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject(expectedShape(shown, answer) as object);
    setVariables(answer);
  });
});

async function runCommand(command: string): Promise<Record<string, unknown>> {
  return JSON.parse((await run('sh', ['-ec', command], { env: variables, cwd: folder })).stdout);
}

/** The variables that the document assigns from responses. */
function setVariables(answer: Record<string, unknown>): void {
  if (answer.leaseSeconds)
    Object.assign(variables, {
      JOB: answer.id,
      ATTEMPT: String(answer.attempt),
      VERSION: answer.versionId,
      INPUT_SHA256: answer.inputSha256,
    });
  const [file] = (answer.files ?? []) as { id: string }[];
  if (file) variables.FILE = file.id;
}

// Ids, hashes, times and sizes are examples; enumerated values, flags and member names must match.
function expectedShape(shown: unknown, answer: unknown): unknown {
  if (Array.isArray(shown)) return shown.map((item, i) => expectedShape(item, (answer as unknown[])[i]));
  if (typeof shown === 'object' && shown !== null)
    return Object.fromEntries(
      Object.entries(shown).map(([name, value]) => [
        name,
        expectedShape(value, (answer as Record<string, unknown>)[name]),
      ]),
    );
  const example =
    typeof shown === 'string'
      ? /_01m8|…|^\d{4}-\d\d-\d\dT|^PRT-/.test(shown)
      : typeof shown === 'number' && shown > 1_000;
  return example ? expect.any(typeof shown === 'string' ? String : Number) : shown;
}
