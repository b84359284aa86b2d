/** One entry of the log that write-recorder.c keeps, of one of the FILES; `from` and `to` are its place in the log. */
export type Entry = {
  kind: 'w' | 'd' | 'b' | 'e' | 't';
  name: string;
  offset: number;
  bytes: Buffer;
  from: number;
  to: number;
};

/** What a store consists of. */
export const FILES = ['store.mdb', 'journal'] as const;

const HEAD = 24;
const SECTOR = 512;

/** Reads a log of writes and syncs. */
export function entriesOf(log: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let from = 0; from + HEAD <= log.length; ) {
    const kind = String.fromCharCode(log[from]!) as Entry['kind'];
    const to = from + HEAD + Number(log.readBigUInt64LE(from + 16));
    entries.push({
      kind,
      name: FILES[log[from + 1]!]!,
      offset: Number(log.readBigUInt64LE(from + 8)),
      bytes: log.subarray(from + HEAD, to),
      from,
      to,
    });
    from = to;
  }
  return entries;
}

/** The files of a machine that goes through a log: what has reached the disk, and what was written but may still be lost. */
export type Disk = {
  take(entry: Entry): void;
  /** The files with everything written, as the process sees them. */
  written(): Map<string, Buffer>;
  /** The files after the power went: all that was synced, and of the rest each sector with this chance. */
  torn(chance: number): Map<string, Buffer>;
};

/** With `deaf`, a disk that confirms syncs without doing them, and writes an entry down only when this many others came after it. */
export function disk({ deaf }: { deaf?: number } = {}): Disk {
  const safe = new Map<string, Growing>(FILES.map((name) => [name, growing()]));
  // In their order; each with how many entries the disk had taken before it.
  let waiting: { entry: Entry; at: number }[] = [];
  const syncs = new Map<number, number>();
  let taken = 0;

  const settle = (entries: readonly { entry: Entry }[]): void => {
    for (const { entry } of entries) safe.get(entry.name)!.write(entry.offset, entry.bytes);
  };

  // A sync is of one file, and of what was written before it began.
  function settleBefore(name: string, moment: number): void {
    const isDone = ({ entry, at }: { entry: Entry; at: number }) => entry.name === name && at < moment;
    settle(waiting.filter(isDone));
    waiting = waiting.filter((one) => !isDone(one));
  }

  function filesWith(add: (file: Growing, entry: Entry) => void): Map<string, Buffer> {
    const files = new Map([...safe].map(([name, file]) => [name, file.copy()]));
    for (const { entry } of waiting) add(files.get(entry.name)!, entry);
    return new Map([...files].map(([name, file]) => [name, file.content()]));
  }

  return {
    take(entry) {
      const { kind, name, offset } = entry;
      const at = taken++;
      if (kind === 't') throw new Error('the log changes the length of a file, which this replay does not know');
      if (kind === 'w') waiting.push({ entry, at });
      if (deaf !== undefined) {
        if (waiting.length > deaf) settle(waiting.splice(0, waiting.length - deaf));
      } else if (kind === 'b') syncs.set(offset, at);
      else if (kind === 'e') settleBefore(name, syncs.get(offset) ?? 0);
      else if (kind === 'd') settle(waiting.splice(-1));
    },
    written: () => filesWith((file, { offset, bytes }) => file.write(offset, bytes)),
    torn: (chance) =>
      filesWith((file, { offset, bytes }) => {
        for (let at = 0; at < bytes.length; ) {
          const end = Math.min(bytes.length, at + SECTOR - ((offset + at) % SECTOR));
          if (Math.random() < chance) file.write(offset + at, bytes.subarray(at, end));
          at = end;
        }
      }),
  };
}

type Growing = { write(offset: number, bytes: Buffer): void; content(): Buffer; copy(): Growing };

function growing(start: Buffer = Buffer.alloc(0)): Growing {
  let bytes = start;
  let length = start.length;
  return {
    write(offset, given) {
      const end = offset + given.length;
      if (end > bytes.length) {
        const larger = Buffer.alloc(end * 2);
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      given.copy(bytes, offset);
      length = Math.max(length, end);
    },
    content: () => bytes.subarray(0, length),
    copy: () => growing(Buffer.from(bytes.subarray(0, length))),
  };
}
