/** The options of one kind of study: what the verb needs of them. `study-flags.ts` has the list of those that exist. */
import type { Choices } from '@topo-bench/experiment/read-inputs';
import type { Option } from 'commander';

export interface StudyOptions<Flags> {
  /** Section that experiments of this kind have. */
  section: string;
  /** A shipped experiment of this kind, for hints. */
  example: string;
  options(): Option[];
  /** The given flags, as a user writes them. */
  given(flags: Flags): string[];
  /**
   * What the flags change in the file.
   * @param set choices of `--set` by name
   * @throws TopoBenchError `TB_USAGE` for flags that exclude each other, or a choice of `--set`
   */
  choices(set: NonNullable<Choices['set']>, flags: Flags): Choices;
}
