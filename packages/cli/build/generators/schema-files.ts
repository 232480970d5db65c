/** The files of topo-bench that have a schema: user input and the files of a run folder. */
import { calibrationFile } from '@topo-bench/core/schema/calibration';
import { clusterFile } from '@topo-bench/core/schema/cluster';
import { confirmationFile } from '@topo-bench/core/schema/confirmation';
import { decisionDocument } from '@topo-bench/core/schema/decision';
import { experimentFile } from '@topo-bench/core/schema/experiment';
import { cell, runRecord } from '@topo-bench/core/schema/result';
import { rulesFile } from '@topo-bench/core/schema/rules';
import { topologyFile } from '@topo-bench/core/schema/topology';
// Kinds of study add their fields.
import '@topo-bench/studies';
import { z } from 'zod';

export interface SchemaFile {
  /** `docs/schema/<name>.schema.json`. */
  name: string;
  /** Heading on the reference page. */
  heading: string;
  schema: z.ZodType;
}

export const schemaFiles: readonly SchemaFile[] = [
  { name: 'topology', heading: 'Topology file', schema: topologyFile },
  { name: 'rules', heading: 'Rule file', schema: rulesFile },
  { name: 'experiment', heading: 'Experiment file', schema: experimentFile() },
  { name: 'calibration', heading: 'Calibration file', schema: calibrationFile },
  { name: 'confirmation', heading: 'Confirmation file', schema: confirmationFile },
  { name: 'decision', heading: 'Document of `decide --json`', schema: decisionDocument },
  { name: 'cluster', heading: 'Cluster file', schema: clusterFile },
  { name: 'run', heading: '`run.json`', schema: runRecord() },
  { name: 'cell', heading: 'Entry of `cells.json`', schema: cell() },
];

/** JSON Schema of the input format, units included. Editors support draft 7 best. */
export function fileSchema({ schema }: SchemaFile): Record<string, unknown> {
  return z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
}
