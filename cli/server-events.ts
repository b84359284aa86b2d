import { StringDecoder } from 'node:string_decoder';

/** A server-sent event. An event without data carries only an id: the position to resume from. */
export type ServerEvent = { id: string | null; event: string; data: string | null };

/** Parses a stream of server-sent events. Skips comments and an incomplete event at the end. */
export async function* parseServerEvents(stream: AsyncIterable<Buffer | string>): AsyncGenerator<ServerEvent> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream) {
    rest += typeof chunk === 'string' ? chunk : decoder.write(chunk);
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseEvent(block.split(/\r?\n/));
      if (event) yield event;
    }
  }
}

function parseEvent(lines: readonly string[]): ServerEvent | null {
  const fields = lines.filter((line) => !line.startsWith(':')).map((line) => /^([^:]+):? ?(.*)$/s.exec(line) ?? []);
  const last = (name: string) => fields.findLast(([, field]) => field === name)?.[2] ?? null;
  const data = fields.filter(([, field]) => field === 'data').map(([, , value]) => value ?? '');
  const id = last('id');
  if (id === null && !data.length) return null;
  return { id, event: last('event') ?? 'message', data: data.length ? data.join('\n') : null };
}
