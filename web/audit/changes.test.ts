import { describe, expect, it } from 'vitest';
import { changesOf } from './changes.ts';

describe('what a record says was changed', () => {
  it('has a line for each field, with what was before and after', () => {
    expect(changesOf({ name: { from: 'Bracket', to: 'Halter' }, ordinal: { from: null, to: 1 } })).toEqual([
      { field: 'name', from: 'Bracket', to: 'Halter' },
      { field: 'ordinal', from: '', to: '1' },
    ]);
  });

  it('shows what has another shape as it is, and nothing of nothing', () => {
    expect(changesOf({ files: ['a', 'b'] })).toEqual([{ field: 'files', from: '', to: '["a","b"]' }]);
    expect([changesOf(null), changesOf('x'), changesOf({})]).toEqual([[], [], []]);
  });

  it('cuts what is too long to be read', () => {
    expect(changesOf({ text: { to: 'x'.repeat(5000) } })[0]?.to).toHaveLength(401);
  });
});
