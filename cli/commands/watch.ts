import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditRecordFragment } from '../../rest-adapter/generated/operations.ts';
import { type Api, createApi } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { fetchDocument } from '../document-reference.ts';
import { ApiError, EXIT } from '../exit.ts';
import { parseServerEvents } from '../server-events.ts';
import { createStyler, sanitize, type Terminal, writeLine } from '../terminal.ts';

type Options = { types?: string; after?: string; json?: true };
/** An event of the stream (CloudEvents 1.0); its data is the audit record. */
type Event = { id: string; data: AuditRecordFragment };

const MIN_RECONNECT_MS = 1_000;
const MAX_RECONNECT_MS = 30_000;

/** `pdm watch`: prints changes as they happen, until Ctrl-C. */
export const watch: CliCommand = {
  define: (command) =>
    command
      .argument('[document]', 'print only changes to this document (number or id)')
      .option('--types <types>', 'print only these event types, comma-separated, e.g. version.released,document.*')
      .option('--after <seq>', 'start after this sequence number of the audit log, 0 for its beginning (default: now)'),
  async run(terminal, { types, after, json }: Options, documentArg?: string) {
    const api = createApi(terminal);
    const documentId = documentArg === undefined ? null : (await fetchDocument(api, documentArg)).id;
    const style = createStyler(terminal.out, terminal.environment);
    for await (const { data } of streamEvents(terminal, api, { types, after })) {
      if (documentId !== null && data.documentId !== documentId) continue;
      if (json) {
        writeLine(terminal.out, JSON.stringify(data));
        continue;
      }
      const time = style('dim', new Date(data.at).toLocaleTimeString('sv'));
      const action = style('cyan', data.action);
      writeLine(terminal.out, `${time}  ${action}  ${sanitize(data.by.name)}  ${sanitize(data.summary)}`);
    }
    return EXIT.success;
  },
};

/** Streams events in order, each once. Reconnects after the last event when the connection is lost. */
async function* streamEvents(
  { err, signal }: Terminal,
  api: Api,
  query: { types?: string; after?: string },
): AsyncGenerator<Event> {
  let lastId: string | undefined;
  let delay = MIN_RECONNECT_MS;
  for (;;) {
    try {
      const stream = await api.open('/events/stream', query, {
        Accept: 'text/event-stream',
        ...(lastId ? { 'Last-Event-ID': lastId } : {}),
      });
      for await (const { id, data } of parseServerEvents(stream)) {
        delay = MIN_RECONNECT_MS;
        lastId = id ?? lastId;
        if (data !== null) yield JSON.parse(data) as Event;
      }
      if (lastId === undefined && query.after === undefined)
        writeLine(err, 'The service closed the event stream. Changes until it reconnects are not shown.');
    } catch (error) {
      if (signal.aborted) return;
      if (lastId === undefined || error instanceof ApiError) throw error;
      writeLine(err, `${error instanceof Error ? error.message : error} Reconnecting from ${lastId} …`);
    }
    await sleep(delay, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    delay = Math.min(delay * 2, MAX_RECONNECT_MS);
  }
}
