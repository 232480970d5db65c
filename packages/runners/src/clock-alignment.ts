/** The clock of a role's host against the clock of this host, over the role's control routes. */
import type { HostClockReading } from '@topo-bench/core';
import { type ClockExchange, clockOffset, hostClock, hostClockErrorUs, hostClockName } from '@topo-bench/host';

/** The error is at most half of the fastest of these exchanges. */
const exchanges = 10;

/** A GET request to the role. */
export type AskRole = <Answer>(path: string) => Promise<Answer>;

export interface ClockAlignment {
  /** Whether the role reads the clock of this host. */
  isHere: boolean;
  /** Its clock minus ours, at the time of the question: clocks of two hosts drift by some µs per second. */
  offsetUs: number;
  /** Bound on the error of the offset. */
  errorUs: number;
}

/** @param reading of the clock of the role */
export async function alignClock(ask: AskRole, reading: HostClockReading): Promise<ClockAlignment> {
  const readingErrorUs = reading.errorUs + hostClockErrorUs();
  if (reading.clock === hostClockName()) return { isHere: true, offsetUs: 0, errorUs: readingErrorUs };
  const measured: ClockExchange[] = [];
  for (let i = 0; i < exchanges; i++) {
    const beforeUs = hostClock.nowUs();
    const { nowUs } = await ask<HostClockReading>('/control/clock');
    measured.push({ beforeUs, theirsUs: nowUs, afterUs: hostClock.nowUs() });
  }
  const { us, errorUs } = clockOffset(measured);
  return { isHere: false, offsetUs: us, errorUs: errorUs + readingErrorUs };
}
