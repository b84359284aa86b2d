// Small valid files of the kinds that workers deliver.
import { crc32 } from 'node:zlib';

/** Returns a valid GLB, properties or thumbnail that contains the text; for other kinds, the text. */
export function resultFile(kind: string, text: string): Buffer {
  if (kind === 'glb') return glbOf({ asset: { version: '2.0', extras: { text } } });
  if (kind === 'properties') return Buffer.from(JSON.stringify({ units: 'mm', text }));
  return kind === 'thumbnail' ? pngOf(1, 1, text) : Buffer.from(text);
}

/** Returns a GLB with this JSON and no binary data. */
export function glbOf(json: object): Buffer {
  const text = JSON.stringify(json);
  const content = Buffer.from(text.padEnd(text.length + ((4 - (Buffer.byteLength(text) % 4)) % 4)));
  const head = Buffer.alloc(20);
  head.write('glTF');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(head.length + content.length, 8);
  head.writeUInt32LE(content.length, 12);
  head.write('JSON', 16);
  return Buffer.concat([head, content]);
}

/** Returns a PNG image of this size with a comment. Its pixels are missing. */
export function pngOf(width: number, height: number, comment = ''): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width);
  size.writeUInt32BE(height, 4);
  const header = chunk('IHDR', Buffer.concat([size, Buffer.from([8, 0, 0, 0, 0])]));
  const signature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
  return Buffer.concat([signature, header, chunk('tEXt', Buffer.from(`Comment\0${comment}`)), chunk('IEND')]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
