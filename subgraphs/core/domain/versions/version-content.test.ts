import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentHash } from './version-content.ts';

const file = (kind: string, sha256 = 'a'.repeat(64), fileName = 'part.stp') => ({ kind, sha256, fileName });
const content = fc.uniqueArray(
  fc.constantFrom('source', 'attachment.a', 'attachment.b', 'attachment.c').map((kind) => file(kind)),
  {
    selector: ({ kind }) => kind,
  },
);

test('ignores the order of files and derived files', () => {
  fc.assert(
    fc.property(content, fc.boolean(), (files, derived) => {
      const others = derived ? [file('glb'), file('thumbnail'), file('properties')] : [];
      expect(contentHash([...others, ...files.toReversed()])).toBe(contentHash(files));
    }),
  );
});

test('depends on the kinds, names and contents of the files', () => {
  const hashes = [
    [],
    [file('source')],
    [file('source', 'b'.repeat(64))],
    [file('source', 'a'.repeat(64), 'other.stp')],
    [file('attachment.a')],
    [file('source'), file('attachment.a')],
  ].map(contentHash);
  expect(new Set(hashes).size).toBe(hashes.length);
});
