/** What `doctor` looks at: each check says what it found, what that limits, and the command that adds what is missing. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { formatBytes } from '@topo-bench/core';
import { giveRealTimePriority, keepCoresAwake } from '@topo-bench/loadgen';
import { storeChecks } from './store-checks.ts';

export interface MachineCheck {
  name: string;
  /** `missing` only where a verb cannot run without it. */
  status: 'ok' | 'limited' | 'missing' | 'optional';
  found: string;
  /** What it is for, or what its lack costs. */
  effect: string;
  /** Command that adds what is missing. */
  remedy?: string;
}

const wanted = { cores: 2, memoryBytes: 2 * 1024 ** 3, openFiles: 4096 };

export async function checkMachine(): Promise<MachineCheck[]> {
  return [
    { name: 'node', status: 'ok', found: process.version, effect: 'runs every verb' },
    ownServices,
    cores(),
    memory(),
    ...(await Promise.all([openFiles(), privileges(), procfs()])),
    ...(await storeChecks()),
  ];
}

/** No property of the machine: what whoever brings a service of their own must know, where they look for it. */
const ownServices: MachineCheck = {
  name: 'own-services',
  status: 'ok',
  found: '`command` and `url`',
  effect:
    'a command compares the header x-topo-token of each call with its variable TOPO_BENCH_TOKEN, and answers 401 to others: they came past enforcement',
};

function cores(): MachineCheck {
  const found = os.availableParallelism();
  return found >= wanted.cores
    ? { name: 'cores', status: 'ok', found: String(found), effect: 'generator and services can run beside each other' }
    : {
        name: 'cores',
        status: 'limited',
        found: String(found),
        effect: 'the load generator competes with the services: expect host-saturated repetitions',
      };
}

function memory(): MachineCheck {
  const limit = process.constrainedMemory();
  const bytes = limit && limit < os.totalmem() ? limit : os.totalmem();
  const processes = Math.floor((bytes * 0.7) / (60 * 1024 ** 2));
  return {
    name: 'memory',
    status: bytes >= wanted.memoryBytes ? 'ok' : 'limited',
    found: formatBytes(bytes),
    effect: `room for about ${processes} processes of a local run`,
  };
}

async function openFiles(): Promise<MachineCheck> {
  const name = 'open-files';
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const limit = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  if (limit === undefined) return { name, status: 'optional', found: 'unknown', effect: 'high rates need many sockets' };
  if (limit === 'unlimited' || Number(limit) >= wanted.openFiles) {
    return { name, status: 'ok', found: limit, effect: 'enough sockets for high rates' };
  }
  const effect = `requests beyond about ${Math.floor(Number(limit) / 2)} in flight fail`;
  return { name, status: 'limited', found: limit, effect, remedy: `ulimit -n ${wanted.openFiles}` };
}

/** What an ordinary user lacks: runs are valid without it, and the line tells what it would add. */
async function privileges(): Promise<MachineCheck> {
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

async function procfs(): Promise<MachineCheck> {
  const name = '/proc';
  const readable = await readFile('/proc/stat', 'utf8').then(
    () => true,
    () => false,
  );
  return readable
    ? { name, status: 'ok', found: 'readable', effect: 'CPU of the host and memory of processes are measured' }
    : { name, status: 'limited', found: 'not available', effect: 'host CPU and memory are reported as not available' };
}
