/**
 * Keeps cores from sleeping. A thread on a sleeping core waits until the core has woken up: about 0.1 ms on a virtual
 * machine, and milliseconds when the hypervisor has given the core to another machine (figures in
 * docs/internals/measuring.md).
 */
import { open, readFile } from 'node:fs/promises';

/** While a process keeps this file open, no core takes longer to wake up than the written µs (Linux's PM QoS). */
const latencyFile = '/dev/cpu_dma_latency';
/** The component that puts cores to sleep; `none` where the system does not, or has no control over it. */
const driverFile = '/sys/devices/system/cpu/cpuidle/current_driver';

export interface Wakefulness {
  /** Allows the cores to sleep again, unless another process keeps them awake. The end of the process does the same. */
  end(): Promise<void>;
}

/**
 * Keeps all cores of this host from sleeping (Linux). They poll for work in the kernel's idle loop at the lowest
 * priority, and count as idle; a hypervisor sees them busy.
 * @returns undefined where the system does not allow it (by default only root may open the file) or does not support it
 */
export async function keepCoresAwake(): Promise<Wakefulness | undefined> {
  try {
    if ((await readFile(driverFile, 'utf8')).trim() === 'none') return undefined;
    const held = await open(latencyFile, 'r+');
    try {
      await held.write(new Int32Array([0]));
    } catch (error) {
      await held.close();
      throw error;
    }
    return { end: () => held.close() };
  } catch {
    return undefined;
  }
}

/** Whether the system allows it. */
export async function mayKeepCoresAwake(): Promise<boolean> {
  const awake = await keepCoresAwake();
  await awake?.end();
  return awake !== undefined;
}
