/**
 * Natural logarithm and exponential function from additions, multiplications and divisions alone, which IEEE 754
 * defines to the last bit. ECMAScript leaves `Math.log` and `Math.exp` to the engine; a seed must draw the same times
 * in every engine. Source: fdlibm 5.3, e_log.c and e_exp.c (Sun Microsystems, 1993), the code that V8 runs for both.
 */

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
double[0] = 1;
// The sign and exponent of 1 are in the high word.
const high = words[1] === 0x3ff00000 ? 1 : 0;

const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;

/** ln(x), error below 1 ulp. −∞ at 0, NaN below. */
export function naturalLog(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) {
    return x === 0 ? Number.NEGATIVE_INFINITY : x > 0 ? x : Number.NaN;
  }
  // x = 2^k · (1 + f) with √2/2 < 1 + f < √2.
  let k = 0;
  double[0] = x;
  if ((words[high] as number) < 0x00100000) {
    k = -54;
    double[0] = x * 2 ** 54;
  }
  let hx = words[high] as number;
  k += (hx >> 20) - 1023;
  hx &= 0x000fffff;
  const half = (hx + 0x95f64) & 0x100000;
  words[high] = hx | (half ^ 0x3ff00000);
  k += half >> 20;
  const f = (double[0] as number) - 1;
  if ((0x000fffff & (2 + hx)) < 3) return nearOne(f, k);
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const odd = z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  const r = odd + even;
  if (((hx - 0x6147a) | (0x6b851 - hx)) > 0) {
    const halfSquare = 0.5 * f * f;
    if (k === 0) return f - (halfSquare - s * (halfSquare + r));
    return k * ln2High - (halfSquare - (s * (halfSquare + r) + k * ln2Low) - f);
  }
  if (k === 0) return f - s * (f - r);
  return k * ln2High - (s * (f - r) - k * ln2Low - f);
}

/** |f| < 2^−20 */
function nearOne(f: number, k: number): number {
  if (f === 0) return k === 0 ? 0 : k * ln2High + k * ln2Low;
  const r = f * f * (0.5 - 0.3333333333333333 * f);
  return k === 0 ? f - r : k * ln2High - (r - k * ln2Low - f);
}

/** e^x, error below 1 ulp. */
export function exponential(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > 709.782712893384) return Number.POSITIVE_INFINITY;
  if (x < -745.1332191019411) return 0;
  const size = Math.abs(x);
  if (size < 2 ** -28) return 1 + x;
  // x = k · ln 2 + r with |r| ≤ ln 2 / 2, r = hi − lo.
  let k = 0;
  let hi = x;
  let lo = 0;
  double[0] = size;
  const hx = words[high] as number;
  if (hx > 0x3fd62e42) {
    if (hx < 0x3ff0a2b2) {
      if (x === 1) return Math.E;
      k = x < 0 ? -1 : 1;
    } else {
      k = Math.trunc(Math.LOG2E * x + (x < 0 ? -0.5 : 0.5));
    }
    hi = x - k * ln2High;
    lo = k * ln2Low;
  }
  const r = hi - lo;
  const t = r * r;
  const c =
    r -
    t *
      (0.16666666666666602 +
        t *
          (-0.0027777777777015593 +
            t * (6.613756321437934e-5 + t * (-1.6533902205465252e-6 + t * 4.1381367970572385e-8))));
  if (k === 0) return 1 - ((r * c) / (c - 2) - r);
  const y = 1 - (lo - (r * c) / (2 - c) - hi);
  // 2^k itself is out of range at both ends.
  if (k === 1024) return y * 2 * 2 ** 1023;
  return k >= -1021 ? y * powerOfTwo(k) : y * powerOfTwo(k + 1000) * 2 ** -1000;
}

/** @param k from −1022 to 1023 */
function powerOfTwo(k: number): number {
  words[high] = (k + 1023) << 20;
  words[1 - high] = 0;
  return double[0] as number;
}
