import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { CliCommand } from '../cli/command.ts';
import { CliError, EXIT } from '../cli/exit.ts';
import { pluralize } from '../subgraphs/core/domain/text/pluralize.ts';
import { checkWorker } from './worker-check/check-worker.ts';
import { CHECKS, type CheckName, type Finding } from './worker-check/checks.ts';
import type { MockJob } from './worker-check/mock-job.ts';
import { type MockService, startMockService } from './worker-check/mock-service.ts';
import { NoWorkerError } from './worker-check/scenarios.ts';
import { spawnWorker } from './worker-check/worker-process.ts';

const TYPES = ['convert', 'assemble', 'export'] as const satisfies MockJob['state']['type'][];
const DEFAULT_SOURCE = new URL('./worker-check/block.step', import.meta.url);

type Options = { json?: true; only?: string[]; lease: string; type: string; source?: string };

/** `pdm worker-check`: runs a mock of the service and checks that a worker follows the worker protocol. */
export const workerCheck: CliCommand = {
  define: (command) =>
    command
      .usage('[options] <url> | -- <command> …')
      .argument(
        '<worker...>',
        'after --: command that starts the worker, with PDM_URL and PDM_TOKEN set; or http URL to listen on for a worker that you start',
      )
      .option(
        '--only <check>',
        'run only the scenarios of this check; repeatable',
        (value: string, previous: string[] = []) => [...previous, value],
      )
      .option('--lease <seconds>', 'duration of a job lease in seconds, 3 to 600', '6')
      .option('--type <type>', `type of the jobs: ${TYPES.join(', ')}`, 'convert')
      .option('--source <file>', 'input file of the jobs (default: a small built-in STEP file)')
      .option('--json', 'print the result as JSON'),
  async run(_terminal, options: Options, worker: string[]) {
    const request = parseOptions(options, worker);
    // process.exit runs the exit handler that kills the worker process.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(EXIT.error));
    const service = await startMockService(request).catch((error: Error) => {
      throw new CliError(`Cannot listen on ${request.host}:${request.port}: ${error.message}`);
    });
    try {
      return await runChecks(service, request);
    } finally {
      await service.close();
    }
  },
};

async function runChecks(
  service: MockService,
  { command, only, json }: ReturnType<typeof parseOptions>,
): Promise<number> {
  const output: string[] = [];
  const start = command && spawnWorker(command, (text) => void output.push(text));
  if (!command) console.error(`Start the worker with:\n  PDM_URL=${service.url} PDM_TOKEN=${service.token}`);
  const onScenario = (name: string) => {
    if (!json) console.error(`Running: ${name}`);
  };
  const findings = await checkWorker(service, { start, only, onScenario }).catch((error: unknown) => {
    if (!(error instanceof NoWorkerError)) throw error;
    const lastLines = output.join('').split('\n').slice(-20).join('\n').trim();
    throw new CliError(`${error.message}${lastLines ? ` Its output:\n${lastLines}` : ''}`);
  });
  const failed = findings.filter(({ verdict }) => verdict === 'fail').length;
  console.log(json ? JSON.stringify({ passed: failed === 0, findings }, null, 2) : formatReport(findings, failed));
  return failed ? EXIT.failure : EXIT.success;
}

const LABELS = { pass: 'pass', fail: 'FAIL', skipped: 'skip' };

function formatReport(findings: readonly Finding[], failed: number): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, verdict, message }) => {
    const line = `${LABELS[verdict]}  ${check.padEnd(width)}  ${verdict === 'pass' ? CHECKS[check] : message}`;
    return verdict === 'fail' ? [line, `${' '.repeat(width + 8)}Expected: ${CHECKS[check]}`] : [line];
  });
  const skipped = findings.filter(({ verdict }) => verdict === 'skipped').length;
  const summary = `${pluralize(findings.length, 'check')}: ${failed} failed, ${skipped} skipped.`;
  return [...lines, `${summary} The protocol is described in docs/worker-protocol.md.`].join('\n');
}

function parseOptions(options: Options, worker: readonly string[]) {
  const [url] = worker;
  const address = url && worker.length === 1 && /^https?:\/\//.test(url) ? new URL(url) : null;
  if (!url) fail('Specify the worker: -- COMMAND …, or the URL to listen on.');
  if (address?.protocol === 'https:') fail('worker-check listens without TLS: use an http:// URL.');
  const leaseSeconds = Number(options.lease);
  if (!Number.isInteger(leaseSeconds) || leaseSeconds < 3 || leaseSeconds > 600)
    fail('--lease must be an integer from 3 to 600.');
  const type = TYPES.find((known) => known === options.type) ?? fail(`--type must be one of ${TYPES.join(', ')}.`);
  const only = (options.only ?? []).map((name) =>
    name in CHECKS ? (name as CheckName) : fail(`--only must be one of ${Object.keys(CHECKS).join(', ')}.`),
  );
  return {
    leaseSeconds,
    type,
    source: readSource(type, options.source),
    only: only.length ? only : null,
    json: options.json === true,
    host: address?.hostname.replace(/^\[|\]$/g, '') ?? '127.0.0.1',
    port: Number(address?.port ?? 0),
    command: address ? null : worker,
  };
}

function fail(message: string): never {
  throw new CliError(message, EXIT.usage);
}

function readSource(type: (typeof TYPES)[number], file: string | undefined) {
  if (type !== 'convert' && !file) fail(`--type ${type} requires --source with an asm.json file.`);
  const content = file ? readInput(file) : readFileSync(DEFAULT_SOURCE);
  const fileName = file ? basename(file) : 'block.step';
  return type === 'convert'
    ? { kind: 'source', fileName, contentType: 'model/step', content }
    : { kind: 'asm-json', fileName, contentType: 'application/json', content };
}

function readInput(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CliError(`Cannot read --source ${file}: ${error instanceof Error ? error.message : error}`);
  }
}
