import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { EXIT, type Given, type OperatorCommand, OperatorError, textsOf } from './command.ts';
import { checkWorker } from './worker-check/check-worker.ts';
import { CHECKS, type CheckName, type Finding } from './worker-check/checks.ts';
import type { PlayedJob } from './worker-check/played-job.ts';
import { type PlayedService, playService } from './worker-check/played-service.ts';
import { NoWorker } from './worker-check/scenes.ts';
import { workerCommand } from './worker-check/worker-process.ts';

const TYPES = ['convert', 'assemble', 'export'] as const satisfies PlayedJob['state']['type'][];
const BLOCK = new URL('./worker-check/block.step', import.meta.url);

/** Plays the service against a worker and names what the worker does wrong. */
export const workerCheck: OperatorCommand = {
  words: 'worker-check',
  usage: 'worker-check [--json] [--only CHECK]… [--lease SECONDS] [--type convert|assemble|export] [--source FILE] URL | -- COMMAND …',
  says: 'Play the service against a worker and name what it does wrong: started by COMMAND with PDM_URL and PDM_TOKEN set, or pointed at URL by you.',
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    lease: { type: 'string', default: '6' },
    type: { type: 'string', default: 'convert' },
    source: { type: 'string' },
  },
  operands: true,
  run: async (given) => {
    const order = orderIn(given);
    // Whatever ends this ends the worker that it started.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(EXIT.cannotTell));
    const service = await playService(order).catch((error: Error) => {
      throw new OperatorError(`cannot listen at ${order.host}:${order.port}: ${error.message}`);
    });
    try {
      return await check(service, order);
    } finally {
      await service.close();
    }
  },
};

async function check(service: PlayedService, { command, only, json }: ReturnType<typeof orderIn>): Promise<number> {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  if (!command) console.error(`Point the worker here:\n  PDM_URL=${service.url} PDM_TOKEN=${service.token}`);
  const on = (scene: string) => {
    if (!json) console.error(`… ${scene}`);
  };
  const findings = await checkWorker(service, { start: command && workerCommand(command, print), only, on }).catch((error: unknown) => {
    if (!(error instanceof NoWorker)) throw error;
    const last = printed.join('').split('\n').slice(-20).join('\n').trim();
    throw new OperatorError(`no worker came, in 30 seconds or before it ended.${last ? ` It printed:\n${last}` : ''}`);
  });
  const faults = findings.filter(({ verdict }) => verdict === 'fail').length;
  console.log(json ? JSON.stringify({ passed: faults === 0, findings }, null, 2) : told(findings, faults));
  return faults ? EXIT.wrong : EXIT.good;
}

function told(findings: readonly Finding[], faults: number): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(({ check, verdict, says }) => {
    const mark = { pass: 'pass    ', fail: 'FAIL    ', 'not seen': 'not seen' }[verdict];
    return `${mark}  ${check.padEnd(width)}  ${verdict === 'pass' ? CHECKS[check] : says}${verdict === 'fail' ? `\n${' '.repeat(width + 12)}Right: ${CHECKS[check]}` : ''}`;
  });
  const unseen = findings.filter(({ verdict }) => verdict === 'not seen').length;
  const sum = faults ? `${faults === 1 ? 'One fault' : `${faults} faults`}` : 'No fault';
  return [...lines, `${sum}${unseen ? `, ${unseen} not seen` : ''}. The protocol is in docs/worker-protocol.md.`].join('\n');
}

function orderIn(given: Given) {
  const usage = (message: string): never => {
    throw new OperatorError(message, EXIT.usage);
  };
  const operands = textsOf(given, 'operands');
  const address = operands.length === 1 && /^https?:\/\//.test(operands[0] ?? '') ? new URL(operands[0] ?? '') : null;
  if (!operands.length) usage('say which worker: -- COMMAND …, or the URL to listen at.');
  if (address?.protocol === 'https:') usage('the service is played without TLS: give an address that begins with http://.');
  const leaseSeconds = Number(given.lease);
  if (!Number.isInteger(leaseSeconds) || leaseSeconds < 3 || leaseSeconds > 600) usage('--lease must be a whole number of seconds from 3 to 600.');
  const type = TYPES.find((known) => known === given.type) ?? usage(`--type must be one of ${TYPES.join(', ')}.`);
  const only = textsOf(given, 'only').map((name) =>
    name in CHECKS ? (name as CheckName) : usage(`--only must be one of ${Object.keys(CHECKS).join(', ')}.`),
  );
  return {
    ...{ leaseSeconds, type, source: sourceOf(type, given.source), only: only.length ? only : null, json: given.json === true },
    ...{ host: address?.hostname.replace(/^\[|\]$/g, '') ?? '127.0.0.1', port: Number(address?.port ?? 0), command: address ? null : operands },
  };
}

function sourceOf(type: (typeof TYPES)[number], file: Given[string]) {
  if (type !== 'convert' && !file) throw new OperatorError(`--type ${type} needs --source FILE: the asm.json that the job is about.`, EXIT.usage);
  const content = file ? readFileSync(String(file)) : readFileSync(BLOCK);
  const fileName = file ? basename(String(file)) : 'block.step';
  return type === 'convert'
    ? { kind: 'source', fileName, contentType: 'model/step', content }
    : { kind: 'asm-json', fileName, contentType: 'application/json', content };
}
