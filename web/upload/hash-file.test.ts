import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashFile } from './hash-file.ts';

const { signal } = new AbortController();

test('hashes files of any number of chunks and reports the bytes', async () => {
  for (const size of [0, 1, 1 << 20, (1 << 20) + 1, 3_500_000]) {
    const bytes = randomBytes(size);
    let read = 0;
    const hash = await hashFile(new Blob([bytes]), signal, (count) => {
      read += count;
    });
    expect([hash, read]).toEqual([createHash('sha256').update(bytes).digest('hex'), size]);
  }
});

test('stops when it is aborted', async () => {
  await expect(hashFile(new Blob(['x']), AbortSignal.abort(), () => {})).rejects.toThrow(/abort/i);
});
