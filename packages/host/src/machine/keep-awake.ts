/**
 * Cores that do not sleep. An idle core goes to sleep, and who is woken on it waits until it has woken up: about 0.1 ms per wake-up on a
 * virtual machine, and for milliseconds when its host has meanwhile given the core to another (figures in docs/decisions/0020-cores-kept-awake.md).
 */
import { open, readFile } from 'node:fs/promises';

/** As long as somebody holds this file open, no core takes longer to wake up than the µs that were written (Linux's PM QoS). */
const latencyFile = '/dev/cpu_dma_latency';
/** Who puts cores to sleep: `none` where the system does not, or has no say in how. */
const driverFile = '/sys/devices/system/cpu/cpuidle/current_driver';

export interface Wakefulness {
  /** Cores may sleep again, unless others keep them awake; so they may when the process ends, however it does. */
  end(): Promise<void>;
}

/**
 * Keeps all cores of this host from sleeping (Linux). They wait for work in the kernel's idle loop, after all work there is, and count as idle; on a
 * virtual machine, its host sees them at work.
 * @returns undefined where the system does not allow it (the file is root's, unless the administrator says otherwise) or cannot do it
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
