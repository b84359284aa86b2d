// Creates the gateway of the sample in one process, and a log whose lines tests can read.
import { Writable } from 'node:stream';
import { parse } from 'graphql';
import { pino } from 'pino';
import type { Log } from '../../subgraphs/core/platform/log.ts';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import { compose } from '../compose.ts';
import type { Result } from '../execute.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../gateway.ts';
import { createRecording, type Recording, sampleSubgraphs, VIEWER } from './sample.ts';

export const KEY = Buffer.alloc(32, 7);

export type SampleGateway = {
  gateway: Gateway;
  log: Log;
  recording: Recording;
  lines: string[];
  ask: (text: string, variables?: Record<string, unknown>, context?: Partial<RequestContext>) => Promise<Result>;
};

let composed: string | undefined;

/** Creates the gateway of the sample; `options` override parts of it. `ask` runs a named operation as VIEWER. */
export async function createSampleGateway(options: Partial<GatewayOptions> = {}): Promise<SampleGateway> {
  const recording = createRecording();
  const subgraphs = sampleSubgraphs(recording);
  const { log, lines } = createRecordingLog();
  composed ??= compose(subgraphs).supergraphSdl;
  const gateway = await createGateway({ subgraphs, key: KEY, log, supergraphSdl: composed, ...options });
  const ask: SampleGateway['ask'] = (text, variables = {}, context = {}) =>
    gateway.execute(gateway.prepare(parse(text)), variables, createRequest(context));
  return { gateway, log, recording, lines, ask };
}

/** Creates the context of a request by VIEWER. */
export const createRequest = (context: Partial<RequestContext> = {}): RequestContext => ({
  actor: VIEWER,
  requestId: 'req-1',
  signal: new AbortController().signal,
  ...context,
});

/** Creates a log that records its lines. */
export function createRecordingLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: pino({ level: 'debug' }, stream), lines };
}
