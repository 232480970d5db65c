/** What `doctor` looks at: each check says what it found, what that limits, and the command that adds what is missing. */
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { promisify } from 'node:util';
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
    ...(await Promise.all([openFiles(), realTime(), coresAwake(), procfs(), docker(), kubectl(), chromium()])),
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

async function realTime(): Promise<MachineCheck> {
  const name = 'real-time';
  const probe = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const allowed = probe.pid !== undefined && (await giveRealTimePriority(probe.pid));
  probe.kill('SIGKILL');
  return allowed
    ? {
        name,
        status: 'ok',
        found: 'allowed',
        effect: 'a busy host delays neither the load generator nor the clock of the gateway',
      }
    : {
        name,
        status: 'limited',
        found: 'not allowed',
        effect:
          'while all cores are busy, requests leave late (repetitions with RTTs of a few ms may be invalid) and RTTs of overloaded cells come out too short',
        remedy: 'run as root, or add "rtprio 1" and "nice -20" for the user to /etc/security/limits.conf',
      };
}

async function coresAwake(): Promise<MachineCheck> {
  const name = 'cores-awake';
  const awake = await keepCoresAwake();
  await awake?.end();
  return awake
    ? { name, status: 'ok', found: 'allowed', effect: 'no process waits for a core that sleeps while load runs' }
    : {
        name,
        status: 'limited',
        found: 'not allowed, or not possible',
        effect: 'idle cores go to sleep, and waking them is part of every time: about 0.1 ms, on a busy virtual machine some ms',
        remedy: 'run as root on Linux, or let the user write /dev/cpu_dma_latency',
      };
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

async function docker(): Promise<MachineCheck> {
  const found = await firstLine('docker', ['version', '--format', '{{.Server.Version}}']);
  return optional('docker', found, 'no verb of this version needs it', 'https://docs.docker.com/engine/install/');
}

async function kubectl(): Promise<MachineCheck> {
  const found = await firstLine('kubectl', ['version', '--client']);
  return optional('kubectl', found, 'no verb of this version needs it', 'https://kubernetes.io/docs/tasks/tools/');
}

async function chromium(): Promise<MachineCheck> {
  for (const binary of ['chromium', 'chromium-browser', 'google-chrome']) {
    const found = await firstLine(binary, ['--version']);
    if (found) return optional('chromium', found, 'tests of the report page', '');
  }
  return optional('chromium', undefined, 'only tests of the report page; any browser opens it', 'apt-get install chromium');
}

function optional(name: string, found: string | undefined, effect: string, remedy: string): MachineCheck {
  return found ? { name, status: 'ok', found, effect } : { name, status: 'optional', found: 'not found', effect, remedy };
}

async function firstLine(binary: string, args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(binary, args, { timeout: 5000 });
    return stdout.split('\n')[0]?.trim() || undefined;
  } catch {
    return undefined;
  }
}
