import { describe, expect, it } from 'vitest';
import { roundOrder } from '../src/round-order.ts';

const cells = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3'];
const byLetter = (cell: string) => cell.charAt(0);
const flat = (round: number, seed = 7) => roundOrder(cells, byLetter, seed, round).flatMap(({ members }) => members);

describe('the order of a round', () => {
  it('visits every cell once', () => {
    expect(flat(1).toSorted()).toEqual(cells);
  });

  it('is the same for the same seed and round', () => {
    expect(flat(3)).toEqual(flat(3));
  });

  it('differs between rounds and between seeds', () => {
    const orders = new Set([1, 2, 3, 4].flatMap((round) => [flat(round, 1).join(), flat(round, 2).join()]));
    expect(orders.size).toBeGreaterThan(6);
  });

  it('keeps cells of one deployment together', () => {
    const groups = roundOrder(cells, byLetter, 1, 1);
    expect(groups.map(({ key }) => key).toSorted()).toEqual(['a', 'b', 'c']);
    expect(groups.map(({ members }) => members.map(byLetter))).toEqual(groups.map(({ key }) => [key, key, key]));
  });

  it('puts every cell first equally often, within chance', () => {
    const first = new Map<string, number>();
    const rounds = 1800;
    for (let round = 1; round <= rounds; round++) {
      const cell = roundOrder(cells, (name) => name, 1, round)[0]?.key as string;
      first.set(cell, (first.get(cell) ?? 0) + 1);
    }
    // Chi-square over 9 cells; 26.1 is its 99.9% quantile at 8 degrees of freedom, and the seed is fixed.
    const expected = rounds / cells.length;
    const chiSquare = cells.reduce((sum, cell) => sum + ((first.get(cell) ?? 0) - expected) ** 2 / expected, 0);
    expect(chiSquare).toBeLessThan(26.1);
  });
});
