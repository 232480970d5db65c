/** Increases of a factor as text, for sentences on what one more of it costs. */
import { factorRow, factorWords, shortFactorName } from './factors.ts';
import { formatQuantity, type QuantityUnit } from './ordered-levels.ts';

const numberWords = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** An increase of a factor as the subject of a sentence: `five more rules per service`, `10 ms more delay per link`. */
export function describeIncrease(name: string, amount: number, unit: QuantityUnit): string {
  const { counted } = factorRow(shortFactorName(name)) ?? {};
  const measured = factorWords(name);
  if (unit !== 'count') return `${formatQuantity(amount, unit)} more ${measured}`;
  const count = numberWords[amount] ?? formatQuantity(amount, unit);
  if (counted) return `${count} more ${amount === 1 ? counted.one : counted.many}`;
  return `${count} more ${measured.startsWith('rules ') ? '' : 'of '}${measured}`;
}

/** Whether the levels change the load of the system, and not the work of a request. */
export function isLoadFactor(name: string): boolean {
  return factorRow(shortFactorName(name))?.isLoad === true;
}
