import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createRecordLoader, type RecordLoader } from './loaders.ts';

type Part = { id: string };

function createRecorded(): { loader: RecordLoader<Part>; reads: string[][] } {
  const reads: string[][] = [];
  const read = async (ids: readonly string[]): Promise<Part[]> => {
    reads.push([...ids]);
    if (ids.includes('broken')) throw new Error('the store is gone');
    return ids
      .filter((id) => id !== 'none')
      .map((id) => ({ id }))
      .reverse();
  };
  return { loader: createRecordLoader(read, ({ id }) => id), reads };
}

describe('a list of records', () => {
  it('has the requested order, null for unknown ids, and reads repeated ids once', async () => {
    const { loader, reads } = createRecorded();
    expect(await loader.all(['b', 'none', 'a', 'b'])).toEqual([{ id: 'b' }, null, { id: 'a' }, { id: 'b' }]);
    expect(reads).toEqual([['b', 'none', 'a']]);
  });

  it('is read in one query with the other lists of the tick', async () => {
    const { loader, reads } = createRecorded();
    await Promise.all([loader.all(['a', 'b']), loader.all(['b', 'c'])]);
    expect(reads).toEqual([['a', 'b', 'c']]);
  });

  it('is cached, as a list and record by record', async () => {
    const { loader, reads } = createRecorded();
    const [first] = await loader.all(['a', 'none']);
    expect(await loader.load('a')).toBe(first);
    expect(await loader.load('none')).toBeNull();
    expect(await loader.all(['none', 'a'])).toEqual([null, first]);
    expect(reads).toEqual([['a', 'none']]);
  });

  it('does not read records that were loaded or primed individually', async () => {
    const { loader, reads } = createRecorded();
    const [loaded, primed] = [await loader.load('a'), { id: 'b' }];
    loader.prime('b', primed);
    const [a, b, c] = await loader.all(['a', 'b', 'c']);
    expect([a, b, c]).toEqual([loaded, primed, { id: 'c' }]);
    expect(b).toBe(primed);
    expect(reads).toEqual([['a'], ['c']]);
  });

  it('fails as a whole if the read fails, and is read again on the next request', async () => {
    const { loader, reads } = createRecorded();
    await expect(loader.all(['a', 'broken'])).rejects.toThrow('the store is gone');
    expect(await loader.all(['a'])).toEqual([{ id: 'a' }]);
    expect(reads).toEqual([['a', 'broken'], ['a']]);
  });
});

test('loads records individually and in lists, each at most once', async () => {
  const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'none'), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(ids, fc.constantFrom('a', 'b', 'c', 'd', 'none')), { maxLength: 8 }),
      async (requests) => {
        const { loader, reads } = createRecorded();
        const expected = (id: string) => (id === 'none' ? null : { id });
        for (const request of requests) {
          if (typeof request === 'string') expect(await loader.load(request)).toEqual(expected(request));
          else expect(await loader.all(request)).toEqual(request.map(expected));
        }
        expect(new Set(reads.flat()).size).toBe(reads.flat().length);
      },
    ),
  );
});
