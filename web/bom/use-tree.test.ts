import { describe, expect, it } from 'vitest';
import { useRows } from './use-tree.ts';

const use = (path: string, version = '') => {
  const ids = path.split('/');
  return {
    level: ids.length,
    via: ids.slice(0, -1).map((id) => ({ id })),
    document: { id: ids.at(-1) ?? '' },
    version,
  };
};
const told = (uses: ReturnType<typeof use>[]) =>
  useRows(uses).map(({ level, use: { document, version } }) => `${level} ${document.id}${version}`);

describe('who uses a document, as a tree', () => {
  it('stands below the one through which it uses it', () => {
    expect(told([use('a'), use('b'), use('a/c'), use('b/d'), use('a/c/e')])).toEqual([
      '1 a',
      '2 c',
      '3 e',
      '1 b',
      '2 d',
    ]);
  });

  it('has all states of one user together, and what uses it below the last of them', () => {
    expect(told([use('a', ' v2'), use('a', ' v1'), use('a/b')])).toEqual(['1 a v2', '1 a v1', '2 b']);
  });

  it('keeps a user whose own user is on a page not read yet', () => {
    expect(told([use('a'), use('a/x/c'), use('y/d')])).toEqual(['1 a', '2 c', '1 d']);
  });

  it('gives each row a key of its own', () => {
    const rows = useRows([use('a', ' v2'), use('a', ' v1'), use('a/b'), use('c')]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(4);
  });
});
