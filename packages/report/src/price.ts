/** The price of processor time, and what a load costs at it. */
export interface Price {
  perCoreHour: number;
  /** Three letters or a sign; empty without one. */
  currency: string;
}

/** Hours of a year, divided by twelve. */
const hoursPerMonth = 730;

/** Price of a month of a load whose requests use this processor time, on cores in full use. */
export function costPerMonth({ perCoreHour }: Price, cpuUsPerRequest: number, rps: number): number {
  return ((cpuUsPerRequest * rps) / 1e6) * perCoreHour * hoursPerMonth;
}

/** `12.4 EUR`, `0.037 EUR`, `1,240 EUR`. */
export function formatPrice({ currency }: Price, amount: number): string {
  if (!Number.isFinite(amount)) return '–';
  const rounded = amount >= 100 ? Math.round(amount).toLocaleString('en-US') : String(Number(amount.toPrecision(3)));
  return currency === '' ? rounded : `${rounded} ${currency}`;
}
