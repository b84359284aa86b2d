// Length-prefixed frames: how files enter the sandbox (descriptor 0) and results leave it (descriptor 4).
//   u32 length of the name, u32 length of the bytes (little endian), name in UTF-8, bytes

export type Frame = { name: string; bytes: Buffer };

/** A file as a frame. */
export function encodeFrame(name: string, bytes: Uint8Array): Buffer {
  const nameBytes = Buffer.from(name);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(nameBytes.length, 0);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, nameBytes, bytes]);
}

/** The frames in some bytes. Their sender may be hostile: anything odd is an error, never a guess. */
export function decodeFrames(
  bytes: Buffer,
  { maxFrames, maxName = 400 }: { maxFrames: number; maxName?: number },
): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (frames.length === maxFrames) throw new Error('there are too many frames');
    if (at + 8 > bytes.length) throw new Error('a frame is cut off');
    const nameLength = bytes.readUInt32LE(at);
    const end = at + 8 + nameLength + bytes.readUInt32LE(at + 4);
    if (nameLength === 0 || nameLength > maxName) throw new Error('the name of a frame has a wrong length');
    if (end > bytes.length) throw new Error('a frame is cut off');
    const name = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(at + 8, at + 8 + nameLength));
    frames.push({ name, bytes: bytes.subarray(at + 8 + nameLength, end) });
    at = end;
  }
  return frames;
}
