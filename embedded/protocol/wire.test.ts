import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageReader } from './wire.ts';

const message = fc.integer({ min: 16, max: 90 }).map((length) => {
  const bytes = Buffer.from(Array.from({ length }, (_, at) => at + length));
  bytes.writeInt32LE(length);
  return bytes;
});

test('messages come whole and in order, wherever the stream was cut', () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
      (messages, sizes) => {
        const stream = Buffer.concat(messages);
        const read = messageReader();
        const found: Buffer[] = [];
        for (let at = 0, n = 0; at < stream.length; at += sizes[n++ % sizes.length]!)
          found.push(...read(Buffer.from(stream.subarray(at, at + sizes[n % sizes.length]!))));
        expect(found.map((one) => one.toString('hex'))).toEqual(messages.map((one) => one.toString('hex')));
      },
    ),
  );
});

test('a message shorter or longer than one can be is refused', () => {
  for (const length of [0, 15, -1, 100_000_000])
    expect(() => messageReader()(Buffer.from(Int32Array.of(length).buffer))).toThrow('not possible');
});
