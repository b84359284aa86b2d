import { expect, test } from 'vitest';
import { type Content, isUnchanged } from './draft-changes.ts';

const file = (kind: string, sha256: string, generator: string | null = null) => ({ kind, sha256, generator });
const code = { repoUrl: 'https://example.com/a.git', ref: 'main', path: '', commit: 'abc' };
const base: Content = { bomDigest: 'b1', code, artifacts: [file('source', 's1'), file('glb', 'g1', 'occt')] };

test('compares uploaded files, components and code, and ignores derived files and their order', () => {
  const derived = { ...base, artifacts: [file('thumbnail', 't', 'occt'), file('source', 's1')] };
  expect(isUnchanged(derived, base)).toBe(true);
  const changed: Content[] = [
    { ...base, artifacts: [file('source', 's2')] },
    { ...base, artifacts: [...base.artifacts, file('attachment.pdf', 'p1')] },
    { ...base, bomDigest: 'b2' },
    { ...base, code: { ...code, commit: 'def' } },
    { ...base, code: null },
  ];
  expect(changed.map((draft) => isUnchanged(draft, base))).toEqual(changed.map(() => false));
});
