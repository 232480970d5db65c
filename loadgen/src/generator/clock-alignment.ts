/** Measures the clock offset of a generator's host over its link, for one start instant on every host. */
import { type ClockExchange, type ClockOffset, clockOffset } from '@topo-bench/host';
import type { ClockReading } from './messages.ts';

const exchanges = 20;

export interface OwnClock extends Omit<ClockReading, 'nowUs'> {
  nowUs(): number;
}

/**
 * @param readTheirs requests a reading from the generator
 * @returns their clock minus ours, with a bound on its error. Exactly 0 when both clocks have one name and no exchange
 *   contradicts it
 */
export async function alignClock(ours: OwnClock, readTheirs: () => Promise<ClockReading>): Promise<ClockOffset> {
  const measured: ClockExchange[] = [];
  let theirs: ClockReading | undefined;
  for (let i = 0; i < exchanges; i++) {
    const beforeUs = ours.nowUs();
    theirs = await readTheirs();
    measured.push({ beforeUs, theirsUs: theirs.nowUs, afterUs: ours.nowUs() });
  }
  const readingErrorUs = ours.errorUs + (theirs?.errorUs ?? 0);
  const { us, errorUs } = clockOffset(measured);
  const isOneClock = theirs?.clock === ours.clock && Math.abs(us) <= errorUs + readingErrorUs;
  return isOneClock ? { us: 0, errorUs: readingErrorUs } : { us, errorUs: errorUs + readingErrorUs };
}
