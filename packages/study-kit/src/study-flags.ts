/** Flags of `run` that one kind of study has, as data: the command line shows them, and knows none. */
import type { Choices } from '@topo-bench/experiment/read-inputs';

/** Values of flags by name, e.g. `table` or `flinkUrl`. */
export type FlagValues = Readonly<Record<string, unknown>>;

export interface StudyFlag {
  /** e.g. `--table <name>`. */
  flag: string;
  description: string;
}

export interface StudyFlags {
  /** Section that experiments of this kind have. */
  readonly section: string;
  /** A shipped experiment of this kind, for hints. */
  readonly example: string;
  /** Lines for the examples of `run`: a command, and what it does. */
  readonly examples: readonly (readonly [command: string, effect: string])[];
  /** Each changes the experiment. */
  readonly flags: readonly StudyFlag[];
  /** Each names a server, and changes nothing that is recorded. */
  readonly servers?: readonly StudyFlag[];
  /**
   * What the flags change in the file.
   * @param set choices of `--set` by name
   * @param given the flags with a value
   * @throws TopoBenchError `TB_USAGE` for flags that exclude each other, or a choice of `--set`
   */
  choices(set: NonNullable<Choices['set']>, given: FlagValues): Choices;
}
