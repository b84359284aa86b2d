import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Operation, RequestContext, Result } from '../gateway/execute.ts';
import {
  checkPreconditions,
  etagOf,
  isValidIfMatch,
  matchesIfMatch,
  matchesIfNoneMatch,
} from '../http/response/etag.ts';
import { ifMatchGuard, readRouteOf } from './if-match.ts';
import { routeEtag } from './response.ts';
import { ROUTES } from './routes.ts';

const routes = ROUTES.flatMap(({ routes }) => routes);
const shown = (at: string) => {
  const row = routes.find(({ method, path }) => `${method} ${path}` === at);
  return row && readRouteOf(row, routes)?.path;
};

test.each([
  ['PATCH /documents/:id', '/documents/:id'],
  ['DELETE /revisions/:id', '/revisions/:id'],
  ['POST /versions/:id/views', '/versions/:id/views'],
  ['PATCH /views/:id', '/views/:id'],
  ['DELETE /views/:id', '/views/:id'],
  ['POST /workspaces/:id/take-over', '/workspaces/:id'],
  ['POST /workspaces/:id/restore', '/workspaces/:id'],
  ['POST /workspaces/:id/undo', '/workspaces/:id'],
  ['POST /workspaces/:id/checkout/heartbeat', '/workspaces/:id'],
  ['POST /workspaces/:id/request-checkin', '/workspaces/:id'],
  ['PUT /versions/:id/code', '/versions/:id'],
  ['POST /versions/:id/reference-updates', '/versions/:id/reference-updates'],
  ['POST /versions/:id/artifacts', '/versions/:id/artifacts'],
  ['DELETE /versions/:id/artifacts/:kind', '/versions/:id/artifacts/:kind/file'],
  ['POST /documents', undefined],
  ['POST /documents/move', undefined],
  ['POST /jobs/claim', undefined],
])('compares the If-Match of %s with the tag of %s', (write, read) => {
  expect(shown(write)).toBe(read);
});

