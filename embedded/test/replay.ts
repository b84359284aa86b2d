/** One entry of the log that write-recorder.c keeps; `from` and `to` are its place in the log. */
export type Entry = { kind: 'w' | 'd' | 'b' | 'e' | 't'; offset: number; bytes: Buffer; from: number; to: number };

const HEAD = 24;
const SECTOR = 512;

/** Reads a log of writes and syncs. */
export function entriesOf(log: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let from = 0; from + HEAD <= log.length; ) {
    const kind = String.fromCharCode(log[from]!) as Entry['kind'];
    const to = from + HEAD + Number(log.readBigUInt64LE(from + 16));
    entries.push({ kind, offset: Number(log.readBigUInt64LE(from + 8)), bytes: log.subarray(from + HEAD, to), from, to });
    from = to;
  }
  return entries;
}

/** The file of a machine that goes through a log: what has reached the disk, and what was written but may still be lost. */
export type Disk = {
  take(entry: Entry): void;
  /** The file with everything written, as its process sees it. */
  written(): Buffer;
  /** The file after the power went: all that was synced, and of the rest each sector with this chance. */
  torn(chance: number): Buffer;
};

/** With `deaf`, a disk that confirms syncs without doing them, and writes an entry down only when this many others came after it. */
export function disk({ deaf }: { deaf?: number } = {}): Disk {
  const safe = growing();
  let waiting: Entry[] = [];
  let syncing: Entry[] = [];

  const settle = (entries: readonly Entry[]): void => {
    for (const entry of entries) safe.write(entry.offset, entry.bytes);
  };

  return {
    take(entry) {
      const { kind } = entry;
      if (kind === 't') throw new Error('the log changes the length of the file, which this replay does not know');
      if (kind === 'w') waiting.push(entry);
      if (deaf !== undefined) {
        if (waiting.length > deaf) settle(waiting.splice(0, waiting.length - deaf));
        return;
      }
      if (kind === 'b') {
        syncing = syncing.concat(waiting);
        waiting = [];
      } else if (kind === 'e') {
        settle(syncing);
        syncing = [];
      } else if (kind === 'd') settle(waiting.splice(-1));
    },
    written() {
      const file = safe.copy();
      for (const { offset, bytes } of [...syncing, ...waiting]) file.write(offset, bytes);
      return file.content();
    },
    torn(chance) {
      const file = safe.copy();
      for (const { offset, bytes } of [...syncing, ...waiting]) {
        for (let at = 0; at < bytes.length; ) {
          const end = Math.min(bytes.length, at + SECTOR - ((offset + at) % SECTOR));
          if (Math.random() < chance) file.write(offset + at, bytes.subarray(at, end));
          at = end;
        }
      }
      return file.content();
    },
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
