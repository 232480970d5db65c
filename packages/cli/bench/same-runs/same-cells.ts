/**
 * What two runs of one experiment and seed must have in common, whatever their machines and versions: cells, requests,
 * decisions, outcomes, exposure, hops and rows. Figures of time differ; their ratios are given.
 */

import { cellKey } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import type { AnyEntry } from '@topo-bench/studies';

export interface CellDifference {
  /** Factor levels and repetition. */
  readonly cell: string;
  /** `cell` for a repetition that only one run has. */
  readonly figure: string;
  readonly first: unknown;
  readonly second: unknown;
}

export interface SameCells {
  /** Repetitions in both runs. */
  readonly compared: number;
  /** Figures that were compared and present. */
  readonly figures: number;
  readonly differences: readonly CellDifference[];
  /** Median round-trip times of the second run as shares of the first, by repetition; finite ones, ascending. */
  readonly medianRatios: readonly number[];
  /** Valid repetitions of each run, among those compared. */
  readonly valid: readonly [number, number];
}

const figures: Readonly<Record<string, (cell: AnyEntry) => unknown>> = {
  source: (cell) => cell.source,
  'offered load': (cell) => cell.offeredRps,
  outcomes: (cell) => cell.outcomes,
  unfinished: (cell) => cell.unfinished,
  errors: (cell) => cell.errors,
  decisions: (cell) => cell.decisions,
  'refused requests': (cell) => cell.rttRefused.count,
  exposure: (cell) => cell.exposureBytes,
  hops: (cell) => cell.hops,
  'rows of the store': (cell) => cell.persistence?.rows,
  'rows and bytes moved': ({ flight }) => flight && [flight.operation, flight.streams, flight.rows, flight.bytes],
  'wrong values': ({ flight }) => flight?.checked.wrong,
  'governed rows': ({ flight }) => flight?.governed?.rows,
  'rows read': ({ access }) => access && [access.variant, access.rows, access.checksum],
  'heat maps': ({ stream }) => stream && [stream.checked.wrong, stream.checked.lost, stream.checked.duplicated],
};

/** @param commonOnly ignores repetitions that only one run has: gates stop after different numbers of pairs */
export function sameCells(first: readonly Cell[], second: readonly Cell[], commonOnly = false): SameCells {
  const [a, b] = [byName(first), byName(second)];
  const differences: CellDifference[] = [];
  const ratios: number[] = [];
  const valid: [number, number] = [0, 0];
  let compared = 0;
  let present = 0;
  for (const cell of new Set([...a.keys(), ...b.keys()])) {
    const [one, other] = [a.get(cell), b.get(cell)];
    if (!one || !other) {
      if (!commonOnly) differences.push({ cell, figure: 'cell', first: Boolean(one), second: Boolean(other) });
      continue;
    }
    compared++;
    for (const [figure, of] of Object.entries(figures)) {
      const [left, right] = [sorted(of(one)), sorted(of(other))];
      if (left === undefined && right === undefined) continue;
      present++;
      if (JSON.stringify(left) !== JSON.stringify(right))
        differences.push({ cell, figure, first: left, second: right });
    }
    ratios.push(other.rtt.medianUs / one.rtt.medianUs);
    if (one.validity.valid) valid[0]++;
    if (other.validity.valid) valid[1]++;
  }
  const medianRatios = ratios.filter(Number.isFinite).sort((x, y) => x - y);
  return { compared, figures: present, differences, medianRatios, valid };
}

function byName(cells: readonly Cell[]): Map<string, Cell> {
  return new Map(cells.map((cell) => [`${cellKey(cell.factors)} #${cell.repetition}`, cell]));
}

/** With the members of maps in one order: writers may have counted them in another one. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.sort().map(([name, member]) => [name, sorted(member)]));
}
