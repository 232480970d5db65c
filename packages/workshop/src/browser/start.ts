/** What the document of the page contains: the files as they were, and a session if it was exported with one. */
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { Texts } from '../predict/read-topology.ts';

export interface Start {
  /** Name of the file, for texts. */
  file: string;
  texts: Texts;
  /** Whether the file belongs to the package: it is not saved. */
  isShipped: boolean;
  calibration: Calibration;
  /** What does not fit of it, or of those that were found, one sentence each. */
  remarks: string[];
  /** Cores of this machine, which measures. */
  hostCores: number;
  /** JSON schema of topology files, for completion. */
  schema: unknown;
  /** The same of rule files. */
  rulesSchema: unknown;
  version: string;
  /** Absent on the served page. */
  exported?: { session: unknown; at: string };
}
