import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FoundDocument, type Link, nextLevel, parseLevels, parseVersionOrLabel, pathTo } from './where-used.ts';

const link = (
  documentId: string,
  usedId: string,
  place: Link['place'] = 'latest',
  lineId = `${documentId}>${usedId}/${place}`,
): Link => ({
  lineId,
  documentId,
  usedId,
  place,
});

function findAll(links: readonly Link[], start: string): FoundDocument[] {
  const found = new Set([start]);
  const all: FoundDocument[] = [];
  let level = nextLevel(
    links.filter(({ usedId }) => usedId === start),
    [],
    found,
  );
  while (level.length) {
    all.push(...level);
    const used = new Set(level.map(({ documentId }) => documentId));
    level = nextLevel(
      links.filter(({ usedId }) => used.has(usedId)),
      level,
      found,
    );
  }
  return all;
}

describe('nextLevel', () => {
  test('lists each document once, on the level of its shortest path, even with cycles', () => {
    const names = fc.constantFrom(...'abcdefgh');
    fc.assert(
      fc.property(fc.array(fc.tuple(names, names), { maxLength: 20, size: 'max' }), (pairs) => {
        const links = pairs.map(([user, used]) => link(user, used));
        const found = findAll(links, 'a');
        const distance = new Map([['a', 0]]);
        for (const name of distance.keys())
          for (const { documentId, usedId } of links)
            if (usedId === name && !distance.has(documentId)) distance.set(documentId, distance.get(name)! + 1);
        distance.delete('a');
        expect(new Map(found.map(({ documentId, level }) => [documentId, level]))).toEqual(distance);
        expect(found.length).toBe(distance.size);
        for (const document of found) {
          const path = ['a', ...pathTo(document), document.documentId];
          expect(path.length).toBe(document.level + 1);
          for (const [i, name] of path.slice(1).entries()) expect(links).toContainEqual(link(name, path[i]!));
        }
      }),
    );
  });

  test('prefers the newest version of a document, then an earlier one, then its draft', () => {
    const links = [
      link('b', 'a', 'draft'),
      link('b', 'a', 'earlier'),
      link('b', 'a', 'latest'),
      link('c', 'a', 'draft'),
    ];
    expect(findAll(links, 'a').map(({ lineId }) => lineId)).toEqual(['b>a/latest', 'c>a/draft']);
  });
});

test('parses levels, versions and labels', () => {
  expect([undefined, '1', 'all'].map((levels) => parseLevels(levels))).toEqual([1, 1, 'all']);
  expect(() => parseLevels('2')).toThrow(/levels must be 1 or all/);
  expect(['v12', 'B', 'v', 'V2'].map(parseVersionOrLabel)).toEqual([
    { n: 12 },
    { label: 'B' },
    { label: 'v' },
    { label: 'V2' },
  ]);
});
