// Parses and frames messages of the MongoDB wire protocol.
import { type Doc, decode, encode } from '../values/bson.ts';
import { LIMITS } from './limits.ts';
import { HEADER_BYTES } from './reply.ts';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** Header, flags and the length of a document. */
const MIN_MESSAGE_BYTES = 24;

/**
 * A document sequence. The documents of a message are sliced on access, because slicing tens of thousands takes long.
 */
export type DocumentSequence<T> = { readonly length: number; at(index: number): T | undefined };
export type DocumentSequences = { [name: string]: DocumentSequence<Buffer> };

/** A request: the command, its document sequences (as bytes) and the form of the reply. */
export type Request = { id: number; body: Doc; sequences: DocumentSequences; legacy: boolean; noReply: boolean };

/** A reply: a document, or an encoded document behind HEADER_BYTES bytes reserved for the message header. */
export type Reply = Doc | Buffer;

/** Returns a function that splits a byte stream into messages; it throws on an invalid length. */
export function createMessageReader(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0);
  // Collects a long message as it arrives instead of joining all chunks at the end.
  let partial: Buffer | undefined;
  let received = 0;
  return (chunk) => {
    const messages: Buffer[] = [];
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    while (partial || rest.length >= 4) {
      const length = partial?.length ?? rest.readInt32LE(0);
      if (length < 16 || length > LIMITS.messageBytes + 16_384)
        throw new Error(`invalid message length: ${length} bytes`);
      if (partial || rest.length < length) {
        partial ??= Buffer.allocUnsafe(length);
        const copied = rest.copy(partial, received);
        received += copied;
        rest = rest.subarray(copied);
        if (received < length) break;
        messages.push(partial);
        partial = undefined;
        received = 0;
      } else {
        messages.push(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    }
    return messages;
  };
}

/** Parses an OP_MSG or the legacy OP_QUERY that opens a connection; throws on any other message. */
export function parseMessage(message: Buffer): Request {
  if (message.length < MIN_MESSAGE_BYTES) throw new Error(`a message of ${message.length} bytes contains no command`);
  const id = message.readInt32LE(4);
  const opcode = message.readInt32LE(12);
  if (opcode === OP_MSG) return parseMsg(message, id);
  if (opcode === OP_QUERY) return parseQuery(message, id);
  throw new Error(`unknown opcode ${opcode}`);
}

/** Frames a reply in the form of its request. The header of an encoded reply is written in place. */
export function frameReply({ id, legacy }: Pick<Request, 'id' | 'legacy'>, reply: Reply): Buffer {
  if (legacy) return frameLegacyReply(id, Buffer.isBuffer(reply) ? reply.subarray(HEADER_BYTES) : encode(reply));
  const frame = Buffer.isBuffer(reply) ? reply : Buffer.concat([Buffer.allocUnsafe(HEADER_BYTES), encode(reply)]);
  writeHeader(frame, id, OP_MSG);
  frame.writeInt32LE(0, 16); // no flags
  frame[20] = 0; // one document
  return frame;
}

function frameLegacyReply(id: number, body: Uint8Array): Buffer {
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
  if (flags & 0xfffc) throw new Error(`unknown required flags ${flags}`);
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  let body: Doc | undefined;
  const sequences: DocumentSequences = {};
  let offset = 20;
  while (offset < end) {
    const kind = message[offset++];
    const length = message.readInt32LE(offset);
    if (length < 5 || offset + length > end) throw new Error('a section is longer than its message');
    const section = message.subarray(offset, offset + length);
    if (kind === 0) body = decode(section);
    else if (kind === 1) readSequence(section, sequences);
    else throw new Error(`unknown section kind ${kind}`);
    offset += length;
  }
  if (!body) throw new Error('the message has no command');
  return { id, body, sequences, legacy: false, noReply: (flags & MORE_TO_COME) !== 0 };
}

function readSequence(section: Buffer, sequences: DocumentSequences): void {
  const nameEnd = section.indexOf(0, 4);
  const ends = [nameEnd + 1];
  for (let offset = nameEnd + 1; offset < section.length; ends.push(offset)) {
    const length = section.readInt32LE(offset);
    if (length < 5 || offset + length > section.length) throw new Error('a document is longer than its sequence');
    offset += length;
  }
  sequences[section.toString('utf8', 4, nameEnd)] = {
    length: ends.length - 1,
    at: (index) => (index + 1 < ends.length ? section.subarray(ends[index], ends[index + 1]) : undefined),
  };
}

function parseQuery(message: Buffer, id: number): Request {
  const nameEnd = message.indexOf(0, 20);
  const namespace = message.toString('utf8', 20, nameEnd);
  const offset = nameEnd + 1 + 8;
  const body = decode(message.subarray(offset, offset + message.readInt32LE(offset)));
  return { id, body: { ...body, $db: namespace.split('.')[0] }, sequences: {}, legacy: true, noReply: false };
}

let lastId = 0;
function nextId(): number {
  lastId = (lastId + 1) & 0x7fffffff;
  return lastId;
}
