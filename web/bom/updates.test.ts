import { describe, expect, it } from 'vitest';
import { updatablePaths, updatableReferences, withSelection } from './updates.ts';

const UPDATES = [
  { path: '/a', toRelease: 'pdm://documents/A@B', toVersion: 'pdm://documents/A@v3' },
  { path: '/b', toRelease: null, toVersion: 'pdm://documents/B@v2' },
  { path: '/c', toRelease: null, toVersion: null },
];

describe('updates of references', () => {
  it('returns the references that have updates', () => {
    expect(updatableReferences(UPDATES).map(({ path }) => path)).toEqual(['/a', '/b']);
  });

  it('returns the selected references that can be updated to the target', () => {
    const all = new Set(['/a', '/b', '/c']);
    expect(updatablePaths(UPDATES, all, 'release')).toEqual(['/a']);
    expect(updatablePaths(UPDATES, all, 'version')).toEqual(['/a', '/b']);
    expect(updatablePaths(UPDATES, new Set(['/c']), 'version')).toEqual([]);
  });

  it('adds and removes a path without changing the original set', () => {
    const before = new Set(['/a']);
    expect([...withSelection(before, '/b', true)]).toEqual(['/a', '/b']);
    expect([...withSelection(before, '/a', false)]).toEqual([]);
    expect([...before]).toEqual(['/a']);
  });
});
