import { StringDecoder } from 'node:string_decoder';

/** A server-sent event; an id without data only tells where to go on. */
export type Message = { id: string | null; event: string; data: string | null };

/** The messages of a stream of server-sent events, without its comments; a message that broke off is left out. */
export async function* messagesIn(stream: AsyncIterable<Buffer | string>): AsyncGenerator<Message> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream) {
    rest += typeof chunk === 'string' ? chunk : decoder.write(chunk);
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const message = messageIn(block.split(/\r?\n/));
      if (message) yield message;
    }
  }
}

function messageIn(lines: readonly string[]): Message | null {
  const fields = lines.filter((line) => !line.startsWith(':')).map((line) => /^([^:]+):? ?(.*)$/s.exec(line) ?? []);
  const last = (name: string) => fields.findLast(([, field]) => field === name)?.[2] ?? null;
  const data = fields.filter(([, field]) => field === 'data').map(([, , value]) => value ?? '');
  const id = last('id');
  return id === null && !data.length
    ? null
    : { id, event: last('event') ?? 'message', data: data.length ? data.join('\n') : null };
}
