/**
 * Recorder of intervals for when raw samples are too many to keep: buckets of equal relative width, so that any quantile is right to
 * three significant digits from nanoseconds to hours. Histograms of several processes or machines merge without loss.
 */
import type { Summary } from '@topo-bench/core/schema/result';
import { requireNumbers } from './input.ts';

// A bucket is named by the exponent and the first bits of the mantissa of the number's own IEEE 754 form: 2^11 buckets per doubling,
// so the middle of a bucket is within 2^-12 (0.025%) of every value in it.
const mantissaBits = 11;
const lowestUs = 2 ** -6;
const highestUs = 2 ** 36;
const view = new DataView(new ArrayBuffer(8));
const lowestBucket = bitsOf(lowestUs);
const bucketCount = bitsOf(highestUs) - lowestBucket + 1;

/** What `Histogram.toJSON` gives and `Histogram.fromJSON` takes. */
export interface HistogramRecord {
  /** Pairs of bucket and count, flat, of the buckets that are not empty. */
  buckets: number[];
  unfinished: number;
  minUs: number | null;
  maxUs: number | null;
  meanUs: number;
  /** Sum of squared deviations from the mean. */
  squaresUs2: number;
}

export class Histogram {
  readonly #counts = new Float64Array(bucketCount);
  #finished = 0;
  #unfinished = 0;
  #minUs = Number.POSITIVE_INFINITY;
  #maxUs = Number.NEGATIVE_INFINITY;
  #meanUs = 0;
  #squares = 0;

  /** Intervals recorded, unfinished ones included. */
  get count(): number {
    return this.#finished + this.#unfinished;
  }

  /**
   * Records an interval in µs; +∞ is an unfinished one. Below 2^-6 µs and above 2^36 µs (19 h) the bucket is the last one, while minimum,
   * maximum and mean stay exact.
   * @throws TopoBenchError `TB_STATS_INPUT` when it is NaN or −∞
   */
  record(us: number): void {
    if (us === Number.POSITIVE_INFINITY) {
      this.#unfinished++;
      return;
    }
    if (!Number.isFinite(us)) requireNumbers([us], 'Histogram.record');
    const bucket = bucketOf(us);
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#addMoments(1, us, 0);
    this.#minUs = Math.min(this.#minUs, us);
    this.#maxUs = Math.max(this.#maxUs, us);
  }

  /** Adds all that another histogram recorded. */
  merge(other: Histogram): void {
    for (let i = 0; i < bucketCount; i++) this.#counts[i] = (this.#counts[i] as number) + (other.#counts[i] as number);
    this.#addMoments(other.#finished, other.#meanUs, other.#squares);
    this.#unfinished += other.#unfinished;
    this.#minUs = Math.min(this.#minUs, other.#minUs);
    this.#maxUs = Math.max(this.#maxUs, other.#maxUs);
  }

  /** Quantile by definition 7 over the middles of the buckets, held between minimum and maximum; +∞ and NaN as `quantileOfSorted`. */
  quantile(q: number): number {
    if (this.count === 0) return Number.NaN;
    const place = (this.count - 1) * q;
    const below = Math.floor(place);
    const low = this.#orderStatistic(below);
    if (place === below) return low;
    const high = this.#orderStatistic(below + 1);
    return high === low ? low : low + (place - below) * (high - low);
  }

  /** The summary of what was recorded; unfinished ones as `summarise` counts them. */
  summarise(): Summary {
    return {
      count: this.count,
      minUs: this.quantile(0),
      q1Us: this.quantile(0.25),
      medianUs: this.quantile(0.5),
      q3Us: this.quantile(0.75),
      p95Us: this.quantile(0.95),
      p99Us: this.quantile(0.99),
      p999Us: this.quantile(0.999),
      maxUs: this.quantile(1),
      meanUs: this.#finished > 0 ? this.#meanUs : Number.NaN,
      stdUs: this.#finished > 1 ? Math.sqrt(this.#squares / (this.#finished - 1)) : Number.NaN,
    };
  }

  toJSON(): HistogramRecord {
    const buckets: number[] = [];
    this.#counts.forEach((count, bucket) => {
      if (count > 0) buckets.push(bucket, count);
    });
    const any = this.#finished > 0;
    return {
      buckets,
      unfinished: this.#unfinished,
      minUs: any ? this.#minUs : null,
      maxUs: any ? this.#maxUs : null,
      meanUs: this.#meanUs,
      squaresUs2: this.#squares,
    };
  }

  static fromJSON(record: HistogramRecord): Histogram {
    const histogram = new Histogram();
    for (let i = 0; i < record.buckets.length; i += 2) {
      histogram.#counts[record.buckets[i] as number] = record.buckets[i + 1] as number;
      histogram.#finished += record.buckets[i + 1] as number;
    }
    histogram.#unfinished = record.unfinished;
    histogram.#minUs = record.minUs ?? Number.POSITIVE_INFINITY;
    histogram.#maxUs = record.maxUs ?? Number.NEGATIVE_INFINITY;
    histogram.#meanUs = record.meanUs;
    histogram.#squares = record.squaresUs2;
    return histogram;
  }

  /** Mean and squared deviations of the union of two sets: Chan, Golub & LeVeque, Am. Stat. 37 (1983) 242–247, eq. 2.1. */
  #addMoments(count: number, mean: number, squares: number): void {
    if (count === 0) return;
    const all = this.#finished + count;
    const distance = mean - this.#meanUs;
    this.#squares += squares + (distance * distance * this.#finished * count) / all;
    this.#meanUs += (distance * count) / all;
    this.#finished = all;
  }

  /** The value of that rank, from 0. */
  #orderStatistic(rank: number): number {
    if (rank >= this.#finished) return Number.POSITIVE_INFINITY;
    if (rank === 0) return this.#minUs;
    if (rank === this.#finished - 1) return this.#maxUs;
    let bucket = 0;
    for (let seen = this.#counts[0] as number; seen <= rank; seen += this.#counts[bucket] as number) bucket++;
    return Math.min(this.#maxUs, Math.max(this.#minUs, middleOf(bucket)));
  }
}

function bucketOf(us: number): number {
  return bitsOf(Math.min(highestUs, Math.max(lowestUs, us))) - lowestBucket;
}

/** Exponent and first mantissa bits as one number; it grows with the value, for values ≥ 0. */
function bitsOf(value: number): number {
  view.setFloat64(0, value);
  return view.getUint32(0) >>> (20 - mantissaBits);
}

function middleOf(bucket: number): number {
  const edge = (bits: number): number => {
    view.setUint32(0, bits << (20 - mantissaBits));
    view.setUint32(4, 0);
    return view.getFloat64(0);
  };
  return (edge(bucket + lowestBucket) + edge(bucket + lowestBucket + 1)) / 2;
}
