/** CPU profiles of the programs of a deployment, as V8 takes them by sampling. */

/** `Profiler.Profile` of the Chrome DevTools Protocol, as far as it is read. */
export interface CpuProfile {
  nodes: readonly CpuProfileNode[];
  /** Ids of the nodes that ran. */
  samples: readonly number[];
  /** Time before each sample in µs, from the start of the profile or from the sample before. */
  timeDeltas: readonly number[];
}

/** A function on a stack of callers. */
export interface CpuProfileNode {
  id: number;
  /** `url` is empty for code of V8 and Node.js that is not JavaScript; `lineNumber` counts from 0. */
  callFrame: { functionName: string; url: string; lineNumber: number };
  /** Ids of the functions that it called. */
  children?: readonly number[];
}

/** A thread of a Node.js program over the load. */
export interface ProgramProfile {
  /** Name of the role that it is, or that it belongs to. */
  role: string;
  /** Whether it is a role itself: code of topo-bench. */
  isRole: boolean;
  /** Its working directory. */
  folder: string;
  /** The script that it was started with; empty without one. */
  script: string;
  /** CPU time of the thread in the same time; absent where the system does not count it by thread. */
  cpuUs?: number;
  profile: CpuProfile;
}

export interface DeploymentProfile {
  programs: readonly ProgramProfile[];
  /** Roles and user-supplied services without a profile. */
  missing: readonly MissingProfile[];
}

export interface MissingProfile {
  role: string;
  /** Completes the sentence "`role` is not profiled: …". */
  why: string;
}
