/**
 * The use of this process as it reports it to another host, where its entries in `/proc` and its control group cannot
 * be read.
 */
import type { CgroupUsage } from '../cgroup/cgroup.ts';
import { findCgroup } from '../cgroup/find-cgroup.ts';
import { readPssBytes } from './process-memory.ts';
import { readStartedUsage } from './process-tree.ts';
import { type GroupUsage, type ProcessUsage, readProcessUsage } from './process-usage.ts';

export interface OwnUsage {
  process?: ProcessUsage;
  /** Proportional set size, if requested. */
  pssBytes?: number;
  /** Its container. */
  cgroup?: CgroupUsage;
  /** Processes that it started. */
  started?: GroupUsage;
}

export interface OwnUsageOptions {
  /** Takes 1 ms or more. */
  pss?: boolean;
  /** Reads the list of all processes. */
  started?: boolean;
}

export function readOwnUsage({ pss, started }: OwnUsageOptions): OwnUsage {
  const process = readProcessUsage(globalThis.process.pid);
  const pssBytes = pss ? readPssBytes(globalThis.process.pid) : undefined;
  const cgroup = findCgroup('self')?.usage();
  const startedUsage = started ? readStartedUsage(globalThis.process.pid) : undefined;
  return {
    ...(process && { process }),
    ...(pssBytes !== undefined && { pssBytes }),
    ...(cgroup && { cgroup }),
    ...(startedUsage && { started: startedUsage }),
  };
}
