/** Rows of `store_sales` against the facts of the TPC-DS specification. */
import { describe, expect, it } from 'vitest';
import { StoreSales, storeSalesColumns } from '../../src/loading/store-sales.ts';

const count = 48_000;
const place = (name: string): number => storeSalesColumns.findIndex((column) => column.name === `ss_${name}`);

function rowsOf(seed: number, numbers: readonly number[]): (number | undefined)[][] {
  const sales = new StoreSales(seed);
  return numbers.map((number) => {
    const row: (number | undefined)[] = [];
    sales.row(number, row);
    return row;
  });
}

const rows = rowsOf(
  7,
  Array.from({ length: count }, (_, i) => i),
);
const valuesOf = (name: string): number[] => rows.flatMap((row) => row[place(name)] ?? []);

describe('store_sales', () => {
  it('has the 23 columns of the specification', () => {
    expect(rows.every((row) => row.length === 23)).toBe(true);
    expect(storeSalesColumns.filter(({ type }) => type === 'decimal')).toHaveLength(12);
  });

  it('has the same row by its number alone, in any order', () => {
    const numbers = [47_999, 3, 24, 23, 25, 0, 12_345];
    expect(rowsOf(7, numbers)).toEqual(numbers.map((number) => rows[number]));
    expect(rowsOf(8, numbers)).not.toEqual(rowsOf(7, numbers));
  });

  it.each([
    ['sold_date_sk', 2_450_816, 2_452_642],
    ['sold_time_sk', 28_800, 75_599],
    ['item_sk', 1, 18_000],
    ['customer_sk', 1, 100_000],
    ['cdemo_sk', 1, 1_920_800],
    ['hdemo_sk', 1, 7200],
    ['addr_sk', 1, 50_000],
    ['store_sk', 1, 12],
    ['promo_sk', 1, 300],
    ['quantity', 1, 100],
    ['wholesale_cost', 100, 10_000],
    ['list_price', 100, 20_000],
    ['sales_price', 0, 20_000],
    ['net_profit', -1_000_000, 1_000_000],
  ])('has %s from %d to %d, spread over the range', (name, min, max) => {
    const values = valuesOf(name);
    const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
    expect(low).toBeGreaterThanOrEqual(min);
    expect(high).toBeLessThanOrEqual(max);
    expect(high - low).toBeGreaterThan(0.7 * (max - min));
  });

  it('has nulls in 4.5% of the values, and none in item and ticket', () => {
    for (const [at, { name, nullable }] of storeSalesColumns.entries()) {
      const share = rows.filter((row) => row[at] === undefined).length / count;
      // Six standard deviations of a share of 4.5% over 48 000 rows.
      if (nullable) expect(Math.abs(share - 0.045), name).toBeLessThan(0.006);
      else expect(share, name).toBe(0);
    }
  });

  it('has tickets of 8 to 16 rows, with distinct items and one customer each', () => {
    const tickets = new Map<number | undefined, (number | undefined)[][]>();
    for (const row of rows) {
      const number = row[place('ticket_number')];
      tickets.set(number, [...(tickets.get(number) ?? []), row]);
    }
    const sizes = new Set<number>();
    for (const of of tickets.values()) {
      sizes.add(of.length);
      expect(new Set(of.map((row) => row[place('item_sk')])).size).toBe(of.length);
      expect(new Set(of.flatMap((row) => row[place('customer_sk')] ?? [])).size).toBeLessThanOrEqual(1);
    }
    expect([...sizes].sort((a, b) => a - b)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16]);
  });

  it('has a coupon on a fifth of the rows', () => {
    const coupons = valuesOf('coupon_amt');
    const used = coupons.filter((value) => value > 0).length / coupons.length;
    // A coupon of 0% or on nothing is not visible: a little below 20%.
    expect(used).toBeGreaterThan(0.18);
    expect(used).toBeLessThan(0.205);
  });

  it('has the arithmetic of the specification between its prices', () => {
    const whole = rows.filter((row) => !row.includes(undefined)) as number[][];
    expect(whole.length).toBeGreaterThan(0.9 * count);
    for (const row of whole) {
      const at = (name: string): number => row[place(name)] as number;
      const expected = {
        ext_wholesale_cost: at('wholesale_cost') * at('quantity'),
        ext_list_price: at('list_price') * at('quantity'),
        ext_sales_price: at('sales_price') * at('quantity'),
        ext_discount_amt: at('ext_list_price') - at('ext_sales_price'),
        net_paid: at('ext_sales_price') - at('coupon_amt'),
        net_paid_inc_tax: at('net_paid') + at('ext_tax'),
        net_profit: at('net_paid') - at('ext_wholesale_cost'),
      };
      for (const [name, value] of Object.entries(expected)) if (at(name) !== value) expect({ name, row }).toBe(value);
      expect(at('ext_tax')).toBeLessThanOrEqual(0.09 * at('net_paid'));
    }
  });
});
