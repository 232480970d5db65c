/** The processors of a simulation: hosts, and the host of each node. */

export interface Cluster {
  /** Speed relative to the machine of the calibration. */
  hosts: readonly { cores: number; speed: number }[];
  /** By node (index). Generators are on the host of the gateway. */
  hostOfNode: readonly number[];
}
