import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type RecordLoader, recordLoader } from './loaders.ts';

type Part = { id: string };

function watched(): { loader: RecordLoader<Part>; reads: string[][] } {
  const reads: string[][] = [];
  const read = async (ids: readonly string[]): Promise<Part[]> => {
    reads.push([...ids]);
    if (ids.includes('broken')) throw new Error('the store is gone');
    return ids
      .filter((id) => id !== 'none')
      .map((id) => ({ id }))
      .reverse();
  };
  return { loader: recordLoader(read, ({ id }) => id), reads };
}

describe('a list of records', () => {
  it('comes in the order asked for, null for what is not there, a record asked for twice read once', async () => {
    const { loader, reads } = watched();
    expect(await loader.all(['b', 'none', 'a', 'b'])).toEqual([{ id: 'b' }, null, { id: 'a' }, { id: 'b' }]);
    expect(reads).toEqual([['b', 'none', 'a']]);
  });

  it('is read in one query with the other lists of the moment', async () => {
    const { loader, reads } = watched();
    await Promise.all([loader.all(['a', 'b']), loader.all(['b', 'c'])]);
    expect(reads).toEqual([['a', 'b', 'c']]);
  });

  it('is not read again, nor is one of its records', async () => {
    const { loader, reads } = watched();
    const [first] = await loader.all(['a', 'none']);
    expect(await loader.load('a')).toBe(first);
    expect(await loader.load('none')).toBeNull();
    expect(await loader.all(['none', 'a'])).toEqual([null, first]);
    expect(reads).toEqual([['a', 'none']]);
  });

  it('reads nothing that was loaded, or given, by itself', async () => {
    const { loader, reads } = watched();
    const [loaded, given] = [await loader.load('a'), { id: 'b' }];
    loader.prime('b', given);
    const [a, b, c] = await loader.all(['a', 'b', 'c']);
    expect([a, b, c]).toEqual([loaded, given, { id: 'c' }]);
    expect(b).toBe(given);
    expect(reads).toEqual([['a'], ['c']]);
  });

  it('that cannot be read fails as a whole, and is read when it is asked for again', async () => {
    const { loader, reads } = watched();
    await expect(loader.all(['a', 'broken'])).rejects.toThrow('the store is gone');
    expect(await loader.all(['a'])).toEqual([{ id: 'a' }]);
    expect(reads).toEqual([['a', 'broken'], ['a']]);
  });
});

test('whatever is asked for, alone or in lists, is answered as it is there, and each record is read at most once', async () => {
  const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'none'), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(ids, fc.constantFrom('a', 'b', 'c', 'd', 'none')), { maxLength: 8 }),
      async (asked) => {
        const { loader, reads } = watched();
        const shown = (id: string) => (id === 'none' ? null : { id });
        for (const some of asked) {
          if (typeof some === 'string') expect(await loader.load(some)).toEqual(shown(some));
          else expect(await loader.all(some)).toEqual(some.map(shown));
        }
        expect(new Set(reads.flat()).size).toBe(reads.flat().length);
      },
    ),
  );
});
