import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IDENTITY, invertRigid, type Matrix, multiply, place } from './matrix.ts';

// A rotation about z, then about x, and a shift.
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

test('a placement and its inverse cancel out', () => {
  fc.assert(
    fc.property(rigid, (m) => {
      multiply(m, invertRigid(m)).forEach((value, i) => {
        expect(value).toBeCloseTo(IDENTITY[i]!, 6);
      });
    }),
  );
});

test('placing by a product is placing twice', () => {
  fc.assert(
    fc.property(rigid, rigid, (a, b) => {
      const [x, y, z] = place(multiply(a, b), [1, 2, 3]);
      const [u, v, w] = place(a, place(b, [1, 2, 3]));
      expect(Math.hypot(x - u, y - v, z - w)).toBeLessThan(1e-6);
    }),
  );
});
