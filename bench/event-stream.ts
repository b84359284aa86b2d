// The stream of events with many who listen: how long an event takes to the first and the last of them, and what they cost the store, against one
// listener. Run by `node launch.mjs bench/event-stream.ts` (LISTENERS=5000 for more; the listeners run in this process too, which needs `ulimit -n`
// of twice as many). Aim: a thousand listeners ask the store as often as one does.
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

const one = await measured(1);
const many = await measured(LISTENERS);
const perEvent = many.cpuMs / (EVENTS * LISTENERS);
console.log(
  `1 listener: an event arrives ${one.last.toFixed(0)} ms after its commit, ${one.finds} reads of the log for ${EVENTS} events`,
);
console.log(
  `${LISTENERS} listeners: the first has it after ${many.first.toFixed(0)} ms, the last after ${many.last.toFixed(0)} ms, ${many.finds} reads`,
);
console.log(
  `${(perEvent * 1000).toFixed(0)} µs of CPU for an event and listener, both ends together; ${(many.heap / LISTENERS / 1024).toFixed(0)} KiB for a listener, both ends`,
);
console.log(`store: ${(many.finds / Math.max(1, one.finds)).toFixed(2)} times the reads of one listener (aim: 1)`);
await pdm.close();
assert.ok(many.finds <= 2 * EVENTS, 'the listeners asked the store each for itself');

/** The middle of the times to the first and the last listener, and what it cost. */
async function measured(count: number) {
  const before = process.memoryUsage().rss;
  const listeners = await Promise.all(Array.from({ length: count }, () => listen()));
  const heap = process.memoryUsage().rss - before;
  const [findsBefore, cpu] = [finds, process.cpuUsage()];
  const firsts: number[] = [];
  const lasts: number[] = [];
  for (let n = 1; n <= EVENTS; n++) {
    const { body } = await pdm.editor.post('/folders', { name: `For ${count}, ${n}` });
    const since = performance.now();
    const arrivals = await Promise.all(listeners.map(async ({ heard }) => (await heard(body.id)) - since));
    firsts.push(Math.min(...arrivals));
    lasts.push(Math.max(...arrivals));
  }
  const { user, system } = process.cpuUsage(cpu);
  const result = {
    first: middle(firsts),
    last: middle(lasts),
    finds: finds - findsBefore,
    cpuMs: (user + system) / 1000,
    heap,
  };
  for (const { leave } of listeners) leave();
  return result;
}

type Listener = { heard(folderId: string): Promise<number>; leave(): void };

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
  response.on('error', () => {}); // it is left in the middle
  await new Promise((resolve) => response.once('data', resolve));
  return {
    heard: (id) => {
      const at = arrived.get(id);
      if (at !== undefined) return Promise.resolve(at);
      return new Promise((resolve) => {
        waiting = { id, resolve };
      });
    },
    leave: () => response.destroy(),
  };
}

function middle(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
