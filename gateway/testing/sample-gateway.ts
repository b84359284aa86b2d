// The sample's gateway, in one process, and a log that can be read.
import { Writable } from 'node:stream';
import { parse } from 'graphql';
import { pino } from 'pino';
import type { Log } from '../../subgraphs/core/platform/log.ts';
import type { RequestContext } from '../../subgraphs/core/work.ts';
import { compose } from '../compose.ts';
import type { Result } from '../execute.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../gateway.ts';
import { NOBODY, nothingSeen, type Seen, sampleSubgraphs } from './sample.ts';

export const KEY = Buffer.alloc(32, 7);

export type SampleGateway = {
  gateway: Gateway;
  log: Log;
  seen: Seen;
  lines: string[];
  ask: (text: string, variables?: Record<string, unknown>, context?: Partial<RequestContext>) => Promise<Result>;
};

let composed: string | undefined;

/** Makes the gateway of the sample; `options` replace parts of it. `ask` runs a named operation as NOBODY. */
export async function sampleGateway(options: Partial<GatewayOptions> = {}): Promise<SampleGateway> {
  const seen = nothingSeen();
  const subgraphs = sampleSubgraphs(seen);
  const { log, lines } = readableLog();
  composed ??= compose(subgraphs).supergraphSdl;
  const gateway = await createGateway({ subgraphs, key: KEY, log, supergraphSdl: composed, ...options });
  const ask: SampleGateway['ask'] = (text, variables = {}, context = {}) =>
    gateway.execute(gateway.prepare(parse(text)), variables, requestOf(context));
  return { gateway, log, seen, lines, ask };
}

/** A request of NOBODY. */
export const requestOf = (context: Partial<RequestContext> = {}): RequestContext => ({
  actor: NOBODY,
  requestId: 'req-1',
  signal: new AbortController().signal,
  ...context,
});

/** A log whose lines are kept. */
export function readableLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: pino({ level: 'debug' }, stream), lines };
}
