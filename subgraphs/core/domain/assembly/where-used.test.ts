import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Link, nextLevel, type Reached, stateNamed, wantedLevels, wayTo } from './where-used.ts';

const link = (
  documentId: string,
  usedId: string,
  place: Link['place'] = 'latest',
  lineId = `${documentId}>${usedId}/${place}`,
): Link => ({
  ...{ lineId, documentId, usedId, place },
});

function climbed(links: readonly Link[], start: string): Reached[] {
  const seen = new Set([start]);
  const all: Reached[] = [];
  let level = nextLevel(
    links.filter(({ usedId }) => usedId === start),
    [],
    seen,
  );
  while (level.length) {
    all.push(...level);
    const used = new Set(level.map(({ documentId }) => documentId));
    level = nextLevel(
      links.filter(({ usedId }) => used.has(usedId)),
      level,
      seen,
    );
  }
  return all;
}

describe('on the way up', () => {
  test('each document comes once, on the level of its shortest way, whatever circles there are', () => {
    const names = fc.constantFrom(...'abcdefgh');
    fc.assert(
      fc.property(fc.array(fc.tuple(names, names), { maxLength: 20, size: 'max' }), (pairs) => {
        const links = pairs.map(([user, used]) => link(user, used));
        const found = climbed(links, 'a');
        const distance = new Map([['a', 0]]);
        for (const name of distance.keys())
          for (const { documentId, usedId } of links)
            if (usedId === name && !distance.has(documentId)) distance.set(documentId, distance.get(name)! + 1);
        distance.delete('a');
        expect(new Map(found.map(({ documentId, level }) => [documentId, level]))).toEqual(distance);
        expect(found.length).toBe(distance.size);
        for (const reached of found) {
          const way = ['a', ...wayTo(reached), reached.documentId];
          expect(way.length).toBe(reached.level + 1);
          for (const [i, name] of way.slice(1).entries()) expect(links).toContainEqual(link(name, way[i]!));
        }
      }),
    );
  });

  test('a document is shown by its newest version, else an earlier one, else its draft', () => {
    const links = [
      link('b', 'a', 'draft'),
      link('b', 'a', 'earlier'),
      link('b', 'a', 'latest'),
      link('c', 'a', 'draft'),
    ];
    expect(climbed(links, 'a').map(({ lineId }) => lineId)).toEqual(['b>a/latest', 'c>a/draft']);
  });
});

test('levels are 1 or all; a state is a version when it is v and digits', () => {
  expect([undefined, '1', 'all'].map((levels) => wantedLevels(levels))).toEqual([1, 1, 'all']);
  expect(() => wantedLevels('2')).toThrow(/levels must be 1 or all/);
  expect(['v12', 'B', 'v', 'V2'].map(stateNamed)).toEqual([{ n: 12 }, { label: 'B' }, { label: 'v' }, { label: 'V2' }]);
});
