/** Meaning and remedy of the errors of sources, connectors and reads of whole tables, for `docs/errors.md`. */
import type { ErrorText } from '@topo-bench/core/error-texts';

export const accessErrorTexts = {
  TB_ACCESS_CLIENT: {
    summary: 'The process that reads a table in a data-access experiment ended before its read, or its read failed.',
    remedy: 'See the reason in the message; the run continues with the next repetition.',
  },
  TB_EXPERIMENT_ACCESS: {
    summary: 'Settings of a data-access experiment contradict each other.',
    remedy: 'Give `own` data that its source has, and options to the variants that have them.',
  },
  TB_CONNECTOR_FAILED: {
    summary: 'A source connector, or the program that converts its rows, failed or was ended before it was done.',
    remedy: 'Read its error in the message: correct address, login or table, or start the store, then read again.',
  },
  TB_CONNECTOR_INCOMPLETE: {
    summary: 'Part of the output of a source connector was lost on the way.',
    remedy: 'Read again; when it happens in pods again, raise the size at which the cluster rotates logs.',
  },
  TB_SOURCE_DAMAGED: {
    summary: 'A file of data is truncated, or its contents contradict each other.',
    remedy: 'Write or copy the file again.',
  },
  TB_SOURCE_DISK_FULL: {
    summary: 'The disk of a store or of a temporary file is full while a table is loaded. Nothing of it is left.',
    remedy:
      'Free space, load fewer rows, or name a larger folder for temporary files with `TMPDIR`; then continue the run with `--resume`, which keeps its finished repetitions.',
  },
  TB_SOURCE_LOAD: {
    summary: 'A table cannot be loaded into a store. Nothing of it is left under its name.',
    remedy: 'Read the reason in the message; grant the right to create tables, or read the log of the server.',
  },
  TB_SOURCE_LOST: {
    summary: 'A store ended in the middle of a read. No partial result is used.',
    remedy: 'Read the log of the server, start it again, and repeat the read.',
  },
  TB_SOURCE_NOT_FOUND: {
    summary: 'A database, table or collection that is to be read does not exist.',
    remedy: 'Correct its name, or load it first.',
  },
  TB_SOURCE_QUERY: {
    summary: 'The store rejects the query of a source.',
    remedy: 'Correct the query, or give its user the right to read the table.',
  },
  TB_SOURCE_TYPE: {
    summary: 'A column has a type that no Arrow type represents here.',
    remedy: 'Read the table through a query that casts the column, as the hint shows.',
  },
  TB_SOURCE_VALUE: {
    summary: 'A value does not fit the type of its column.',
    remedy: 'Correct the value that the message names, or cast its column in a query.',
  },
} as const satisfies Record<string, ErrorText>;
