import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextRevision, type RevisionScheme, revisionLabel } from './revision-label.ts';

const SCHEMES: RevisionScheme[] = ['asme', 'numeric', 'alpha26'];
const scheme = fc.constantFrom(...SCHEMES);
const labels = (scheme: RevisionScheme, ordinals: number[]) =>
  ordinals.map((ordinal) => revisionLabel(scheme, ordinal)).join(' ');
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

test('skips I, O, Q, S, X and Z in the asme scheme', () => {
  expect(labels('asme', upTo(22))).toBe('A B C D E F G H J K L M N P R T U V W Y AA AB');
  expect(labels('asme', [40, 41, 420, 421])).toBe('AY BA YY AAA');
});

test('uses all letters in the alpha26 scheme and numbers in the numeric scheme', () => {
  expect(labels('alpha26', [1, 9, 26, 27, 52, 53, 702, 703])).toBe('A I Z AA AZ BA ZZ AAA');
  expect(labels('numeric', [1, 2, 10, 100])).toBe('1 2 10 100');
});

test('assigns each ordinal its own label, longer for higher ordinals, and none that looks like a version', () => {
  fc.assert(
    fc.property(scheme, fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (scheme, a, b) => {
      const [one, other] = [revisionLabel(scheme, a), revisionLabel(scheme, b)];
      expect(one === other).toBe(a === b);
      const order = one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
      expect(Math.sign(order)).toBe(Math.sign(a - b));
      expect(one).not.toMatch(/^v\d+$/);
    }),
  );
});

test('assigns rising ordinals and unique labels across scheme changes, without gaps within one scheme', () => {
  fc.assert(
    fc.property(fc.array(scheme, { maxLength: 60, size: 'max' }), (history) => {
      const assigned = new Set<string>();
      let last = 0;
      for (const scheme of history) {
        const { ordinal, label } = nextRevision(scheme, last, assigned);
        expect(ordinal).toBeGreaterThan(last);
        expect(label).toBe(revisionLabel(scheme, ordinal));
        expect(assigned).not.toContain(label);
        if (new Set(history).size === 1) expect(ordinal).toBe(last + 1);
        assigned.add(label);
        last = ordinal;
      }
    }),
  );
});
