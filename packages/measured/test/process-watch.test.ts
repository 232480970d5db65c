/** Which readings make the CPU time of a load: idle window, start and end, in this order. */
import type { GroupUsage } from '@topo-bench/host';
import { describe, expect, it } from 'vitest';
import { ProcessWatch } from '../src/process-watch.ts';

const usage = (cpuUs: number): GroupUsage => ({ processes: 1, cpuUs, rssBytes: 1e6 });
const { signal } = new AbortController();

/** @param cpuUs of the readings, in their order */
function watched(...cpuUs: number[]) {
  const events: string[] = [];
  let readings = 0;
  const watch = new ProcessWatch(async () => {
    const own = cpuUs[readings++];
    events.push(`read ${readings}`);
    if (own === undefined) throw new Error('one reading too many');
    return { service: usage(own) };
  });
  return { watch, events };
}

describe('the usage of processes', () => {
  it('is read at both ends of the idle window, after the last calls before the load, and at the first drain', async () => {
    const { watch, events } = watched(100, 400, 10_000, 70_000);
    watch.idle(signal);
    await watch.ready(signal, async () => void events.push('prepare'));
    expect(events).toEqual(['read 1', 'read 2', 'prepare', 'read 3']);
    watch.drained();
    expect(events).toEqual(['read 1', 'read 2', 'prepare', 'read 3', 'read 4']);
    // What comes later, such as the collection of results, is not in the window.
    watch.drained();
    const { service } = await watch.use();
    expect(events).toHaveLength(5);
    expect(service?.cpuUs).toBe(60_000);
    // 300 µs in the idle window, which lasts a second or more.
    const { idleCpuUs = Number.NaN, windowUs = Number.NaN } = service ?? {};
    expect(idleCpuUs / windowUs).toBeGreaterThan(0);
    expect(idleCpuUs / windowUs).toBeLessThanOrEqual(300 / 1e6);
  });

  it('is read without an idle window when none was begun', async () => {
    const { watch, events } = watched(1000, 4000);
    await watch.ready(signal);
    watch.drained();
    const { service } = await watch.use();
    expect(events).toEqual(['read 1', 'read 2']);
    expect(service?.cpuUs).toBe(3000);
    expect(service).not.toHaveProperty('idleCpuUs');
  });

  it('is unknown for a load that did not start or did not end', async () => {
    const { watch } = watched(1);
    expect(await watch.use()).toEqual({});
    await watch.ready(signal);
    expect(await watch.use()).toEqual({});
  });

  it('is no reason to wait on when the run is aborted', async () => {
    const { watch, events } = watched();
    const aborted = new AbortController();
    watch.idle(aborted.signal);
    aborted.abort(new Error('stopped'));
    await expect(watch.ready(aborted.signal)).rejects.toThrow('stopped');
    expect(events).toEqual([]);
  });
});
