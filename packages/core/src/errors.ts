/** The one error class: a code, a message that names the offender, a hint and, for files, the place. */
import { type ErrorCode, errorCodes } from './error-codes.ts';
import type { ExitCode } from './exit-codes.ts';

/** A place in a file; line and column start at 1. */
export interface SourceLocation {
  file: string;
  line: number;
  column: number;
}

/** One finding about a file, as `validate --json` prints it. */
export interface Problem extends SourceLocation {
  code: ErrorCode;
  message: string;
  hint?: string;
  /** A warning does not make the file invalid. Default: `error`. */
  severity?: 'error' | 'warning';
}

export interface TopoBenchErrorOptions {
  hint?: string;
  location?: SourceLocation;
  /** All findings, when the error stands for several problems of one or more files. */
  problems?: readonly Problem[];
  cause?: unknown;
}

export class TopoBenchError extends Error {
  override readonly name = 'TopoBenchError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly location: SourceLocation | undefined;
  readonly problems: readonly Problem[];

  constructor(code: ErrorCode, message: string, options: TopoBenchErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.location = options.location;
    this.problems = options.problems ?? [];
  }

  /** Exit code of a command that ends with this error. */
  get exitCode(): ExitCode {
    return errorCodes[this.code];
  }
}

/** `file:line:column`, the form that editors and terminals make clickable. */
export function formatLocation({ file, line, column }: SourceLocation): string {
  return `${file}:${line}:${column}`;
}

/** The error as terminal text: one line per problem, then the hint. */
export function formatError(error: unknown): string {
  if (!(error instanceof TopoBenchError)) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const place = error.location ? `${formatLocation(error.location)}: ` : '';
  const lines = [`error ${error.code}: ${place}${error.message}`];
  for (const problem of error.problems) {
    lines.push(`  ${formatLocation(problem)}: ${problem.severity ?? 'error'} ${problem.code}: ${problem.message}`);
    if (problem.hint) lines.push(`    hint: ${problem.hint}`);
  }
  if (error.hint) lines.push(`hint: ${error.hint}`);
  return lines.join('\n');
}
