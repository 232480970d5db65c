/** Choices of the command line, which change an experiment for one call. */
import type { Only } from './cells.ts';

export interface Choices {
  /**
   * Fields by path or short name, of the experiment or (`topology.…`) of the topology; a factor named here gets this
   * one level.
   */
  set?: Readonly<Record<string, unknown>>;
  only?: Only;
  /** Factors to leave out, by any of their names. Those that do not vary are ignored. */
  without?: readonly string[];
}
