/**
 * One monotonic clock for all processes of a host. Generator processes start at one instant, and readings of a server
 * and a client are comparable.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@topo-bench/core';
import { type ClockExchange, type ClockOffset, clockOffset } from './clock-offset.ts';

/**
 * µs on the host's monotonic clock (CLOCK_MONOTONIC on Linux, its equivalent elsewhere). All processes and threads
 * agree up to `hostClockErrorUs`. `performance.now()` counts from the thread's own origin on that clock. Adding the
 * origin costs less per reading than `process.hrtime`, which allocates. The origin is measured at the first reading: a
 * role without tracing never loads `performance`.
 */
export const hostClock: Clock = {
  nowUs: () => {
    origin ??= measureOrigin();
    return performance.now() * 1e3 + origin.us;
  },
};

/** Max difference, in µs, from a reading of the system at the same instant: typically below 1 µs. */
export function hostClockErrorUs(): number {
  origin ??= measureOrigin();
  return origin.errorUs;
}

/**
 * Resolves at an instant of the host's clock, never before it; at once when it has passed. A timer alone would fire up
 * to 1 ms early: it counts whole milliseconds.
 * @throws the reason of the signal when it aborts the wait
 */
export async function sleepUntil(atUs: number, signal?: AbortSignal): Promise<void> {
  for (let leftUs = atUs - hostClock.nowUs(); leftUs > 0; leftUs = atUs - hostClock.nowUs()) {
    await sleep(Math.ceil(leftUs / 1e3), undefined, { signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
  }
}

/**
 * Processes with equal names read the same clock: those of one boot of one host, and on Linux of one time namespace.
 */
export function hostClockName(): string {
  name ??= readName();
  return name;
}

let name: string | undefined;

function readName(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readTimeNamespace()}`;
  } catch {
    return hostname();
  }
}

/** Empty on kernels without time namespaces. */
function readTimeNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/time');
  } catch {
    return '';
  }
}

/** The thread's origin on the host's clock. */
let origin: ClockOffset | undefined;

const tries = 8;

/**
 * @param systemUs reads the host's clock, in µs
 * @param threadUs reads the thread's clock, in µs
 */
export function measureOrigin(systemUs = readSystemUs, threadUs = (): number => performance.now() * 1e3): ClockOffset {
  const exchanges: ClockExchange[] = [];
  let beforeUs = threadUs();
  for (let i = 0; i < tries; i++) {
    const theirsUs = systemUs();
    const afterUs = threadUs();
    exchanges.push({ beforeUs, theirsUs, afterUs });
    beforeUs = afterUs;
  }
  return clockOffset(exchanges);
}

function readSystemUs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e6 + nanoseconds / 1e3;
}
