import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { CliCommand } from '../cli/command.ts';
import { EXIT, CliError } from '../cli/exit.ts';
import { checkWorker } from './worker-check/check-worker.ts';
import { CHECKS, type CheckName, type Finding } from './worker-check/checks.ts';
import type { MockJob } from './worker-check/mock-job.ts';
import { type MockService, startMockService } from './worker-check/mock-service.ts';
import { NoWorkerError } from './worker-check/scenarios.ts';
import { spawnWorker } from './worker-check/worker-process.ts';

const TYPES = ['convert', 'assemble', 'export'] as const satisfies MockJob['state']['type'][];
const BLOCK = new URL('./worker-check/block.step', import.meta.url);

type Options = { json?: true; only?: string[]; lease: string; type: string; source?: string };

/** Plays the service against a worker and names what the worker does wrong. */
export const workerCheck: CliCommand = {
  define: (command) =>
    command
      .usage('[options] <url> | -- <command> …')
      .argument(
        '<worker...>',
        'behind --: the command that starts it, with PDM_URL and PDM_TOKEN set; or the URL to listen at, and you point it there',
      )
      .option(
        '--only <check>',
        'play what this check needs, as often as wanted',
        (given: string, before: string[] = []) => [...before, given],
      )
      .option('--lease <seconds>', 'how long a job is given to it, 3 to 600', '6')
      .option('--type <type>', `what is asked of it: ${TYPES.join(', ')}`, 'convert')
      .option('--source <file>', 'the input it gets')
      .option('--json', 'what was found as JSON'),
  async run(_terminal, options: Options, operands: string[]) {
    const order = orderIn(options, operands);
    // Whatever ends this ends the worker that it started.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(EXIT.error));
    const service = await startMockService(order).catch((error: Error) => {
      throw new CliError(`cannot listen at ${order.host}:${order.port}: ${error.message}`);
    });
    try {
      return await check(service, order);
    } finally {
      await service.close();
    }
  },
};

async function check(service: MockService, { command, only, json }: ReturnType<typeof orderIn>): Promise<number> {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  if (!command) console.error(`Point the worker here:\n  PDM_URL=${service.url} PDM_TOKEN=${service.token}`);
  const on = (scene: string) => {
    if (!json) console.error(`… ${scene}`);
  };
  const findings = await checkWorker(service, { start: command && spawnWorker(command, print), only, on }).catch(
    (error: unknown) => {
      if (!(error instanceof NoWorkerError)) throw error;
      const last = printed.join('').split('\n').slice(-20).join('\n').trim();
      throw new CliError(`${error.message}${last ? ` It printed:\n${last}` : ''}`);
    },
  );
  const faults = findings.filter(({ verdict }) => verdict === 'fail').length;
  console.log(json ? JSON.stringify({ passed: faults === 0, findings }, null, 2) : told(findings, faults));
  return faults ? EXIT.failure : EXIT.success;
}

function told(findings: readonly Finding[], faults: number): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(({ check, verdict, message }) => {
    const mark = { pass: 'pass    ', fail: 'FAIL    ', 'not seen': 'not seen' }[verdict];
    return `${mark}  ${check.padEnd(width)}  ${verdict === 'pass' ? CHECKS[check] : message}${verdict === 'fail' ? `\n${' '.repeat(width + 12)}Right: ${CHECKS[check]}` : ''}`;
  });
  const unseen = findings.filter(({ verdict }) => verdict === 'not seen').length;
  const sum = faults ? `${faults === 1 ? 'One fault' : `${faults} faults`}` : 'No fault';
  return [...lines, `${sum}${unseen ? `, ${unseen} not seen` : ''}. The protocol is in docs/worker-protocol.md.`].join(
    '\n',
  );
}

function orderIn(given: Options, operands: readonly string[]) {
  const usage = (message: string): never => {
    throw new CliError(message, EXIT.usage);
  };
  const address = operands.length === 1 && /^https?:\/\//.test(operands[0] ?? '') ? new URL(operands[0] ?? '') : null;
  if (!operands.length) usage('say which worker: -- COMMAND …, or the URL to listen at.');
  if (address?.protocol === 'https:')
    usage('the service is played without TLS: give an address that begins with http://.');
  const leaseSeconds = Number(given.lease);
  if (!Number.isInteger(leaseSeconds) || leaseSeconds < 3 || leaseSeconds > 600)
    usage('--lease must be a whole number of seconds from 3 to 600.');
  const type = TYPES.find((known) => known === given.type) ?? usage(`--type must be one of ${TYPES.join(', ')}.`);
  const only = (given.only ?? []).map((name) =>
    name in CHECKS ? (name as CheckName) : usage(`--only must be one of ${Object.keys(CHECKS).join(', ')}.`),
  );
  return {
    ...{
      leaseSeconds,
      type,
      source: sourceOf(type, given.source),
      only: only.length ? only : null,
      json: given.json === true,
    },
    ...{
      host: address?.hostname.replace(/^\[|\]$/g, '') ?? '127.0.0.1',
      port: Number(address?.port ?? 0),
      command: address ? null : operands,
    },
  };
}

function sourceOf(type: (typeof TYPES)[number], file: string | undefined) {
  if (type !== 'convert' && !file)
    throw new CliError(`--type ${type} needs --source FILE: the asm.json that the job is about.`, EXIT.usage);
  const content = file ? contentOf(file) : readFileSync(BLOCK);
  const fileName = file ? basename(file) : 'block.step';
  return type === 'convert'
    ? { kind: 'source', fileName, contentType: 'model/step', content }
    : { kind: 'asm-json', fileName, contentType: 'application/json', content };
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CliError(`--source ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
