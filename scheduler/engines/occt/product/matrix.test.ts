import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IDENTITY, invertRigid, type Matrix, multiply, transformPoint } from './matrix.ts';

// A rotation about z, then about x, and a translation.
const rigid = fc
  .tuple(
    fc.double({ min: -4, max: 4, noNaN: true }),
    fc.double({ min: -4, max: 4, noNaN: true }),
    fc.double({ min: -1e3, max: 1e3, noNaN: true }),
  )
  .map(
    ([a, b, shift]): Matrix =>
      multiply(
        [1, 0, 0, shift, 0, Math.cos(a), -Math.sin(a), 2 * shift, 0, Math.sin(a), Math.cos(a), -shift, 0, 0, 0, 1],
        [Math.cos(b), -Math.sin(b), 0, 0, Math.sin(b), Math.cos(b), 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
      ),
  );

test('multiplies a matrix with its inverse to the identity', () => {
  fc.assert(
    fc.property(rigid, (m) => {
      multiply(m, invertRigid(m)).forEach((value, i) => {
        expect(value).toBeCloseTo(IDENTITY[i]!, 6);
      });
    }),
  );
});

test('transforms a point by a product like by its factors in turn', () => {
  fc.assert(
    fc.property(rigid, rigid, (a, b) => {
      const [x, y, z] = transformPoint(multiply(a, b), [1, 2, 3]);
      const [u, v, w] = transformPoint(a, transformPoint(b, [1, 2, 3]));
      expect(Math.hypot(x - u, y - v, z - w)).toBeLessThan(1e-6);
    }),
  );
});
