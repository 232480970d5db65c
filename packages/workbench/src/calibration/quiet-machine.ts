/** How quiet this machine is, and a limited wait until other programs leave it alone. */
import { setTimeout } from 'node:timers/promises';
import { hostUse, readHostCpu } from '@topo-bench/host';

export interface Quietness {
  /** Use by other programs in the last window; undefined where the system does not tell. */
  foreignPercent: number | undefined;
  waitedSeconds: number;
}

export interface QuietOptions {
  /** Use by other programs that is quiet enough. */
  maxForeignPercent: number;
  maxSeconds: number;
  signal: AbortSignal;
  /** Called when the wait begins. */
  onWait?: (foreignPercent: number) => void;
  /** Length of a window. Default: 2 seconds. */
  windowMs?: number;
  read?: typeof readHostCpu;
}

export async function quietMachine(options: QuietOptions): Promise<Quietness> {
  const { maxForeignPercent, maxSeconds, signal, onWait, windowMs = 2000, read = readHostCpu } = options;
  let waitedMs = 0;
  for (;;) {
    const before = { host: read(), own: process.cpuUsage() };
    await setTimeout(windowMs, undefined, { signal }).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : error;
    });
    const own = process.cpuUsage(before.own);
    const { foreignPercent } = hostUse(before.host, read(), own.user + own.system) ?? {};
    const waitedSeconds = Math.round(waitedMs / 1000);
    if (foreignPercent === undefined || foreignPercent <= maxForeignPercent) return { foreignPercent, waitedSeconds };
    if (waitedMs >= maxSeconds * 1000) return { foreignPercent, waitedSeconds };
    if (waitedMs === 0) onWait?.(foreignPercent);
    waitedMs += windowMs;
  }
}
