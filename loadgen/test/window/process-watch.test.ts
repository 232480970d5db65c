/** Which readings make the CPU time of a load; `measure-load.test.ts` has those around the idle window. */
import type { GroupUsage } from '@topo-bench/host';
import { describe, expect, it } from 'vitest';
import { ProcessWatch } from '../../src/window/process-watch.ts';

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
  it('is read without an idle window when none was begun', async () => {
    const { watch, events } = watched(1000, 4000);
    await watch.ready(signal, async () => undefined);
    watch.drained();
    // What comes later, such as the collection of results, is not in the window.
    watch.drained();
    const { service } = await watch.use();
    expect(events).toEqual(['read 1', 'read 2']);
    expect(service?.cpuUs).toBe(3000);
    expect(service).not.toHaveProperty('idleCpuUs');
  });

  it('is unknown for a load that did not start or did not end', async () => {
    const { watch } = watched(1);
    expect(await watch.use()).toEqual({});
    await watch.ready(signal, async () => undefined);
    expect(await watch.use()).toEqual({});
  });

  it('is no reason to wait on when the run is aborted', async () => {
    const { watch, events } = watched();
    const aborted = new AbortController();
    watch.idle(aborted.signal);
    aborted.abort(new Error('stopped'));
    await expect(watch.ready(aborted.signal, async () => undefined)).rejects.toThrow('stopped');
    expect(events).toEqual([]);
  });
});
