/** The machine and runtime of this process: the facts that decide whether two runs are comparable. */
import { createHash } from 'node:crypto';
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
