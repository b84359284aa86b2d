import { setTimeout as wait } from 'node:timers/promises';
import type { AuditRecordFragment } from '../../rest-adapter/generated/operations.ts';
import { type Api, apiFor } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT, Refusal } from '../exit.ts';
import { documentOf } from '../named.ts';
import { messagesIn } from '../server-events.ts';
import { painter, plain, say, type Terminal } from '../terminal.ts';

type Options = { types?: string; after?: string; json?: true };
/** An event of the feed (CloudEvents 1.0); its data is the audit record. */
type Event = { id: string; data: AuditRecordFragment };

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Shows what is done, as it is done, until Ctrl-C. */
export const watch: Deed = {
  define: (command) =>
    command
      .argument('[document]', 'only what is done to this one, by its number or id')
      .option('--types <types>', 'only these, separated by commas, like version.released,document.*')
      .option('--after <place>', 'from behind this place of the log (seq) instead of from now on; 0 is its beginning'),
  async run(terminal, { types, after, json }: Options, of?: string) {
    const api = apiFor(terminal);
    const only = of === undefined ? null : (await documentOf(api, of)).id;
    const paint = painter(terminal.out, terminal.environment);
    for await (const { data } of events(terminal, api, { types, after })) {
      if (only !== null && data.documentId !== only) continue;
      const line = json
        ? JSON.stringify(data)
        : `${paint('dim', new Date(data.at).toLocaleTimeString('sv'))}  ${paint('cyan', data.action)}  ${plain(data.by.name)}  ${plain(data.summary)}`;
      say(terminal.out, line);
    }
    return EXIT.good;
  },
};

/** Events one after another and each once: when the connection breaks off it is told, and made again where it broke off. */
async function* events(
  { err, signal }: Terminal,
  api: Api,
  query: { types?: string; after?: string },
): AsyncGenerator<Event> {
  let place: string | undefined;
  let pause = PAUSE_MS;
  for (;;) {
    try {
      const stream = await api.open('/events/stream', query, {
        Accept: 'text/event-stream',
        ...(place ? { 'Last-Event-ID': place } : {}),
      });
      for await (const { id, data } of messagesIn(stream)) {
        pause = PAUSE_MS;
        place = id ?? place;
        if (data !== null) yield JSON.parse(data) as Event;
      }
      if (place === undefined && query.after === undefined)
        say(err, 'The service ended the feed; what is done until it answers again is not shown.');
    } catch (error) {
      if (signal.aborted) return;
      if (place === undefined || error instanceof Refusal) throw error;
      say(err, `${error instanceof Error ? error.message : error} Coming again from ${place} on …`);
    }
    await wait(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}
