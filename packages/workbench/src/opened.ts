/** What a workbench is made of: the texts of an experiment as read, and what is to be done with it. */
import type { TopoBenchError } from '@topo-bench/core';
import type { Choices, ExperimentInputs, ReadText } from '@topo-bench/experiment/read-inputs';
import type { SourceText } from '@topo-bench/topology';
import type { Study } from '@topo-bench/trial';

export interface Opened {
  /** Path of the experiment. */
  file: string;
  choices: Choices;
  studies: readonly Study[];
  read: ReadText;
  /** Absent when a text could not be read. */
  inputs?: ExperimentInputs;
  /** Why `inputs` are absent. */
  failure?: TopoBenchError;
  /** The text of the experiment, if at least that could be read. */
  source?: SourceText;
  /** The run to continue. */
  folder?: string;
  /** The condition of a search for the max rate, such as `p95<50ms`. */
  search?: string;
}
