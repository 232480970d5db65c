/**
 * The owner of an object on an engine or cluster: the process that created it, as a label. An object whose owner has
 * ended is left over. Objects of other hosts are never left over: their processes cannot be checked from here.
 */
import { createHash } from 'node:crypto';
import { processStartTime, readHostId } from '@topo-bench/host';

/** `ended` means for certain: on this host, and no longer running. */
export type OwnerState = 'running' | 'ended' | 'unknown';

/** Letters, digits and dots, at most 63 characters: a valid value of a label on Kubernetes too. */
export async function ownerLabel(pid: number = process.pid): Promise<string> {
  return [readHostId(), pid, labelPart((await processStartTime(pid)) ?? '')].join('.');
}

/** @param label value of `labels.owner`; undefined for an object without it */
export async function ownerState(label: string | undefined): Promise<OwnerState> {
  const [, host, pid, start] = /^([0-9a-f]{12})\.([1-9]\d*)\.(\w+)$/.exec(label ?? '') ?? [];
  if (host === undefined || host !== readHostId()) return 'unknown';
  const found = await processStartTime(Number(pid));
  return found !== undefined && labelPart(found) === start ? 'running' : 'ended';
}

/** Start times are numbers on Linux, and dates with spaces elsewhere. */
function labelPart(startTime: string): string {
  return /^\d+$/.test(startTime) ? startTime : createHash('sha256').update(startTime).digest('hex').slice(0, 12);
}