test('supports If-Match for every write to a record with an address', () => {
  const writes = routes.filter(({ method, path }) => method !== 'GET' && path.includes(':'));
  expect(writes.filter((row) => !readRouteOf(row, routes)).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('accepts weak tags for reads and rejects them for writes', () => {
  const tags = ['"a"', 'W/"a"', '"b", "a"', '"b", W/"a"', '"ab"', 'a', ''];
  expect(tags.map((tag) => matchesIfNoneMatch(tag, '"a"'))).toEqual([true, true, true, true, false, false, false]);
  expect(tags.map((tag) => matchesIfMatch(tag, '"a"'))).toEqual([true, false, true, false, false, false, false]);
});

test('changes the read tag after any change, and the write tag only after changes by users', () => {
  const words = fc.constantFrom(
    '"thumbnailUrl":"/x"',
    '"checkinRequests":[',
    ']',
    ',"documentCount":7',
    '\\',
    '"',
    ',',
    '{',
    'expiresAt',
    'ä',
  );
  const texts = fc.array(words).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, texts, fc.nat(), fc.nat(), (name, other, few, many) => {
      const tagOf = (value: object): string => etagOf(JSON.stringify(value));
      const folder = tagOf({ name, documentCount: few, by: { thumbnailUrl: null }, updatedAt: name });
      const moved = tagOf({ name, documentCount: many, by: { thumbnailUrl: other }, updatedAt: name });
      expect(matchesIfMatch(folder, moved)).toBe(true);
      expect(matchesIfNoneMatch(folder, moved)).toBe(false);
      const held = (checkinRequests: object[]) =>
        tagOf({ reservations: [{ checkinRequests, note: name, expiresAt: name }], name });
      expect(matchesIfMatch(held([]), held([{ by: { id: other, name: other }, note: other }, { note: null }]))).toBe(
        true,
      );
      const written = tagOf({ name: other, documentCount: few, by: { thumbnailUrl: null }, updatedAt: name });
      expect(matchesIfMatch(folder, written)).toBe(name === other);
    }),
  );
});

test('accepts If-Match as a star or a list of tags', () => {
  for (const header of ['*', ' * ', '"a"', 'W/"a", "b"', '"a" ,', '"a,b"'])
    expect([header, isValidIfMatch(header)]).toEqual([header, true]);
  for (const header of ['', ',', 'a', '"a", b', '"a" "b"', '*, "a"', '"a'])
    expect([header, isValidIfMatch(header)]).toEqual([header, false]);
});

test('rejects a read whose If-Match differs, and returns 304 when If-None-Match matches', () => {
  const known = (wanted?: string, has?: string) =>
    checkPreconditions({ 'if-match': wanted, 'if-none-match': has }, '"a"');
  expect([known(), known('"a"'), known('*'), known(undefined, '"b"')]).toEqual([false, false, false, false]);
  expect([known(undefined, '"a"'), known(undefined, '*'), known('"a"', '"a"')]).toEqual([true, true, true]);
  expect(() => known('"b"')).toThrow(
    expect.objectContaining({ code: 'precondition_failed', details: { etag: '"a"' } }),
  );
});

describe('a conditional write', () => {
  const row = routes.find(({ method, path }) => `${method} ${path}` === 'PATCH /documents/:id')!;
  const tagOf = (name: string) => routeEtag(readRouteOf(row, routes)!, { document: { name } })!;
  const OVERTAKEN = { errors: [{ message: '', extensions: { code: 'precondition_failed' } }] } as unknown as Result;

  // what each read returns (the last value repeats) and how many writes are overtaken by another one
  async function attempt(
    header: string,
    { names = ['a'], overtaken = 0, by = OVERTAKEN, seen = {} as object | null, more = {}, found = {} as object },
  ) {
    let looks = 0;
    const runs: boolean[] = [];
    const write = ifMatchGuard(row, routes, {
      prepare: () => ({}) as Operation,
      findCurrent: async (word, id) =>
        (seen && { word, id, stamp: 'present' }) as unknown as RequestContext['expected'] | null,
      execute: async () =>
        ({ data: { document: { name: names[Math.min(looks++, names.length - 1)] } }, ...found }) as Result,
    });
    const run = async ({ expected: seen, currentTagIfStale: stale }: RequestContext) => {
      if (stale !== undefined) return { stale, stamp: seen?.tag } as unknown as Result;
      runs.push(Boolean(seen));
      return runs.length <= overtaken ? by : ({ data: 'written' } as unknown as Result);
    };
    const guarded = {
      header,
      params: { id: 'doc_1' },
      context: {} as RequestContext,
      isDone: async () => false,
      run,
      runsOnce: false,
      ...more,
    };
    const answer = await write(guarded).catch(({ code, details }) => ({ code, details }));
    return { answer, runs };
  }
  const written = { data: 'written' };
  // hides the record from the first read
  const stale = (name: string) => ({ stale: tagOf(name), stamp: 'another' });
  const refused = (name: string) => ({ code: 'precondition_failed', details: { etag: tagOf(name) } });

  test('performs a write only while the tag matches, and leaves a mismatch to the operation', async () => {
    expect(await attempt(tagOf('a'), {})).toEqual({ answer: written, runs: [true] });
    expect(await attempt(tagOf('b'), {})).toEqual({ answer: stale('a'), runs: [] });
  });

  test('always performs a write with If-Match: * or with an idempotency key that was used before', async () => {
    for (const star of ['*', ' * ']) expect(await attempt(star, {})).toEqual({ answer: written, runs: [false] });
    expect(await attempt(tagOf('b'), { more: { isDone: async () => true } })).toEqual({
      answer: written,
      runs: [false],
    });
  });

  test('attempts a write up to five times after conflicts while the tag matches, but reads a stream only once', async () => {
    expect(await attempt(tagOf('a'), { overtaken: 4 })).toEqual({ answer: written, runs: Array(5).fill(true) });
    expect(await attempt(tagOf('a'), { overtaken: 5 })).toEqual({ answer: refused('a'), runs: Array(5).fill(true) });
    expect(await attempt(tagOf('a'), { overtaken: 1, names: ['a', 'b'] })).toEqual({
      answer: stale('b'),
      runs: [true],
    });
    expect(await attempt(tagOf('a'), { overtaken: 1, more: { runsOnce: true } })).toEqual({
      answer: refused('a'),
      runs: [true],
    });
  });

  test('leaves missing records and records without a tag to the operation', async () => {
    expect(await attempt(tagOf('a'), { found: { data: { document: null } } })).toEqual({
      answer: written,
      runs: [false],
    });
    expect(await attempt(tagOf('b'), { seen: null })).toEqual({ answer: written, runs: [false] });
  });

  test('returns any other rejection without a retry', async () => {
    const refusal = { errors: [{ message: '', extensions: { code: 'workspace_reserved' } }] } as unknown as Result;
    expect(await attempt(tagOf('a'), { overtaken: 1, by: refusal })).toEqual({ answer: refusal, runs: [true] });
  });

  test('rejects a write when the header contains no tag or the record cannot be read', async () => {
    expect(await attempt('a', {})).toMatchObject({ answer: { code: 'validation_failed' }, runs: [] });
    const errors = [{ message: '', extensions: { code: 'unavailable' } }];
    expect(await attempt(tagOf('a'), { found: { errors } })).toMatchObject({ answer: { errors }, runs: [] });
  });

  test('leaves it to the write to report that the record does not exist', async () => {
    const errors = [{ message: '', extensions: { code: 'not_found' } }];
    const found = { data: { document: null }, errors };
    expect(await attempt(tagOf('a'), { found, seen: null })).toMatchObject({ runs: [false] });
  });
});
