/** A table as the cells of a run read it: where it is, what it must yield, and the server that holds it. */
import type { ReachedContainer, TopoBenchError } from '@topo-bench/core';
import type { GroupReading } from '@topo-bench/loadgen';
import type { SourceTable } from '@topo-bench/sources';

/** Rows and checksum that a read must deliver. */
export interface ExpectedRows {
  rows: number;
  checksum: string;
  /** Where they are known from; ends a sentence: "expected 7 rows, as …". */
  origin: string;
}

export interface TableOfRun {
  /** May contain a password. */
  table: SourceTable;
  /** In words, without address. */
  name: string;
  /** Name and version as reported by the server; undefined for a file. */
  store: string | undefined;
  /** Host and port of a user-supplied server. */
  address: string | undefined;
  expected: ExpectedRows;
  /** Bytes of the columns as Arrow buffers, on average. */
  bytesPerRow: number;
  /** The database server, if it is a container: it joins the network of programs in containers. */
  containers: readonly ReachedContainer[];
  /** The database server's processes; empty where they are unknown. */
  usage(): Record<string, GroupReading>;
  /** Why the server ended; undefined while it runs. */
  death(): TopoBenchError | undefined;
}
