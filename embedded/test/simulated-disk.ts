// Replays a log of writes and syncs on a simulated disk.

/**
 * An entry of the log that write-recorder.c writes, for one of the FILES. Kinds: `w` write, `d` the preceding write is
 * durable, `b` begin and `e` end of a sync, `t` truncate. `from` and `to` are the positions of the entry in the log.
 */
export type LogEntry = {
  kind: 'w' | 'd' | 'b' | 'e' | 't';
  name: string;
  offset: number;
  bytes: Buffer;
  from: number;
  to: number;
};

/** The files of a store, in the order of their numbers in the log. */
export const FILES = ['store.mdb', 'journal'] as const;

const HEADER_BYTES = 24;
const SECTOR_BYTES = 512;

/** Parses a log of writes and syncs. */
export function parseWriteLog(log: Buffer): LogEntry[] {
  const entries: LogEntry[] = [];
  for (let from = 0; from + HEADER_BYTES <= log.length; ) {
    const kind = String.fromCharCode(log[from]!) as LogEntry['kind'];
    const to = from + HEADER_BYTES + Number(log.readBigUInt64LE(from + 16));
    entries.push({
      kind,
      name: FILES[log[from + 1]!]!,
      offset: Number(log.readBigUInt64LE(from + 8)),
      bytes: log.subarray(from + HEADER_BYTES, to),
      from,
      to,
    });
    from = to;
  }
  return entries;
}

/** A disk with durable content and with writes that a power loss may still discard. */
export type SimulatedDisk = {
  /** Replays the next entry of the log. */
  apply(entry: LogEntry): void;
  /** Returns the files with all writes, as the process reads them. */
  content(): Map<string, Buffer>;
  /** Returns the files after a power loss: all durable content, and each other written sector with this probability. */
  contentAfterPowerLoss(probability: number): Map<string, Buffer>;
};

/**
 * Creates an empty disk. With `ignoreSyncs`, the disk acknowledges syncs without performing them, and a write becomes
 * durable only when this number of later writes has followed.
 */
export function createSimulatedDisk({ ignoreSyncs }: { ignoreSyncs?: number } = {}): SimulatedDisk {
  const durable = new Map<string, GrowingFile>(FILES.map((name) => [name, createGrowingFile()]));
  // In the order of the log; `at` is the number of entries applied before the write.
  let volatileWrites: { entry: LogEntry; at: number }[] = [];
  const syncs = new Map<number, number>();
  let applied = 0;

  const makeDurable = (entries: readonly { entry: LogEntry }[]): void => {
    for (const { entry } of entries) durable.get(entry.name)!.write(entry.offset, entry.bytes);
  };

  // A sync makes the writes to one file durable that happened before the sync began.
  function completeSync(name: string, startedAt: number): void {
    const isSynced = ({ entry, at }: { entry: LogEntry; at: number }) => entry.name === name && at < startedAt;
    makeDurable(volatileWrites.filter(isSynced));
    volatileWrites = volatileWrites.filter((write) => !isSynced(write));
  }

  function filesWith(write: (file: GrowingFile, entry: LogEntry) => void): Map<string, Buffer> {
    const files = new Map([...durable].map(([name, file]) => [name, file.copy()]));
    for (const { entry } of volatileWrites) write(files.get(entry.name)!, entry);
    return new Map([...files].map(([name, file]) => [name, file.content()]));
  }

  return {
    apply(entry) {
      const { kind, name, offset } = entry;
      const at = applied++;
      if (kind === 't')
        throw new Error('the log changes the length of a file, which the simulated disk does not support');
      if (kind === 'w') volatileWrites.push({ entry, at });
      if (ignoreSyncs !== undefined) {
        if (volatileWrites.length > ignoreSyncs)
          makeDurable(volatileWrites.splice(0, volatileWrites.length - ignoreSyncs));
      } else if (kind === 'b') syncs.set(offset, at);
      else if (kind === 'e') completeSync(name, syncs.get(offset) ?? 0);
      else if (kind === 'd') makeDurable(volatileWrites.splice(-1));
    },
    content: () => filesWith((file, { offset, bytes }) => file.write(offset, bytes)),
    contentAfterPowerLoss: (probability) =>
      filesWith((file, { offset, bytes }) => {
        for (let at = 0; at < bytes.length; ) {
          const end = Math.min(bytes.length, at + SECTOR_BYTES - ((offset + at) % SECTOR_BYTES));
          if (Math.random() < probability) file.write(offset + at, bytes.subarray(at, end));
          at = end;
        }
      }),
  };
}

type GrowingFile = { write(offset: number, bytes: Buffer): void; content(): Buffer; copy(): GrowingFile };

function createGrowingFile(start: Buffer = Buffer.alloc(0)): GrowingFile {
  let bytes = start;
  let length = start.length;
  return {
    write(offset, added) {
      const end = offset + added.length;
      if (end > bytes.length) {
        const larger = Buffer.alloc(end * 2);
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      added.copy(bytes, offset);
      length = Math.max(length, end);
    },
    content: () => bytes.subarray(0, length),
    copy: () => createGrowingFile(Buffer.from(bytes.subarray(0, length))),
  };
}
