// Solves small linear systems and symmetric eigenproblems.

/** Returns x of matrix · x = right (Gauss, with pivots); null if the matrix is singular. */
export function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const n = rows.length;
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let row = column + 1; row < n; row++)
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const top = rows[column]!;
    if (Math.abs(top[column]!) < 1e-14) return null;
    for (let row = 0; row < n; row++) {
      if (row === column) continue;
      const factor = rows[row]![column]! / top[column]!;
      for (let k = column; k <= n; k++) rows[row]![k]! -= factor * top[k]!;
    }
  }
  return rows.map((row, i) => row[n]! / row[i]!);
}

/** Returns x that minimizes |rows · x − right| (normal equations); null if it is not determined. */
export function leastSquares(rows: readonly (readonly number[])[], right: readonly number[]): number[] | null {
  const n = rows[0]?.length ?? 0;
  const square = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0)),
  );
  return solve(
    square,
    Array.from({ length: n }, (_, i) => rows.reduce((sum, row, at) => sum + row[i]! * right[at]!, 0)),
  );
}

/** Returns the eigenvector of the smallest eigenvalue of Σ v vᵀ (Jacobi): perpendicular to all vectors, if one is. */
export function smallestDirection(vectors: readonly (readonly number[])[]): number[] {
  const n = vectors[0]?.length ?? 0;
  const range = Array.from({ length: n }, (_, i) => i);
  const a = range.map((i) => range.map((j) => vectors.reduce((sum, v) => sum + v[i]! * v[j]!, 0)));
  const basis = range.map((i) => range.map((j) => Number(i === j)));
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let rest = 0;
    for (const p of range) for (const q of range.slice(p + 1)) rest += a[p]![q]! ** 2;
    if (rest === 0) break;
    for (const p of range)
      for (const q of range.slice(p + 1)) {
        if (a[p]![q] === 0) continue;
        const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const cos = 1 / Math.hypot(t, 1);
        const sin = t * cos;
        for (const k of range) {
          const [kp, kq] = [a[k]![p]!, a[k]![q]!];
          a[k]![p] = cos * kp - sin * kq;
          a[k]![q] = sin * kp + cos * kq;
        }
        for (const k of range) {
          const [pk, qk] = [a[p]![k]!, a[q]![k]!];
          a[p]![k] = cos * pk - sin * qk;
          a[q]![k] = sin * pk + cos * qk;
          const [bp, bq] = [basis[k]![p]!, basis[k]![q]!];
          basis[k]![p] = cos * bp - sin * bq;
          basis[k]![q] = sin * bp + cos * bq;
        }
      }
  }
  const smallest = range.reduce((best, i) => (a[i]![i]! < a[best]![best]! ? i : best), 0);
  return range.map((k) => basis[k]![smallest]!);
}

const MAX_SWEEPS = 30;
