/** Times of the item routes: ISO 8601 in UTC with milliseconds, the one form that sorts as text. */

const isoForm = /^[12]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** False for dates that do not exist, too. */
export function isIsoTime(text: string): boolean {
  return isoForm.test(text) && isReal(text);
}

/**
 * Parses a date (`2026-03-01`, its start in UTC) or a time with `Z`, with or without a fraction.
 * @returns the full form; undefined for other text
 */
export function readTime(text: string): string | undefined {
  const [, date, time = '00:00:00', fraction = ''] =
    /^([12]\d{3}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,3}))?Z)?$/.exec(text) ?? [];
  if (date === undefined) return undefined;
  const full = `${date}T${time}.${fraction.padEnd(3, '0')}Z`;
  return isReal(full) ? full : undefined;
}

/** `Date` rolls an overflow over, such as 30 February to March. */
function isReal(full: string): boolean {
  const ms = Date.parse(full);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === full;
}
