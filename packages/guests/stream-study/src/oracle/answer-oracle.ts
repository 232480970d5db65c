/**
 * The answers that queries must get, from the entries of the heat map and the queries alone: entries in a grid of
 * columns and rows, and sums over the rectangle of each query. It shares no code with the stream processor.
 */
import type { HeatMapEntries, MapQueries } from '@topo-bench/streams/map';
import { isLateFor, type OracleWindows } from './heat-map-oracle.ts';

/** Rows, cells, crossings, event times, and a weighted sum that also shows swapped values. */
const sumCount = 5;
/** The largest prime below 2^16. */
const modulus = 65_521;
const maxExamples = 3;

export interface AnswerCheck {
  answers: number;
  /** Rows in the answers. */
  cells: number;
  /** Answers with other rows, crossings or times than expected. */
  wrong: number;
  /** Queries without an answer, and answers beyond the first. */
  lost: number;
  duplicated: number;
  /** Queries that the job counted as late although they are not, or the reverse: their number. */
  lateDifference: number;
  /** The first wrong answers, as sentences. */
  examples: string[];
}

export class AnswerOracle {
  readonly #entries: HeatMapEntries;
  readonly #queries: MapQueries;
  readonly #windows: OracleWindows | undefined;
  readonly #side: number;
  /** Place of an entry + 1 by column and row; 0 for a cell without crossings. */
  readonly #grid: Int32Array;

  constructor(entries: HeatMapEntries, queries: MapQueries, windows: OracleWindows | undefined) {
    this.#entries = entries;
    this.#queries = queries;
    this.#windows = windows;
    const places = Array.from(entries.cells, (cell) => placeByBits(cell));
    this.#side = 1 + places.reduce((max, [column, row]) => Math.max(max, column, row), 0);
    this.#grid = new Int32Array(this.#side * this.#side);
    for (const [at, [column, row]] of places.entries()) this.#grid[column * this.#side + row] = at + 1;
  }

  /** @param found answers to the first `count` queries, and the number of late ones */
  check(count: number, found: { counts: Uint8Array; sums: Float64Array }, foundLate: number): AnswerCheck {
    const check: AnswerCheck = {
      answers: 0,
      cells: 0,
      wrong: 0,
      lost: 0,
      duplicated: 0,
      lateDifference: 0,
      examples: [],
    };
    let [late, latestMs] = [0, Number.NEGATIVE_INFINITY];
    for (let query = 0; query < count; query++) {
      const timeMs = this.#queries.timesMs[query] as number;
      const isLate = isLateFor(this.#windows, timeMs, latestMs);
      latestMs = Math.max(latestMs, timeMs);
      late += Number(isLate);
      const answers = found.counts[query] as number;
      check.answers += answers;
      const expectedAnswers = isLate ? 0 : 1;
      check.lost += Math.max(0, expectedAnswers - answers);
      check.duplicated += Math.max(0, answers - expectedAnswers);
      if (answers === 0) continue;
      const sums = found.sums.subarray(query * sumCount, (query + 1) * sumCount);
      check.cells += sums[0] as number;
      const expected = this.#sums(query);
      if (expected.every((sum, at) => sum === sums[at])) continue;
      check.wrong++;
      if (check.examples.length < maxExamples) check.examples.push(exampleOf(query, sums, expected));
    }
    check.lateDifference = Math.abs(foundLate - late);
    if (check.lost > 0) check.examples.push(`${check.lost} of ${count} queries have no answer`);
    if (check.duplicated > 0) check.examples.push(`${check.duplicated} answers too many to ${count} queries`);
    if (check.lateDifference > 0) check.examples.push(`got ${foundLate} late queries, expected ${late}`);
    return check;
  }

  #sums(query: number): number[] {
    const { columns, rows, widths, heights } = this.#queries;
    const [west, south] = [columns[query] as number, rows[query] as number];
    const [east, north] = [west + (widths[query] as number), south + (heights[query] as number)];
    const sums = [0, 0, 0, 0, 0] as [number, number, number, number, number];
    for (let column = west; column < Math.min(east, this.#side); column++) {
      for (let row = south; row < Math.min(north, this.#side); row++) {
        const place = this.#grid[column * this.#side + row] as number;
        if (place === 0) continue;
        const [cell, crossings, timeMs] = this.#entry(place - 1);
        sums[0]++;
        sums[1] += cell;
        sums[2] += crossings;
        sums[3] += timeMs;
        sums[4] += (cell % modulus) * (crossings + (timeMs % modulus));
      }
    }
    return sums;
  }

  #entry(at: number): [cell: number, crossings: number, timeMs: number] {
    const { cells, crossings, timesMs } = this.#entries;
    return [cells[at] as number, crossings[at] as number, timesMs[at] as number];
  }
}

/** Bits of a cell alternate; the lowest is one of latitude. The square of the map has 15 of each. */
function placeByBits(cell: number): [column: number, row: number] {
  let [column, row, rest] = [0, 0, cell];
  for (let bit = 0; bit < 15; bit++) {
    row += (rest % 2) * 2 ** bit;
    rest = Math.floor(rest / 2);
    column += (rest % 2) * 2 ** bit;
    rest = Math.floor(rest / 2);
  }
  return [column, row];
}

function exampleOf(query: number, found: ArrayLike<number>, expected: ArrayLike<number>): string {
  const textOf = (sums: ArrayLike<number>): string => `${sums[0]} rows with ${sums[2]} crossings`;
  const isSame = found[0] === expected[0] && found[2] === expected[2];
  return `query ${query}: got ${textOf(found)}, expected ${isSame ? 'other cells or times' : textOf(expected)}`;
}
