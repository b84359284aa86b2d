import { describe, expect, it } from 'vitest';
import { changesOf } from './changes.ts';

describe('changesOf', () => {
  it('returns the old and new value of each field', () => {
    expect(changesOf({ name: { from: 'Bracket', to: 'Halter' }, ordinal: { from: null, to: 1 } })).toEqual([
      { field: 'name', from: 'Bracket', to: 'Halter' },
      { field: 'ordinal', from: '', to: '1' },
    ]);
  });

  it('returns values without from and to as JSON, and nothing for non-objects', () => {
    expect(changesOf({ files: ['a', 'b'] })).toEqual([{ field: 'files', from: '', to: '["a","b"]' }]);
    expect([changesOf(null), changesOf('x'), changesOf({})]).toEqual([[], [], []]);
  });

  it('truncates long values', () => {
    expect(changesOf({ text: { to: 'x'.repeat(5000) } })[0]?.to).toHaveLength(401);
  });
});
