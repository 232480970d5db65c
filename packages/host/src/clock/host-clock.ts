/**
 * One monotonic clock for all processes of a host: generator processes start at one instant, and a server's readings compare
 * with a client's.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '@topo-bench/core';
import { type ClockExchange, type ClockOffset, clockOffset } from './clock-offset.ts';

/**
 * µs on the host's monotonic clock (CLOCK_MONOTONIC on Linux, its like elsewhere), the same in every process and thread up to
 * `hostClockErrorUs`. `performance.now()` counts from the thread's own origin on that clock; adding the origin costs less per
 * reading than `process.hrtime`, which allocates. The origin is measured with the first reading: a role that traces nothing
 * never loads `performance`.
 */
export const hostClock: Clock = {
  nowUs: () => {
    origin ??= measureOrigin();
    return performance.now() * 1e3 + origin.us;
  },
};

/** Max difference, in µs, between a reading here and the same instant's reading of the system: typically below 1 µs. */
export function hostClockErrorUs(): number {
  origin ??= measureOrigin();
  return origin.errorUs;
}

/** Processes with equal names read the same clock: those of one boot of one host, and on Linux of one time namespace. */
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
