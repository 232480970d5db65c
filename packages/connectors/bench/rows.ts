/** Rows of `store_sales` in the form of PostgreSQL's driver: integers are numbers, and decimals are texts. */
import { type Row, storeSalesData } from '@topo-bench/sources';
import { StoreSales, storeSalesColumns } from '@topo-bench/workload/store-sales';
import { decimalText } from '../src/schema/value-text.ts';

export const { schema } = storeSalesData({ rows: 1, seed: 1 });

const scale = 2;

export function driverRows(count: number): Row[] {
  const sales = new StoreSales(1);
  const values: (number | undefined)[] = [];
  return Array.from({ length: count }, (_, number) => {
    sales.row(number, values);
    const row: Record<string, unknown> = {};
    storeSalesColumns.forEach(({ name, type }, place) => {
      const value = values[place];
      row[name] = value === undefined ? null : type === 'decimal' ? decimalText(BigInt(value), scale) : value;
    });
    return row;
  });
}
