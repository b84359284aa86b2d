import { describe, expect, it } from 'vitest';
import { movable, ticked, withUpdates } from './updates.ts';

const UPDATES = [
  { path: '/a', toRelease: 'pdm://documents/A@B', toVersion: 'pdm://documents/A@v3' },
  { path: '/b', toRelease: null, toVersion: 'pdm://documents/B@v2' },
  { path: '/c', toRelease: null, toVersion: null },
];

describe('updates of references', () => {
  it('are those that have something newer', () => {
    expect(withUpdates(UPDATES).map(({ path }) => path)).toEqual(['/a', '/b']);
  });

  it('are taken where they are ticked and would move to what is asked for', () => {
    const all = new Set(['/a', '/b', '/c']);
    expect(movable(UPDATES, all, 'release')).toEqual(['/a']);
    expect(movable(UPDATES, all, 'version')).toEqual(['/a', '/b']);
    expect(movable(UPDATES, new Set(['/c']), 'version')).toEqual([]);
  });

  it('are ticked and no longer ticked without changing what was', () => {
    const before = new Set(['/a']);
    expect([...ticked(before, '/b', true)]).toEqual(['/a', '/b']);
    expect([...ticked(before, '/a', false)]).toEqual([]);
    expect([...before]).toEqual(['/a']);
  });
});
