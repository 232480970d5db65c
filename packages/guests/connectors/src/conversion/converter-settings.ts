/** Documents of the programs with a Flight server, and of the connector that feeds one. */
import type { CompressionName } from '@topo-bench/arrow-flight/ipc';
import type { SourceTable } from '@topo-bench/sources';

/** Path and ticket of the table that an exporter serves. */
export const exportedStream = 'table';

export type Compression = 'none' | CompressionName;

/** Document of every program with a Flight server. */
export interface FlightSettings {
  host: string;
  /** 0 for a free port. */
  flightPort: number;
  /** Password of the user `topo-bench` for Flight. */
  flightToken: string;
  /** Codec for the buffers of record batches. */
  compression: Compression;
  /** Rows of a record batch. */
  batchRows: number;
}

export interface ConverterSettings extends FlightSettings {
  /** 0 for a free port. */
  inputPort: number;
  /** First line of an accepted input. */
  inputToken: string;
}

export interface ExporterSettings extends FlightSettings {
  /** As the program reaches it; it may contain a password. */
  table: SourceTable;
  /** Connections to the store that share the read. */
  connections: number;
  /** Ends the read after this number of rows; absent: all. */
  limitRows?: number;
}

/** First line of the output of a program with a Flight server. */
export interface ServerReady {
  flightPort: number;
  /** Present for a converter. */
  inputPort?: number;
}

/** Document of `--deliver-to`. */
export interface DeliveryAddress {
  host: string;
  port: number;
  token: string;
}

export const flightUser = 'topo-bench';
