import { expect, it } from 'vitest';
import { pricePerCoreHour } from '../src/option-values.ts';

it.each([
  ['0.04', { perCoreHour: 0.04, currency: '' }],
  ['0.04eur', { perCoreHour: 0.04, currency: 'EUR' }],
  ['2 USD', { perCoreHour: 2, currency: 'USD' }],
  ['$0.5', { perCoreHour: 0.5, currency: '$' }],
])('reads the price %s', (text, price) => {
  expect(pricePerCoreHour(text)).toEqual(price);
});

it.each(['', '0', '-1', 'EUR', '3x', '1.2.3', '$5EUR', '<b>1'])('refuses %j as a price', (text) => {
  expect(() => pricePerCoreHour(text)).toThrow('Expected a price above 0, such as 0.04 or 0.04EUR.');
});
