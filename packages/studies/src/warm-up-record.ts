/** What a repetition records of the warm-up before it. */
import type { DeploymentHistory } from '@topo-bench/core/schema/result';
import type { WarmUpResult } from '@topo-bench/loadgen';

export interface WarmUpRecord {
  /** Whether throughput settled before the bound; true when no warm-up is wanted. */
  warm: boolean;
  /** Absent when no warm-up is wanted. */
  warmUp?: DeploymentHistory['warmUp'];
}

export function warmUpRecord({ warm, seconds, windows }: WarmUpResult): WarmUpRecord {
  return { warm, warmUp: { durationUs: seconds * 1e6, finalRps: windows.at(-1) ?? 0 } };
}
