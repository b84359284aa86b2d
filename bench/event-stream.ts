// Event stream fan-out: latency to the first and last of many listeners and the load on the store, compared to one
// listener. Run: `node launch.mjs bench/event-stream.ts` (LISTENERS=5000 for more; the listeners run in this process,
// which needs an `ulimit -n` of twice the number). Target: a thousand listeners cause as many store reads as one.
import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import type { CommandStartedEvent } from 'mongodb';
import { startPdm } from '../test/support/pdm.ts';

const LISTENERS = Number(process.env.LISTENERS ?? 1_000);
const EVENTS = 20;

const pdm = await startPdm({ monitorCommands: true });
let finds = 0;
pdm.services.mongo.client.on('commandStarted', ({ commandName, command }: CommandStartedEvent) => {
  if (commandName === 'find' && command.find === 'audit') finds += 1;
});

const one = await measure(1);
const many = await measure(LISTENERS);
const perEvent = many.cpuMs / (EVENTS * LISTENERS);
console.log(
  `1 listener: event received ${one.last.toFixed(0)} ms after the commit; ${one.finds} audit reads for ${EVENTS} events`,
);
console.log(
  `${LISTENERS} listeners: first after ${many.first.toFixed(0)} ms, last after ${many.last.toFixed(0)} ms; ${many.finds} audit reads`,
);
console.log(
  `${(perEvent * 1000).toFixed(0)} µs of CPU per event and listener, ${(many.rss / LISTENERS / 1024).toFixed(0)} KiB per listener (server and client)`,
);
console.log(`store: ${(many.finds / Math.max(1, one.finds)).toFixed(2)} times the reads of one listener (target: 1)`);
await pdm.close();
assert.ok(many.finds <= 2 * EVENTS, 'listeners do not share store reads');

/** Returns the median latencies to the first and the last listener, and the cost. */
async function measure(count: number) {
  const before = process.memoryUsage().rss;
  const listeners = await Promise.all(Array.from({ length: count }, () => listen()));
  const rss = process.memoryUsage().rss - before;
  const [findsBefore, cpu] = [finds, process.cpuUsage()];
  const firsts: number[] = [];
  const lasts: number[] = [];
  for (let n = 1; n <= EVENTS; n++) {
    const { body } = await pdm.editor.post('/folders', { name: `For ${count}, ${n}` });
    const start = performance.now();
    const arrivals = await Promise.all(listeners.map(async ({ received }) => (await received(body.id)) - start));
    firsts.push(Math.min(...arrivals));
    lasts.push(Math.max(...arrivals));
  }
  const { user, system } = process.cpuUsage(cpu);
  const result = {
    first: median(firsts),
    last: median(lasts),
    finds: finds - findsBefore,
    cpuMs: (user + system) / 1000,
    rss,
  };
  for (const { close } of listeners) close();
  return result;
}

/** `received` resolves to the time at which the event of a folder arrived. */
type Listener = { received(folderId: string): Promise<number>; close(): void };

async function listen(): Promise<Listener> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(
      `${pdm.url}/api/v1/events/stream`,
      { headers: { authorization: `Bearer ${pdm.tokens.viewer}` }, agent: false },
      resolve,
    ).on('error', reject);
  });
  assert.equal(response.statusCode, 200);
  const arrived = new Map<string, number>();
  let waiting: { id: string; resolve(at: number): void } | null = null;
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const id = /"folderId":"(\w+)"/.exec(block)?.[1];
      if (!id) continue;
      if (waiting?.id === id) waiting.resolve(performance.now());
      else arrived.set(id, performance.now());
    }
  });
  response.on('error', () => {}); // `close` aborts the response
  await new Promise((resolve) => response.once('data', resolve));
  return {
    received: (id) => {
      const at = arrived.get(id);
      if (at !== undefined) return Promise.resolve(at);
      return new Promise((resolve) => {
        waiting = { id, resolve };
      });
    },
    close: () => response.destroy(),
  };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
