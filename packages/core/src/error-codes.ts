/**
 * Every error code of topo-bench with its exit code and meaning: the one table from which
 * `docs/errors.md` is generated and against which the code is checked.
 */
import { ExitCode } from './exit-codes.ts';

export interface ErrorCodeEntry {
  /** Exit code of a command that ends with this error. */
  exit: ExitCode;
  /** What it means, one sentence. */
  summary: string;
  /** What the user does about it, one sentence. */
  remedy: string;
}

export const errorCodes = {
  TB_INTERNAL: {
    exit: ExitCode.internal,
    summary: 'A fault of topo-bench itself.',
    remedy: 'Report it with the message, the stack trace and the file that led to it.',
  },
  TB_USAGE: {
    exit: ExitCode.badInput,
    summary: 'A command, argument or flag is unknown, missing or out of range.',
    remedy: 'Read the usage that `topo-bench <command> --help` prints.',
  },
  TB_UNIT_INVALID: {
    exit: ExitCode.badInput,
    summary: 'A duration, size or rate lacks its unit or cannot be read.',
    remedy: 'Write durations as `10ms` or `2s`, sizes as `64KiB`, rates as a number of requests per second.',
  },
  TB_LOAD_OUT_OF_RANGE: {
    exit: ExitCode.badInput,
    summary: 'A rate or duration of load is not positive, or together they ask for more requests than a schedule holds.',
    remedy: 'Choose a positive rate and duration, and split a load of more than 20 million requests into repetitions.',
  },
  TB_STATS_INPUT: {
    exit: ExitCode.internal,
    summary: 'A statistic was asked of values that it is not defined for.',
    remedy: 'Report it with the message; when samples were edited by hand, remove what is not a number.',
  },
  TB_INTERRUPTED: {
    exit: ExitCode.interrupted,
    summary: 'The user interrupted the command.',
    remedy: 'Finished repetitions are kept; continue with `topo-bench run --resume DIR`.',
  },
  TB_RUN_FOLDER_EXISTS: {
    exit: ExitCode.badInput,
    summary: 'The folder for a new run is not empty.',
    remedy: 'Choose another folder with `--out`, or continue the run in it with `--resume DIR`.',
  },
  TB_RUN_FOLDER_NOT_FOUND: {
    exit: ExitCode.badInput,
    summary: 'There is no run folder at this path.',
    remedy: 'Give the path of a folder that holds `run.json`.',
  },
  TB_RUN_FOLDER_NOT_A_FOLDER: {
    exit: ExitCode.badInput,
    summary: 'The path of a run folder leads to, or through, something that is not a folder.',
    remedy: 'Give the path of a folder, or remove the file that is in its place.',
  },
  TB_RUN_FOLDER_DAMAGED: {
    exit: ExitCode.badInput,
    summary: 'A file of a run folder is incomplete or does not have the shape that its schema version promises.',
    remedy: 'Restore the file from a copy, or measure again; the other files of the folder are untouched.',
  },
  TB_RUN_FOLDER_VERSION: {
    exit: ExitCode.badInput,
    summary: 'The run folder was written with another version of the result schema.',
    remedy: 'Read it with the topo-bench version that wrote it; `run.json` names that version.',
  },
  TB_RUN_FOLDER_LOCKED: {
    exit: ExitCode.badInput,
    summary: 'Another process is writing to this run folder.',
    remedy: 'Wait until that process ends, or write to another folder.',
  },
  TB_RUN_FOLDER_DIFFERENT_EXPERIMENT: {
    exit: ExitCode.badInput,
    summary: 'A run cannot continue because its experiment, topology or machine is not what it was started with.',
    remedy: 'Undo the change, or start a new run; results of different set-ups must not mix.',
  },
  TB_RUN_FOLDER_DISK_FULL: {
    exit: ExitCode.environment,
    summary: 'There is no room left where the run folder is; finished repetitions are kept.',
    remedy: 'Free some space and continue with `topo-bench run --resume DIR`.',
  },
  TB_RUN_FOLDER_NOT_WRITABLE: {
    exit: ExitCode.environment,
    summary: 'The run folder cannot be written: no permission, or a read-only file system.',
    remedy: 'Choose a folder that you may write to with `--out`, or change its permissions.',
  },
  TB_RUN_FOLDER_IO: {
    exit: ExitCode.environment,
    summary: 'The operating system refused to read or write a file of the run folder.',
    remedy: 'Look at the cause that the message names; finished repetitions are kept.',
  },
  TB_PUBLISHED_INVALID: {
    exit: ExitCode.badInput,
    summary: 'A file with published figures is missing or lacks a column that is needed.',
    remedy: 'Give a CSV file with a column per factor and `median_rtt_ms`, as `experiments/published/routing-study.csv` has.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof errorCodes;
