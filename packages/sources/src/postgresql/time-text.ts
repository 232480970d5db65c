/** Dates and times as PostgreSQL reads them, from year 4713 BC on. */

const dayMicros = 86_400_000_000n;

/** @param days since 1970-01-01 */
export function dateText(days: number): string {
  const { text, era } = dateParts(days);
  return text + era;
}

/** @param micros since 1970-01-01, UTC */
export function timestampText(micros: bigint): string {
  const ofDay = ((micros % dayMicros) + dayMicros) % dayMicros;
  const { text, era } = dateParts(Number((micros - ofDay) / dayMicros));
  return `${text} ${timeText(ofDay)}+00${era}`;
}

/** @param micros since midnight */
export function timeText(micros: bigint): string {
  const seconds = Number(micros / 1_000_000n);
  const pad = (part: number): string => String(part).padStart(2, '0');
  const fraction = String(micros % 1_000_000n).padStart(6, '0');
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}.${fraction}`;
}

/** Year 0 of ISO 8601 is 1 BC. */
function dateParts(days: number): { text: string; era: string } {
  const date = new Date(days * 86_400_000);
  const year = date.getUTCFullYear();
  const monthAndDay = date.toISOString().slice(-19, -14);
  return { text: `${String(year > 0 ? year : 1 - year).padStart(4, '0')}-${monthAndDay}`, era: year > 0 ? '' : ' BC' };
}
