import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextRevision, type RevisionScheme, revisionLabel } from './revision-label.ts';

const SCHEMES: RevisionScheme[] = ['asme', 'numeric', 'alpha26'];
const scheme = fc.constantFrom(...SCHEMES);
const labels = (of: RevisionScheme, ordinals: number[]) =>
  ordinals.map((ordinal) => revisionLabel(of, ordinal)).join(' ');
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

test('asme counts with twenty letters: no I O Q S X Z', () => {
  expect(labels('asme', upTo(22))).toBe('A B C D E F G H J K L M N P R T U V W Y AA AB');
  expect(labels('asme', [40, 41, 420, 421])).toBe('AY BA YY AAA');
});

test('alpha26 counts with all letters, numeric with numbers', () => {
  expect(labels('alpha26', [1, 9, 26, 27, 52, 53, 702, 703])).toBe('A I Z AA AZ BA ZZ AAA');
  expect(labels('numeric', [1, 2, 10, 100])).toBe('1 2 10 100');
});

test('within a scheme no two ordinals share a label, longer labels come later, and none looks like a version', () => {
  fc.assert(
    fc.property(scheme, fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (of, a, b) => {
      const [one, other] = [revisionLabel(of, a), revisionLabel(of, b)];
      expect(one === other).toBe(a === b);
      const order = one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
      expect(Math.sign(order)).toBe(Math.sign(a - b));
      expect(one).not.toMatch(/^v\d+$/);
    }),
  );
});

test('whatever the schemes between releases and whatever was taken back, ordinals rise, no label comes twice, and one scheme leaves no gap', () => {
  fc.assert(
    fc.property(fc.array(scheme, { maxLength: 60, size: 'max' }), (history) => {
      const handedOut = new Set<string>();
      let last = 0;
      for (const of of history) {
        const { ordinal, label } = nextRevision(of, last, handedOut);
        expect(ordinal).toBeGreaterThan(last);
        expect(label).toBe(revisionLabel(of, ordinal));
        expect(handedOut).not.toContain(label);
        if (new Set(history).size === 1) expect(ordinal).toBe(last + 1);
        handedOut.add(label);
        last = ordinal;
      }
    }),
  );
});
