import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMessageReader } from './wire.ts';

const message = fc.integer({ min: 16, max: 90 }).map((length) => {
  const bytes = Buffer.from(Array.from({ length }, (_, at) => at + length));
  bytes.writeInt32LE(length);
  return bytes;
});

test('returns complete messages in order, wherever the stream is split', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
      (messages, sizes) => {
        const stream = Buffer.concat(messages);
        const read = createMessageReader();
        const found: Buffer[] = [];
        for (let at = 0, n = 0; at < stream.length; at += sizes[n++ % sizes.length]!)
          found.push(...read(Buffer.from(stream.subarray(at, at + sizes[n % sizes.length]!))));
        expect(found.map((one) => one.toString('hex'))).toEqual(messages.map((one) => one.toString('hex')));
      },
    ),
  );
});

test('rejects a message length below the minimum or above the maximum', () => {
  for (const length of [0, 15, -1, 100_000_000])
    expect(() => createMessageReader()(Buffer.from(Int32Array.of(length).buffer))).toThrow('invalid message length');
});
