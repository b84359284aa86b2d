// Reads and writes bytes in the standard GridFS layout, chunk by chunk. The driver's own streams check indexes before
// the first write, fetch many chunks at once, leave writes in flight when they are destroyed, and do not notice a
// missing last chunk.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Binary, type Collection, type ObjectId } from 'mongodb';
import { refuse } from '../../domain/errors.ts';
import { type Scope, within } from '../query/scope.ts';

/** The size of a chunk in bytes. */
export const CHUNK_SIZE = 1024 * 1024;
const MAX_WRITES = 3;

type FileRecord = { _id: ObjectId; length: number; chunkSize: number; uploadDate: Date; filename: string };
type ChunkRecord = { files_id: ObjectId; n: number; data: Binary };

const files = ({ db }: Scope): Collection<FileRecord> => db.collection('files.files');
const chunks = ({ db }: Scope): Collection<ChunkRecord> => db.collection('files.chunks');

/**
 * Writes a stream as a GridFS file that is named after its hash, with a few chunks in memory. Throws `file_too_large`
 * beyond `maxBytes`. When it rejects, no write is in flight.
 */
export async function writeBytes(
  scope: Scope,
  fileId: ObjectId,
  source: Readable,
  { maxBytes, now }: { maxBytes: number; now: Date },
): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  const writes = createWriteQueue(MAX_WRITES);
  const spare: Buffer[] = []; // reuses the buffers of written chunks, to relieve the garbage collector
  let size = 0;
  let n = 0;
  const measured = async function* () {
    for await (const piece of source as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maxBytes)
        refuse('file_too_large', `The file is larger than the limit of ${maxBytes} bytes.`, { maxBytes });
      hash.update(piece);
      yield piece;
    }
  };
  try {
    for await (const data of inChunks(measured(), spare)) {
      const chunk = { files_id: fileId, n: n++, data: new Binary(data) };
      await writes.start(async () => {
        await chunks(scope).insertOne(chunk);
        if (data.length === CHUNK_SIZE) spare.push(data);
      });
    }
  } finally {
    await writes.settled();
  }
  writes.check();
  const sha256 = hash.digest('hex');
  await files(scope).insertOne({ _id: fileId, length: size, chunkSize: CHUNK_SIZE, uploadDate: now, filename: sha256 });
  return { sha256, size };
}

/** Writes content with a known hash as a GridFS file, within a transaction. */
export async function insertBytes(
  scope: Scope,
  fileId: ObjectId,
  content: Buffer,
  { sha256, now }: { sha256: string; now: Date },
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(content.length / CHUNK_SIZE) }, (_, n) => n * CHUNK_SIZE);
  const pieces = starts.map((start, n) => ({
    files_id: fileId,
    n,
    data: new Binary(content.subarray(start, start + CHUNK_SIZE)),
  }));
  if (pieces.length) await chunks(scope).insertMany(pieces, within(scope));
  await files(scope).insertOne(
    { _id: fileId, length: content.length, chunkSize: CHUNK_SIZE, uploadDate: now, filename: sha256 },
    within(scope),
  );
}

/**
 * Reads the bytes from `start` up to but not including `end`, one chunk ahead of the consumer. The stream fails if the
 * file does not have the expected size or, if all of it is read, the expected SHA-256; the last chunk is held back
 * until then.
 */
export async function readBytes(
  scope: Scope,
  expected: { fileId: ObjectId; size: number; sha256: string },
  { start, end }: { start: number; end: number },
): Promise<Readable> {
  if (start < 0 || start > end || end > expected.size)
    throw new RangeError(`bytes ${start} to ${end} are not within ${expected.size}`);
  const file = await files(scope).findOne({ _id: expected.fileId });
  if (file?.length !== expected.size)
    throw damagedError(expected, `is ${file?.length ?? 0} bytes long instead of ${expected.size}`);
  const { chunkSize } = file;
  const pieces = async function* () {
    const hash = start === 0 && end === expected.size ? createHash('sha256') : null;
    const last = Math.ceil(end / chunkSize) - 1;
    let n = Math.floor(start / chunkSize);
    let ahead = start < end ? readAhead(chunkOf(scope, file._id, n)) : null;
    for (; n <= last && ahead; n++) {
      const data = await ahead.value;
      ahead = n < last ? readAhead(chunkOf(scope, file._id, n + 1)) : null;
      if (data.length !== Math.min(chunkSize, file.length - n * chunkSize))
        throw damagedError(expected, `has lost bytes of its chunk ${n}`);
      hash?.update(data);
      if (n === last && hash && hash.digest('hex') !== expected.sha256)
        throw damagedError(expected, 'has another SHA-256');
      yield data.subarray(Math.max(0, start - n * chunkSize), Math.min(chunkSize, end - n * chunkSize));
    }
  };
  return Readable.from(pieces(), { objectMode: false, highWaterMark: CHUNK_SIZE });
}

/** Deletes a GridFS file and its chunks, even if it is incomplete. */
export async function deleteBytes(scope: Scope, fileId: ObjectId): Promise<void> {
  await files(scope).deleteOne({ _id: fileId });
  await chunks(scope).deleteMany({ files_id: fileId });
}

async function chunkOf(scope: Scope, fileId: ObjectId, n: number): Promise<Buffer> {
  const chunk = await chunks(scope).findOne({ files_id: fileId, n });
  if (!chunk) return Buffer.alloc(0);
  const { buffer, byteOffset } = chunk.data.buffer;
  return Buffer.from(buffer, byteOffset, chunk.data.position);
}

// A read ahead may fail before it is awaited, or never be awaited; neither must cause an unhandled rejection.
function readAhead<T>(value: Promise<T>): { value: Promise<T> } {
  value.catch(() => undefined);
  return { value };
}

function damagedError({ sha256 }: { sha256: string }, how: string): Error {
  return new Error(`The stored content ${sha256} is damaged: it ${how}`);
}

async function* inChunks(pieces: AsyncIterable<Buffer>, spare: Buffer[]): AsyncGenerator<Buffer> {
  let chunk: Buffer = Buffer.allocUnsafe(CHUNK_SIZE);
  let filled = 0;
  for await (const piece of pieces) {
    for (let offset = 0; offset < piece.length; ) {
      const copied = piece.copy(chunk, filled, offset);
      filled += copied;
      offset += copied;
      if (filled < CHUNK_SIZE) continue;
      yield chunk;
      chunk = spare.pop() ?? Buffer.allocUnsafe(CHUNK_SIZE);
      filled = 0;
    }
  }
  if (filled) yield chunk.subarray(0, filled);
}

/** Creates a queue that runs at most `max` writes at once. After the first failure, `start` and `check` throw it. */
function createWriteQueue(max: number) {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const check = () => {
    if (failures.length) throw failures[0];
  };
  return {
    async start(write: () => Promise<unknown>): Promise<void> {
      while (running.size >= max) await Promise.race(running);
      check();
      const tracked: Promise<void> = write()
        .then(
          () => undefined,
          (error) => void failures.push(error),
        )
        .finally(() => running.delete(tracked));
      running.add(tracked);
    },
    settled: () => Promise.all(running),
    check,
  };
}
