import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findResultTargets } from './result-targets.ts';

const hash = fc.constantFrom('aa', 'bb', 'cc');
const candidates = fc.uniqueArray(
  fc.record({ _id: fc.constantFrom('draft', 'v1', 'v2', 'v3'), sha256: fc.option(hash) }),
  {
    selector: ({ _id }) => _id,
  },
);

test('returns exactly the candidates whose input is unchanged, or throws stale_input', () => {
  fc.assert(
    fc.property(candidates, hash, (versions, fromSha256) => {
      const inputs = versions.flatMap(({ _id, sha256 }) => (sha256 ? [{ versionId: _id, sha256 }] : []));
      const current = versions.filter(({ sha256 }) => sha256 === fromSha256);
      const decide = () => findResultTargets(versions, inputs, { fromSha256, forVersionId: 'draft' });
      const currentSha256 = inputs.find(({ versionId }) => versionId === 'draft')?.sha256 ?? null;
      if (current.length) expect(decide()).toEqual(current);
      else
        expect(decide).toThrow(
          expect.objectContaining({ code: 'stale_input', details: { expectedSha256: fromSha256, currentSha256 } }),
        );
    }),
  );
});
