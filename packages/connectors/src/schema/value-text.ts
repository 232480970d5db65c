/** Dates, times and decimals as the texts that the protocol prescribes: ISO 8601, and plain digits. */
import { textOfDecimal } from '@topo-bench/sources';

const microsPerDay = 86_400_000_000n;

/** @param value text, an unscaled bigint or its bytes in big endian, a number, or an object with that text */
export function decimalText(value: unknown, scale: number): string {
  if (value instanceof Uint8Array) {
    return decimalText(BigInt.asIntN(8 * value.length, BigInt(`0x${Buffer.from(value).toString('hex')}`)), scale);
  }
  // A Parquet file yields 231.20000000000002 for 231.20.
  if (typeof value === 'number' && scale >= 0) return value.toFixed(scale);
  if (typeof value !== 'bigint') return textOfDecimal(value);
  if (scale <= 0) return `${value * 10n ** BigInt(-scale)}`;
  const digits = `${value < 0n ? -value : value}`.padStart(scale + 1, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** @param value text, days since 1970, or a Date */
export function dateText(value: unknown): string {
  if (typeof value === 'string') return value;
  const { day, era } = dayOf(value instanceof Date ? value : new Date((value as number) * 86_400_000));
  return day + era;
}

/** @param value text, or microseconds since midnight */
export function timeText(value: unknown): string {
  return typeof value === 'string' ? value : clockText(BigInt(`${value}`));
}

/** @param value text as of PostgreSQL or ISO 8601 in UTC, a Date, or microseconds since 1970 */
export function timestampText(value: unknown, isZoned: boolean): string {
  const zone = isZoned ? 'Z' : '';
  if (typeof value === 'string') return value.replace(' ', 'T').replace(/\+00(?=$| BC$)/, zone);
  const whole = value instanceof Date ? BigInt(value.getTime()) * 1000n : BigInt(`${value}`);
  const micros = ((whole % microsPerDay) + microsPerDay) % microsPerDay;
  const { day, era } = dayOf(new Date(Number((whole - micros) / 1000n)));
  return `${day}T${clockText(micros)}${zone}${era}`;
}

/** Years before 1 are counted as PostgreSQL and the protocol do: the year 0 of `Date` is 1 BC. */
function dayOf(date: Date): { day: string; era: string } {
  const year = date.getUTCFullYear();
  const shown = `${year > 0 ? year : 1 - year}`.padStart(4, '0');
  const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()].map((part) => `${part}`.padStart(2, '0'));
  return { day: `${shown}-${month}-${day}`, era: year > 0 ? '' : ' BC' };
}

function clockText(micros: bigint): string {
  const seconds = new Date(Number(micros / 1_000_000n) * 1000).toISOString().slice(11, 19);
  const fraction = micros % 1_000_000n;
  return fraction === 0n ? seconds : `${seconds}.${`${fraction}`.padStart(6, '0')}`;
}
