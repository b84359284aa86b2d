import { describe, expect, it } from 'vitest';
import { usageRows } from './usage-tree.ts';

const use = (path: string, version = '') => {
  const ids = path.split('/');
  return {
    level: ids.length,
    via: ids.slice(0, -1).map((id) => ({ id })),
    document: { id: ids.at(-1) ?? '' },
    version,
  };
};
const format = (uses: ReturnType<typeof use>[]) =>
  usageRows(uses).map(({ level, use: { document, version } }) => `${level} ${document.id}${version}`);

describe('usageRows', () => {
  it('places each user below the one through which it uses the document', () => {
    expect(format([use('a'), use('b'), use('a/c'), use('b/d'), use('a/c/e')])).toEqual([
      '1 a',
      '2 c',
      '3 e',
      '1 b',
      '2 d',
    ]);
  });

  it('groups the versions of a user and places its users below the last one', () => {
    expect(format([use('a', ' v2'), use('a', ' v1'), use('a/b')])).toEqual(['1 a v2', '1 a v1', '2 b']);
  });

  it('keeps a user whose parent is on a page not read yet', () => {
    expect(format([use('a'), use('a/x/c'), use('y/d')])).toEqual(['1 a', '2 c', '1 d']);
  });

  it('assigns unique keys', () => {
    const rows = usageRows([use('a', ' v2'), use('a', ' v1'), use('a/b'), use('c')]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(4);
  });
});
