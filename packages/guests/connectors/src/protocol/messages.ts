/** Messages of the Airbyte protocol v0 that a source sends, one JSON document in each line of standard output. */

export type AirbyteMessage =
  | { type: 'SPEC'; spec: ConnectorSpecification }
  | { type: 'CONNECTION_STATUS'; connectionStatus: { status: 'SUCCEEDED' | 'FAILED'; message?: string } }
  | { type: 'CATALOG'; catalog: { streams: readonly AirbyteStream[] } }
  | { type: 'RECORD'; record: AirbyteRecord }
  | { type: 'STATE'; state: StreamState }
  | { type: 'LOG'; log: { level: LogLevel; message: string } }
  | { type: 'TRACE'; trace: TraceMessage };

export type LogLevel = 'FATAL' | 'ERROR' | 'WARN' | 'INFO' | 'DEBUG' | 'TRACE';
export type SyncMode = 'full_refresh' | 'incremental';

export interface ConnectorSpecification {
  protocol_version: string;
  documentationUrl: string;
  supportsIncremental: boolean;
  supported_destination_sync_modes: readonly never[];
  /** JSON Schema of the configuration. */
  connectionSpecification: object;
}

export interface AirbyteStream {
  name: string;
  namespace?: string;
  /** JSON Schema of the data of its records. */
  json_schema: JsonObjectSchema;
  supported_sync_modes: readonly SyncMode[];
  source_defined_cursor: boolean;
  default_cursor_field?: readonly string[];
  source_defined_primary_key?: readonly (readonly string[])[];
}

export interface JsonObjectSchema {
  $schema?: string;
  type: 'object';
  properties: Readonly<Record<string, JsonColumnSchema>>;
  /** Our own keyword: names of the properties in the order of the columns. */
  arrow_order?: readonly string[];
}

/** Schema of one column. `type` has `null` next to the type of the values. */
export interface JsonColumnSchema {
  type: readonly string[];
  format?: string;
  airbyte_type?: string;
  contentEncoding?: string;
  [keyword: string]: unknown;
}

export interface ConfiguredCatalog {
  streams: readonly ConfiguredStream[];
}

export interface ConfiguredStream {
  stream: AirbyteStream;
  sync_mode: SyncMode;
  /** Path of the cursor; this program has cursors at the top level only. */
  cursor_field?: readonly string[];
  destination_sync_mode: 'append' | 'overwrite' | 'append_dedup';
}

export interface StreamDescriptor {
  name: string;
  namespace?: string;
}

export interface AirbyteRecord {
  stream: string;
  namespace?: string;
  data: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  emitted_at: number;
}

export interface StreamState {
  type: 'STREAM';
  stream: { stream_descriptor: StreamDescriptor; stream_state?: object };
  /** Records of the stream since the last state. */
  sourceStats?: { recordCount: number };
}

export type FailureType = 'config_error' | 'system_error' | 'transient_error';

export interface TraceMessage {
  type: 'ERROR' | 'ESTIMATE' | 'STREAM_STATUS' | 'ANALYTICS';
  /** Milliseconds since 1970. */
  emitted_at: number;
  error?: {
    message: string;
    internal_message?: string;
    failure_type: FailureType;
    stream_descriptor?: StreamDescriptor;
  };
  stream_status?: { stream_descriptor: StreamDescriptor; status: 'STARTED' | 'RUNNING' | 'COMPLETE' | 'INCOMPLETE' };
  analytics?: { type: string; value?: string };
}
