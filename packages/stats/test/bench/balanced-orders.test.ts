import { expect, it } from 'vitest';
import { balancedOrders, balancedRounds } from '../fixtures/balanced-orders.ts';

it.each([1, 2, 3, 4, 5, 7, 8, 9])('%d sides have each place, and follow each other side, equally often', (sides) => {
  const orders = balancedOrders(sides);
  const [places, neighbours] = [new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const order of orders) {
    expect([...order].sort()).toEqual(Array.from({ length: sides }, (_, side) => side));
    for (const [place, side] of order.entries()) count(places, `${side} at ${place}`);
    for (const [place, side] of order.slice(1).entries()) count(neighbours, `${side} after ${order[place]}`);
  }
  expect(places.size).toBe(sides * sides);
  expect(new Set(places.values()).size).toBe(1);
  expect(neighbours.size).toBe(sides * (sides - 1));
  expect(new Set(neighbours.values()).size).toBe(sides === 1 ? 0 : 1);
});

it('rounds up to whole squares', () => {
  expect([1, 6, 7, 12].map((rounds) => balancedRounds(rounds, balancedOrders(3)))).toEqual([6, 6, 12, 12]);
  expect(balancedRounds(7, balancedOrders(4))).toBe(8);
});
