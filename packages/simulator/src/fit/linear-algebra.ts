/** Small dense systems: Cholesky factors, inverses, and non-negative least squares. */

export type Matrix = number[][];

/** L with L·Lᵀ = a. @param a symmetric and positive definite; tiny negative pivots count as 0 */
export function cholesky(a: Matrix): Matrix {
  const factor: Matrix = a.map((row) => row.map(() => 0));
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = at(a, i, j);
      for (let k = 0; k < j; k++) rest -= at(factor, i, k) * at(factor, j, k);
      const pivot = at(factor, j, j);
      (factor[i] as number[])[j] = i === j ? Math.sqrt(Math.max(0, rest)) : pivot === 0 ? 0 : rest / pivot;
    }
  }
  return factor;
}

/** x with a·x = b. @param a symmetric and positive definite */
export function solve(a: Matrix, b: readonly number[]): number[] {
  const factor = cholesky(a);
  const y: number[] = [];
  for (let i = 0; i < b.length; i++) {
    let rest = b[i] as number;
    for (let k = 0; k < i; k++) rest -= at(factor, i, k) * (y[k] as number);
    y.push(rest / at(factor, i, i));
  }
  const x = new Array<number>(b.length).fill(0);
  for (let i = b.length - 1; i >= 0; i--) {
    let rest = y[i] as number;
    for (let k = i + 1; k < b.length; k++) rest -= at(factor, k, i) * (x[k] as number);
    x[i] = rest / at(factor, i, i);
  }
  return x;
}

export function inverse(a: Matrix): Matrix {
  return a.map((_, i) =>
    solve(
      a,
      a.map((_row, j) => (i === j ? 1 : 0)),
    ),
  );
}

/** aᵀ·a and aᵀ·b. */
export function normalEquations(rows: Matrix, b: readonly number[]): { square: Matrix; right: number[] } {
  const n = rows[0]?.length ?? 0;
  const square: Matrix = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  const right = new Array<number>(n).fill(0);
  for (const [r, row] of rows.entries()) {
    for (let i = 0; i < n; i++) {
      const value = row[i] as number;
      if (value === 0) continue;
      right[i] = (right[i] as number) + value * (b[r] as number);
      for (let j = 0; j < n; j++) (square[i] as number[])[j] = at(square, i, j) + value * (row[j] as number);
    }
  }
  return { square, right };
}

/**
 * x ≥ 0 that minimises |rows·x − b|². Source: Lawson & Hanson, Solving Least Squares Problems (1974), chapter 23.
 * @param rows at least one, of full column rank
 */
export function nonNegativeLeastSquares(rows: Matrix, b: readonly number[]): number[] {
  const { square, right } = normalEquations(rows, b);
  const n = right.length;
  const x = new Array<number>(n).fill(0);
  const free = new Set<number>();
  for (let step = 0; step < 10 * n; step++) {
    const slope = right.map((value, i) => value - x.reduce((sum, xj, j) => sum + at(square, i, j) * xj, 0));
    const next = argMax(slope, (i) => !free.has(i));
    if (next < 0 || (slope[next] as number) <= 1e-9 * Math.abs(right[next] as number)) break;
    free.add(next);
    for (;;) {
      const indexes = [...free];
      const part = solve(
        indexes.map((i) => indexes.map((j) => at(square, i, j))),
        indexes.map((i) => right[i] as number),
      );
      if (part.every((value) => value > 0)) {
        x.fill(0);
        for (const [k, i] of indexes.entries()) x[i] = part[k] as number;
        break;
      }
      // As far as the first component that would become negative.
      let share = 1;
      for (const [k, i] of indexes.entries()) {
        const to = part[k] as number;
        const from = x[i] as number;
        if (to <= 0) share = Math.min(share, from / (from - to));
      }
      for (const [k, i] of indexes.entries()) {
        x[i] = (x[i] as number) + share * ((part[k] as number) - (x[i] as number));
        if ((x[i] as number) <= 1e-12) {
          x[i] = 0;
          free.delete(i);
        }
      }
    }
  }
  return x;
}

function argMax(values: readonly number[], may: (i: number) => boolean): number {
  let best = -1;
  for (const [i, value] of values.entries()) if (may(i) && (best < 0 || value > (values[best] as number))) best = i;
  return best;
}

function at(a: Matrix, i: number, j: number): number {
  return (a[i] as number[])[j] as number;
}
