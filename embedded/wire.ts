import { type Doc, decode, encode } from './bson.ts';
import { LIMITS } from './limits.ts';
import { HEAD } from './reply.ts';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** The head, its flags, and the length of a document. */
const SHORTEST = 24;

/** One request of a client: the command, the documents that came as sequences (still bytes), and how it wants the answer. */
export type Request = { id: number; body: Doc; sequences: { [name: string]: Buffer[] }; legacy: boolean; silent: boolean };

/** An answer: a document, or the bytes of one with room for the head of its frame in front. */
export type Reply = Doc | Buffer;

/** Cuts a byte stream into whole messages; throws when a length cannot be one. */
export function messageReader(): (chunk: Buffer) => Buffer[] {
  let chunks: Buffer[] = [];
  let have = 0;
  let need = 4;
  return (chunk) => {
    chunks.push(chunk);
    have += chunk.length;
    const messages: Buffer[] = [];
    while (have >= need) {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      const length = bytes.readInt32LE(0);
      if (length < 16 || length > LIMITS.messageBytes + 16_384) throw new Error(`a message of ${length} bytes is not possible`);
      chunks = [bytes];
      need = length;
      if (have < length) break;
      messages.push(bytes.subarray(0, length));
      const rest = bytes.subarray(length);
      chunks = rest.length > 0 ? [rest] : [];
      have = rest.length;
      need = 4;
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
  frame.fill(0, 16, HEAD); // no flags, one document
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
  const sequences: { [name: string]: Buffer[] } = {};
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

function readSequence(section: Buffer, sequences: { [name: string]: Buffer[] }): void {
  const nameEnd = section.indexOf(0, 4);
  const documents: Buffer[] = [];
  for (let at = nameEnd + 1; at < section.length; ) {
    const length = section.readInt32LE(at);
    if (length < 5 || at + length > section.length) throw new Error('a document is longer than its sequence');
    documents.push(section.subarray(at, at + length));
    at += length;
  }
  sequences[section.toString('utf8', 4, nameEnd)] = documents;
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
