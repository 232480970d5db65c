/** The machine and runtime of this process: the facts that decide whether two runs are comparable. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import type { HostEnvironment } from '@topo-bench/core/schema/result';
import { usableCores } from './capacity.ts';

export function readHostEnvironment(): HostEnvironment {
  return {
    node: process.versions.node,
    platform: os.platform(),
    arch: os.arch(),
    cpuModel: os.cpus()[0]?.model.trim().replace(/\s+/g, ' ') || 'unknown',
    cores: usableCores(),
    memoryBytes: os.totalmem(),
    kernel: os.release(),
    hostname: createHash('sha256').update(os.hostname()).digest('hex').slice(0, 12),
  };
}

/** Identifies the running kernel: equal for all containers of one machine. Undefined on systems without it. */
export function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}
