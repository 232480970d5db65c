/** Files that experiments of one kind of study read, apart from topology and rules; e.g. recorded tracks. */
import type { SourceText } from '@topo-bench/topology';

/** Choices of the command line, by path or short name. */
export type ChosenFields = Readonly<Record<string, unknown>>;

/** Rejects a path that may not be read. */
export type Admit = (file: string) => Promise<unknown>;

export interface StudyInput {
  /**
   * Reads the files that the experiment or the choices name.
   * @param admit asked before each file is touched
   * @returns undefined without any, or where the fields that name them are faulty, which the schema reports
   * @throws TopoBenchError with a problem for each file that cannot be used
   */
  read(experiment: SourceText, chosen: ChosenFields, admit?: Admit): Promise<InputFiles | undefined>;
  /**
   * The files of a recorded run, as they are now.
   * @param folder of the run, for messages
   * @param record as `InputFiles.record` was
   * @throws TopoBenchError `TB_RUN_FOLDER_DIFFERENT_EXPERIMENT` for a file that has changed, `TB_FILE_NOT_FOUND`
   */
  readAgain(folder: string, experiment: SourceText, record: unknown): Promise<InputFiles>;
}

export interface InputFiles {
  /** The field of `run.json`: that of `StudyParts.input`. */
  readonly name: string;
  /** What `run.json` has of the files; a resumed run must find the same. */
  readonly record: unknown;
  /** The experiment, as plain data with the choices in it, with what follows from the files; e.g. their size. */
  completed(experiment: Readonly<Record<string, unknown>>, chosen: ChosenFields): Record<string, unknown>;
}
