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
  TB_INTERRUPTED: {
    exit: ExitCode.interrupted,
    summary: 'The user interrupted the command.',
    remedy: 'Finished repetitions are kept; continue with `topo-bench run --resume DIR`.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof errorCodes;
