/** What `doctor` finds for single kinds of study. */
import { streamChecks } from '@topo-bench/stream-study/machine-checks';
import type { MachineCheck } from '@topo-bench/study-kit/machine-check';
import { pyarrowCheck } from '@topo-bench/transfer-study/pyarrow-check';

export async function studyChecks(): Promise<MachineCheck[]> {
  return [...(await streamChecks()), await pyarrowCheck()];
}
