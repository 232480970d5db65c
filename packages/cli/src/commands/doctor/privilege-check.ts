/** Real-time priority and cores that stay awake: both make times steadier, neither is needed. */
import { spawn } from 'node:child_process';
import { giveRealTimePriority, keepCoresAwake } from '@topo-bench/host';
import type { MachineCheck } from './machine-check.ts';

/** Privileges of an ordinary user suffice for valid runs; the check names what more would add. */
export async function privilegeCheck(): Promise<MachineCheck> {
  const name = 'privileges';
  const [realTime, awake] = await Promise.all([mayRaisePriority(), mayKeepCoresAwake()]);
  const found = `real-time priority ${realTime ? 'allowed' : 'not allowed'}, cores ${awake ? 'kept awake' : 'may sleep'}`;
  if (realTime && awake) {
    return { name, status: 'ok', found, effect: 'a busy host delays neither the load generator nor the clock of the gateway' };
  }
  const costs = [
    ...(realTime ? [] : ['on a busy host some requests leave late, and their repetitions are measured again']),
    ...(awake ? [] : ['waking an idle core is part of every time: about 0.1 ms, on a busy virtual machine some ms']),
  ];
  return { name, status: 'limited', found, effect: costs.join('; '), remedy: privilegeRemedy(realTime, awake) };
}

function privilegeRemedy(realTime: boolean, awake: boolean): string {
  const root = process.getuid?.() === 0;
  const [priority, device] = root
    ? ['start the container with the capability SYS_NICE', 'start the container with the device /dev/cpu_dma_latency']
    : ['add "rtprio 1" and "nice -20" for the user to /etc/security/limits.conf', 'let the user write /dev/cpu_dma_latency'];
  return [...(realTime ? [] : [priority]), ...(awake ? [] : [device])].join('; ');
}

async function mayRaisePriority(): Promise<boolean> {
  const probe = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const allowed = probe.pid !== undefined && (await giveRealTimePriority(probe.pid, [probe.pid]));
  probe.kill('SIGKILL');
  return allowed;
}

async function mayKeepCoresAwake(): Promise<boolean> {
  const awake = await keepCoresAwake();
  await awake?.end();
  return awake !== undefined;
}
