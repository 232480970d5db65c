/** Labels of everything that topo-bench creates on a container engine or cluster, so that it is found again. */
export const labels = {
  /** Id of the run that owns the object. */
  run: 'dev.topo-bench.run',
  /** Host name, process id and start time of the process that created it: the object is left over once it has ended. */
  owner: 'dev.topo-bench.owner',
  /** Name of the role. */
  role: 'dev.topo-bench.role',
  /** Name of the volume, for the claim that is to be bound to it. */
  volume: 'dev.topo-bench.volume',
} as const;
