/** Real-time priority and cores that stay awake: both make times steadier, and neither is required. */
import { withoutRealTimePriority, withSleepingCores } from '@topo-bench/core';
import { mayGiveRealTimePriority, mayKeepCoresAwake } from '@topo-bench/host';
import type { MachineCheck } from '@topo-bench/study-kit/machine-check';

/** Ordinary privileges suffice for valid runs. The check names the effect of more. */
export async function privilegeCheck(): Promise<MachineCheck> {
  const name = 'privileges';
  const [realTime, awake] = await Promise.all([mayGiveRealTimePriority(), mayKeepCoresAwake()]);
  const found = `real-time priority ${realTime ? 'allowed' : 'not allowed'}, cores ${awake ? 'kept awake' : 'may sleep'}`;
  if (realTime && awake) {
    return {
      name,
      status: 'ok',
      found,
      effect: 'a busy host delays neither the load generator nor the clock of the gateway',
    };
  }
  const costs = [...(realTime ? [] : [withoutRealTimePriority]), ...(awake ? [] : [withSleepingCores])];
  return { name, status: 'limited', found, effect: costs.join('; '), remedy: privilegeRemedy(realTime, awake) };
}

function privilegeRemedy(realTime: boolean, awake: boolean): string {
  const root = process.getuid?.() === 0;
  const [priority, device] = root
    ? ['start the container with the capability SYS_NICE', 'start the container with the device /dev/cpu_dma_latency']
    : [
        'add "rtprio 1" and "nice -20" for the user to /etc/security/limits.conf',
        'let the user write /dev/cpu_dma_latency',
      ];
  return [...(realTime ? [] : [priority]), ...(awake ? [] : [device])].join('; ');
}
