import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resultTargets } from './result-targets.ts';

const hash = fc.constantFrom('aa', 'bb', 'cc');
const world = fc.uniqueArray(fc.record({ _id: fc.constantFrom('draft', 'v1', 'v2', 'v3'), sha256: fc.option(hash) }), {
  selector: ({ _id }) => _id,
});

test('a result goes exactly where its input is still the one it was made from, or is refused as stale', () => {
  fc.assert(
    fc.property(world, hash, (places, fromSha256) => {
      const inputs = places.flatMap(({ _id, sha256 }) => (sha256 ? [{ versionId: _id, sha256 }] : []));
      const right = places.filter(({ sha256 }) => sha256 === fromSha256);
      const decide = () => resultTargets(places, inputs, { fromSha256, forVersionId: 'draft' });
      const currentSha256 = inputs.find(({ versionId }) => versionId === 'draft')?.sha256 ?? null;
      if (right.length) expect(decide()).toEqual(right);
      else
        expect(decide).toThrow(
          expect.objectContaining({ code: 'stale_input', details: { expectedSha256: fromSha256, currentSha256 } }),
        );
    }),
  );
});
