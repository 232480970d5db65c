/** The record of the warm-up in a repetition. */
import type { DeploymentHistory } from '@topo-bench/core/schema/result';
import type { WarmUpResult } from '@topo-bench/loadgen';

export interface WarmUpRecord {
  /** Whether throughput settled before the timeout; true without a warm-up. */
  warm: boolean;
  /** Absent without a warm-up. */
  warmUp?: DeploymentHistory['warmUp'];
}

export function warmUpRecord({ warm, seconds, windows }: WarmUpResult): WarmUpRecord {
  return { warm, warmUp: { durationUs: seconds * 1e6, finalRps: windows.at(-1) ?? 0 } };
}
