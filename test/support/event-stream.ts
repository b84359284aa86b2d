/** A stream of server-sent events: each read returns the next event, without comments and ids; null at the end. */
export type Followed = {
  next(): Promise<{ id: string; data: string } | null>;
  lastId(): string;
  close(): Promise<void>;
};

/** Opens a stream; throws if the response is no event stream. */
export async function follow(url: string, token: string, headers: Record<string, string> = {}): Promise<Followed> {
  const left = new AbortController();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, ...headers }, signal: left.signal });
  if (response.headers.get('content-type') !== 'text/event-stream')
    throw new Error(`${response.status} ${await response.text()}`);
  // locks the body, because the body of an unreferenced response can be cancelled at any time
  const blocks = blocksOf(
    response.body!.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>),
  );
  let last = '';
  return {
    lastId: () => last,
    close: async () => {
      left.abort();
    },
    next: async () => {
      for (;;) {
        const { value, done } = await blocks.next();
        if (done) return null;
        const fields = Object.fromEntries(
          value.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
        );
        last = fields.id ?? last;
        if (fields.data) return { id: last, data: fields.data };
      }
    },
  };
}

async function* blocksOf(texts: ReadableStream<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks;
  }
}
