/** The machines that a simulation stands for, and how narrow its intervals are to be. */
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { ClusterFile } from '@topo-bench/core/schema/cluster';

export interface SimulatedMachine {
  calibration: Calibration;
  /** Absent: all processes share the machine of the calibration. */
  cluster?: ClusterFile;
  /** Half the width of the interval of a median, as a share of it, at which replications end. */
  precision: number;
}
