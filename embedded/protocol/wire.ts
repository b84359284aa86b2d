import { type Doc, decode, encode } from '../values/bson.ts';
import { LIMITS } from './limits.ts';
import { HEAD } from './reply.ts';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** The head, its flags, and the length of a document. */
const SHORTEST = 24;

/** A list, or documents that are cut out of their message when they are asked for: to make tens of thousands at once would take long. */
export type Sequence<T> = { readonly length: number; at(index: number): T | undefined };
export type Sequences = { [name: string]: Sequence<Buffer> };

/** One request of a client: the command, the documents that came as sequences (still bytes), and how it wants the answer. */
export type Request = { id: number; body: Doc; sequences: Sequences; legacy: boolean; silent: boolean };

/** An answer: a document, or the bytes of one with room for the head of its frame in front. */
export type Reply = Doc | Buffer;

/** Cuts a byte stream into whole messages; throws when a length cannot be one. */
export function messageReader(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  // A long one is put together as it comes, not at its end.
  let begun: Buffer | undefined;
  let have = 0;
  return (chunk) => {
    const messages: Buffer[] = [];
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    while (begun || rest.length >= 4) {
      const length = begun?.length ?? rest.readInt32LE(0);
      if (length < 16 || length > LIMITS.messageBytes + 16_384)
        throw new Error(`a message of ${length} bytes is not possible`);
      if (begun || rest.length < length) {
        begun ??= Buffer.allocUnsafe(length);
        const copied = rest.copy(begun, have);
        have += copied;
        rest = rest.subarray(copied);
        if (have < length) break;
        messages.push(begun);
        begun = undefined;
        have = 0;
      } else {
        messages.push(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    }
    return messages;
  };
}

/** Reads one message: OP_MSG, or the legacy OP_QUERY that opens a connection; throws on anything else. */
export function parseMessage(message: Buffer): Request {
  if (message.length < SHORTEST) throw new Error(`a message of ${message.length} bytes holds no command`);
  const id = message.readInt32LE(4);
  const opcode = message.readInt32LE(12);
  if (opcode === OP_MSG) return parseMsg(message, id);
  if (opcode === OP_QUERY) return parseQuery(message, id);
  throw new Error(`opcode ${opcode} is not known`);
}

/** Frames an answer the way its request was framed; the bytes of an answer become the frame themselves. */
export function frameReply({ id, legacy }: Pick<Request, 'id' | 'legacy'>, reply: Reply): Buffer {
  if (legacy) return frameLegacy(id, Buffer.isBuffer(reply) ? reply.subarray(HEAD) : encode(reply));
  const frame = Buffer.isBuffer(reply) ? reply : Buffer.concat([Buffer.allocUnsafe(HEAD), encode(reply)]);
  writeHeader(frame, id, OP_MSG);
  frame.writeInt32LE(0, 16); // no flags
  frame[20] = 0; // one document
  return frame;
}

function frameLegacy(id: number, body: Uint8Array): Buffer {
  const frame = Buffer.concat([Buffer.alloc(36), body]);
  writeHeader(frame, id, OP_REPLY);
  frame.writeInt32LE(8, 16); // await capable
  frame.writeInt32LE(1, 32); // one document
  return frame;
}

function writeHeader(frame: Buffer, id: number, opcode: number): void {
  frame.writeInt32LE(frame.length, 0);
  frame.writeInt32LE(nextId(), 4);
  frame.writeInt32LE(id, 8);
  frame.writeInt32LE(opcode, 12);
}

function parseMsg(message: Buffer, id: number): Request {
  const flags = message.readUInt32LE(16);
  if (flags & 0xfffc) throw new Error(`required flags ${flags} are not known`);
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  let body: Doc | undefined;
  const sequences: Sequences = {};
  let at = 20;
  while (at < end) {
    const kind = message[at++];
    const length = message.readInt32LE(at);
    if (length < 5 || at + length > end) throw new Error('a section is longer than its message');
    const section = message.subarray(at, at + length);
    if (kind === 0) body = decode(section);
    else if (kind === 1) readSequence(section, sequences);
    else throw new Error(`section kind ${kind} is not known`);
    at += length;
  }
  if (!body) throw new Error('a message without a command');
  return { id, body, sequences, legacy: false, silent: (flags & MORE_TO_COME) !== 0 };
}

function readSequence(section: Buffer, sequences: Sequences): void {
  const nameEnd = section.indexOf(0, 4);
  const ends = [nameEnd + 1];
  for (let at = nameEnd + 1; at < section.length; ends.push(at)) {
    const length = section.readInt32LE(at);
    if (length < 5 || at + length > section.length) throw new Error('a document is longer than its sequence');
    at += length;
  }
  sequences[section.toString('utf8', 4, nameEnd)] = {
    length: ends.length - 1,
    at: (index) => (index + 1 < ends.length ? section.subarray(ends[index], ends[index + 1]) : undefined),
  };
}

function parseQuery(message: Buffer, id: number): Request {
  const nameEnd = message.indexOf(0, 20);
  const namespace = message.toString('utf8', 20, nameEnd);
  const at = nameEnd + 1 + 8;
  const body = decode(message.subarray(at, at + message.readInt32LE(at)));
  return { id, body: { ...body, $db: namespace.split('.')[0] }, sequences: {}, legacy: true, silent: false };
}

let lastId = 0;
function nextId(): number {
  lastId = (lastId + 1) & 0x7fffffff;
  return lastId;
}
