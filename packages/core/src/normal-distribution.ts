/** The standard normal distribution, for lognormal service times, tests and intervals. */
import { naturalLog } from './portable-math.ts';

/**
 * Quantile Φ⁻¹(p), relative error below 1e-15; −∞ at 0 and +∞ at 1, NaN outside.
 * Source: M. J. Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988) 477–484.
 * @param p probability in [0, 1]
 */
export function normalQuantile(p: number): number {
  if (p <= 0 || p >= 1) return p === 0 ? Number.NEGATIVE_INFINITY : p === 1 ? Number.POSITIVE_INFINITY : Number.NaN;
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(centralNumerator, r)) / polynomial(centralDenominator, r);
  }
  const r = Math.sqrt(-naturalLog(Math.min(p, 1 - p)));
  const tail =
    r <= 5
      ? polynomial(tailNumerator, r - 1.6) / polynomial(tailDenominator, r - 1.6)
      : polynomial(farNumerator, r - 5) / polynomial(farDenominator, r - 5);
  return q < 0 ? -tail : tail;
}

/**
 * Distribution function Φ(z), relative error of the smaller tail below 1e-12 for |z| < 37.
 * Source: G. Marsaglia, Evaluating the Normal Distribution, J. Stat. Softw. 11(4), 2004: Taylor series near the
 * centre; beyond it Laplace's continued fraction of Mills' ratio (Abramowitz & Stegun 26.2.14).
 */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  if (Math.abs(z) > 3) {
    const tail = upperTail(Math.abs(z));
    return z < 0 ? tail : 1 - tail;
  }
  let term = z;
  let sum = z;
  for (let i = 3; sum + term !== sum; i += 2) {
    term *= (z * z) / i;
    sum += term;
  }
  return 0.5 + sum * density(z);
}

function density(z: number): number {
  return Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
}

/** 1 − Φ(z) for z > 3: φ(z) / (z + 1/(z + 2/(z + …))). */
function upperTail(z: number): number {
  let fraction = z;
  for (let i = 100; i >= 1; i--) fraction = z + i / fraction;
  return density(z) / fraction;
}

/** Horner's rule; coefficients from the lowest power up. */
function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) value = value * x + (coefficients[i] as number);
  return value;
}

const centralNumerator = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
  33430.57558358813, 2509.0809287301227,
];
const centralDenominator = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
  5226.495278852546,
];
const tailNumerator = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
];
const tailDenominator = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];
const farNumerator = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
];
const farDenominator = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 0.000018463183175100548,
  1.421511758316446e-7, 2.0442631033899397e-15,
];
