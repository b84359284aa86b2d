import fc from 'fast-check';
import { expect, test } from 'vitest';
import { etagOf, namesStrongTag, namesTag } from './etag.ts';
import { shownBy } from './if-match.ts';
import { ROUTES } from './routes.ts';

const routes = ROUTES.flatMap(({ routes }) => routes);
const shown = (at: string) => {
  const row = routes.find(({ method, path }) => `${method} ${path}` === at);
  return row && shownBy(row, routes)?.path;
};

test.each([
  ['PATCH /documents/:id', '/documents/:id'],
  ['DELETE /revisions/:id', '/revisions/:id'],
  ['POST /workspaces/:id/take-over', '/workspaces/:id'],
  ['POST /workspaces/:id/restore', '/workspaces/:id'],
  ['POST /workspaces/:id/undo', '/workspaces/:id'],
  ['POST /workspaces/:id/checkout/heartbeat', '/workspaces/:id'],
  ['POST /workspaces/:id/checkout/ask', '/workspaces/:id'],
  ['PUT /versions/:id/code', '/versions/:id'],
  ['POST /versions/:id/reference-updates', '/versions/:id/reference-updates'],
  ['POST /versions/:id/artifacts', '/versions/:id/artifacts'],
  ['DELETE /versions/:id/artifacts/:kind', '/versions/:id/artifacts/:kind/file'],
  ['POST /documents', undefined],
  ['POST /documents/move', undefined],
  ['POST /jobs/claim', undefined],
])('the tag that %s is held to is that of %s', (write, read) => {
  expect(shown(write)).toBe(read);
});

test('every write of something with an address can be held to a tag', () => {
  const writes = routes.filter(({ method, path }) => method !== 'GET' && path.includes(':'));
  expect(writes.filter((row) => !shownBy(row, routes)).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('weak tags are as good as strong ones for reading, and never good enough for writing', () => {
  const tags = ['"a"', 'W/"a"', '"b", "a"', '"b", W/"a"', '"ab"', 'a', ''];
  expect(tags.map((tag) => namesTag(tag, '"a"'))).toEqual([true, true, true, true, false, false, false]);
  expect(tags.map((tag) => namesStrongTag(tag, '"a"'))).toEqual([true, false, true, false, false, false, false]);
});

test('what comes by itself makes another tag for readers and none for writers; what people write makes another one for both', () => {
  const words = fc.constantFrom('"thumbnailUrl":"/x"', '"askedBy":[', ']', ',"documentCount":7', '\\', '"', ',', '{', 'expiresAt', 'ä');
  const texts = fc.array(words).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, texts, fc.nat(), fc.nat(), (name, other, few, many) => {
      const tagOf = (value: object): string => etagOf(JSON.stringify(value));
      const folder = tagOf({ name, documentCount: few, by: { thumbnailUrl: null }, updatedAt: name });
      const moved = tagOf({ name, documentCount: many, by: { thumbnailUrl: other }, updatedAt: name });
      expect(namesStrongTag(folder, moved)).toBe(true);
      expect(namesTag(folder, moved)).toBe(false);
      const held = (askedBy: object[]) => tagOf({ reservations: [{ askedBy, note: name, expiresAt: name }], name });
      expect(namesStrongTag(held([]), held([{ by: { id: other, name: other }, note: other }, { note: null }]))).toBe(true);
      const written = tagOf({ name: other, documentCount: few, by: { thumbnailUrl: null }, updatedAt: name });
      expect(namesStrongTag(folder, written)).toBe(name === other);
    }),
  );
});
