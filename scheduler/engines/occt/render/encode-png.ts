import { crc32, deflateSync } from 'node:zlib';
import type { RgbaImage } from './shade.ts';

/**
 * Encodes an image as PNG: 8-bit RGBA with the Up filter, which suits smooth shading. Equal images give equal bytes.
 */
export function encodePng({ width, height, data }: RgbaImage): Buffer {
  const stride = width * 4;
  const filtered = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    const out = y * (stride + 1);
    const row = y * stride;
    filtered[out] = y ? UP : NONE;
    for (let x = 0; x < stride; x++) filtered[out + 1 + x] = data[row + x]! - (y ? data[row - stride + x]! : 0);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = RGBA;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filtered, { level: LEVEL })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
// Takes two thirds of the time of the default level 6, and 4 % more bytes.
const LEVEL = 4;
const NONE = 0;
const UP = 2;
const RGBA = 6;

function chunk(type: string, body: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + body.length);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(type, 4, 'latin1');
  body.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + body.length)), 8 + body.length);
  return bytes;
}
