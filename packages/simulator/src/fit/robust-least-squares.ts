/**
 * Gauss–Newton with Huber loss for residuals that a simulation makes noisy, and with what is known of the parameters
 * before. Slopes come from a two-level design that moves all parameters at once: each simulation adds to every slope.
 * Sources: Huber, Robust Statistics (1981); Plackett & Burman, The Design of Optimum Multifactorial Experiments (1946).
 */
import { inverse, type Matrix, normalEquations, solve } from './linear-algebra.ts';

export interface Problem {
  start: readonly number[];
  /** Before the measurement: mean and standard deviation of every parameter. */
  prior: readonly number[];
  priorSd: readonly number[];
  /** Residuals in standard deviations of their measurement; always as many. */
  residuals(at: readonly number[]): number[];
  iterations: number;
  /** Called after every simulation, e.g. to give other work its turn; rejects to end the search. */
  onEvaluation?(done: number, of: number): Promise<void>;
}

export interface Solution {
  at: number[];
  covariance: Matrix;
}

/** Beyond so many standard deviations a residual counts linearly. */
const huber = 1.5;
/** Half the distance of the two levels, and the largest move of a parameter in one iteration. */
const halfStep = 0.2;
const maxMove = 0.6;
const damping = 0.05;

/** @returns the best point of all iterations, by its cost over the whole design */
export async function robustLeastSquares(problem: Problem): Promise<Solution> {
  let at = [...problem.start];
  let best: (Solution & { cost: number }) | undefined;
  for (let iteration = 0; iteration <= problem.iterations; iteration++) {
    const slopes = await slopesAround(problem, at, iteration);
    const cost = costOf(slopes.residuals, at, problem);
    const { square, right } = weighted(slopes, at, problem);
    if (!best || cost < best.cost) best = { at: [...at], cost, covariance: covarianceOf(slopes, at, problem) };
    const damped = square.map((row, i) => row.map((value, j) => (i === j ? value * (1 + damping) : value)));
    const move = solve(damped, right);
    at = at.map((value, i) => value - Math.max(-maxMove, Math.min(maxMove, move[i] as number)));
  }
  return best as Solution;
}

interface Slopes {
  /** Means over the design. */
  residuals: number[];
  /** Rows by residual, columns by parameter. */
  jacobian: Matrix;
  /** Variance of each slope of a row, from the noise of the simulation. */
  variances: number[];
}

async function slopesAround(problem: Problem, at: readonly number[], iteration: number): Promise<Slopes> {
  const signs = twoLevelDesign(at.length);
  const runs: number[][] = [];
  for (const row of signs) {
    runs.push(problem.residuals(at.map((value, i) => value + halfStep * (row[i] as number))));
    await problem.onEvaluation?.(iteration * signs.length + runs.length, (problem.iterations + 1) * signs.length);
  }
  const count = runs.length;
  const residuals = (runs[0] ?? []).map((_, r) => runs.reduce((sum, run) => sum + (run[r] as number), 0) / count);
  const jacobian = residuals.map((_, r) => {
    return at.map((_value, i) => {
      return runs.reduce((sum, run, k) => sum + (run[r] as number) * (signs[k]?.[i] as number), 0) / (count * halfStep);
    });
  });
  const variances = residuals.map((mean, r) => {
    const slopes = jacobian[r] as number[];
    const explained = slopes.reduce((sum, slope) => sum + (slope * halfStep) ** 2, 0) * count;
    const all = runs.reduce((sum, run) => sum + ((run[r] as number) - mean) ** 2, 0);
    return Math.max(0, all - explained) / (count - 1 - at.length) / (count * halfStep ** 2);
  });
  return { residuals, jacobian, variances };
}

/** Columns of a Hadamard matrix (Sylvester's): each has as many +1 as −1, and no two go together. */
function twoLevelDesign(parameters: number): Matrix {
  let size = 4;
  while (size < parameters + 4) size *= 2;
  const sign = (row: number, column: number): number => {
    let odd = 0;
    for (let both = row & column; both > 0; both >>= 1) odd ^= both & 1;
    return odd === 1 ? -1 : 1;
  };
  return Array.from({ length: size }, (_, row) => Array.from({ length: parameters }, (__, i) => sign(row, i + 1)));
}

function costOf(residuals: readonly number[], at: readonly number[], { prior, priorSd }: Problem): number {
  const ofData = residuals.reduce((sum, r) => {
    const size = Math.abs(r);
    return sum + (size <= huber ? (r * r) / 2 : huber * (size - huber / 2));
  }, 0);
  const ofPrior = at.reduce((sum, value, i) => {
    return sum + ((value - (prior[i] as number)) / (priorSd[i] as number)) ** 2 / 2;
  }, 0);
  return ofData + ofPrior;
}

/** Normal equations with the weights of Huber, less the part of squared slopes that is noise, and with the prior. */
function weighted(
  { residuals, jacobian, variances }: Slopes,
  at: readonly number[],
  { prior, priorSd }: Problem,
  spread = 1,
): { square: Matrix; right: number[] } {
  const weights = residuals.map((r) => Math.sqrt(Math.min(1, huber / Math.max(1e-12, Math.abs(r)))) / spread);
  const { square, right } = normalEquations(
    jacobian.map((row, r) => row.map((value) => value * (weights[r] as number))),
    residuals.map((r, i) => r * (weights[i] as number)),
  );
  const noise = variances.reduce((sum, variance, r) => sum + variance * (weights[r] as number) ** 2, 0);
  // Rows and columns alike, so that the matrix stays positive.
  const kept = square.map((row, i) => {
    const all = row[i] as number;
    return all > 0 ? Math.sqrt(Math.max(all - noise, all * 0.02) / all) : 1;
  });
  for (const [i, row] of square.entries()) {
    for (const [j, value] of row.entries()) row[j] = value * (kept[i] as number) * (kept[j] as number);
  }
  for (const [i, sd] of priorSd.entries()) {
    (square[i] as number[])[i] = ((square[i] as number[])[i] as number) + 1 / sd ** 2;
    right[i] = (right[i] as number) + ((at[i] as number) - (prior[i] as number)) / sd ** 2;
  }
  return { square, right };
}

/** With the spread of the residuals: the model errs more than a measurement does. */
function covarianceOf(slopes: Slopes, at: readonly number[], problem: Problem): Matrix {
  const sizes = slopes.residuals.map(Math.abs).sort((a, b) => a - b);
  const spread = Math.max(1, 1.4826 * (sizes[Math.floor(sizes.length / 2)] ?? 1));
  return inverse(weighted(slopes, at, problem, spread).square);
}
