/**
 * The port of heat maps: a table of crossings per cell, which stream operators add to and map queries read. A file per
 * database implements it (`<engine>/heat-map.ts`), and the contract in `test/fixtures/heat-map-contract.ts` is tested
 * on all of them. What implementations share is at the end.
 */
import type { StoreEngine } from '@topo-bench/core';
import type { PoolLimits } from '../connection-pool.ts';

/** One row of a heat map. */
export interface HeatMapEntry {
  /** Geohash cell as a whole number. */
  cell: number;
  crossings: number;
  /** Latest event time of the crossings, in ms since 1970. */
  timeMs: number;
}

/** Rows to add, in columns; the first `count` values of each count. Cells are distinct. */
export interface HeatMapRows {
  count: number;
  cells: Float64Array;
  crossings: Float64Array;
  timesMs: Float64Array;
}

/** Progress of one partition of a stream, kept in the store that it writes to. */
export interface StreamCheckpoint {
  partition: number;
  /** Events of the source that the rows in the store include. */
  position: number;
  /** State of the operators at this position, as text. */
  state: string;
  /** From `claim`: the checkpoint and its rows are saved only if no other job has claimed the partition since. */
  owner?: number | undefined;
}

/** A partition as its new owner finds it. */
export interface Claim {
  /** Higher than that of all earlier owners. */
  owner: number;
  /** The last saved one; no earlier owner can change it, or add rows, from now on. */
  checkpoint: StreamCheckpoint | undefined;
}

/**
 * Cells and event times are indexed. Every method throws StoreUnavailable (`TB_STORE_UNAVAILABLE`) or StoreBusy
 * (`TB_STORE_BUSY`), as those of `Store` do.
 */
export interface HeatMap {
  /**
   * Adds crossings to each cell and keeps the later event time, all rows or none. A checkpoint is saved in the same
   * transaction. Throws StoreClaimed (`TB_STORE_CLAIMED`), and adds nothing, when its owner is no longer that of the
   * partition. Without a checkpoint MongoDB, Cassandra, Ignite and HBase have no transaction: a call that fails may
   * have added some of the rows.
   */
  add(rows: HeatMapRows, checkpoint?: StreamCheckpoint): Promise<void>;
  read(cell: number): Promise<HeatMapEntry | undefined>;
  /** Entries of the cells that exist, in the order of the request. */
  readMany(cells: readonly number[]): Promise<HeatMapEntry[]>;
  /** Entries with `fromMs` ≤ event time < `toMs`, by event time, then by cell. */
  range(fromMs: number, toMs: number): Promise<HeatMapEntry[]>;
  /** @throws StoreClaimed */
  saveCheckpoint(checkpoint: StreamCheckpoint): Promise<void>;
  /** The last saved checkpoint of a partition. */
  checkpoint(partition: number): Promise<StreamCheckpoint | undefined>;
  /** Makes the caller the owner of a partition, after writes of the earlier owner that the server has begun. */
  claim(partition: number): Promise<Claim>;
  /**
   * Size of the entries with their indexes, as the server reports it. MongoDB: documents without compression.
   * Cassandra, Ignite and HBase: the sum of the values without indexes, from all rows.
   */
  storageBytes(): Promise<number>;
  /** Waits for operations in flight, closes every connection. */
  close(): Promise<void>;
}

export interface HeatMapModule {
  /**
   * Replaces the heat map of this name by an empty one. @returns its connection string
   * @throws StoreRefused when the server denies an operation
   */
  createHeatMap(url: string, live: string): Promise<string>;
  /**
   * Removes the heat map of this name, if it exists.
   * @throws StoreRefused when the server denies an operation
   */
  removeHeatMap(url: string, live: string): Promise<void>;
  /**
   * Whether the server can save rows and checkpoint together. Absent: it always can.
   * @throws the driver's error when the server does not answer
   */
  hasTransactions?(url: string): Promise<boolean>;
  /** Connects on first use. */
  openHeatMap(options: HeatMapOptions): HeatMap;
  /**
   * Name and version as the server reports them. Required of an engine without items, whose stores report it otherwise.
   * @throws the driver's error when the server does not answer
   */
  serverName?(url: string): Promise<string>;
  /** Reads a whole heat map. Absent: the engine is no source of copies. Connects on first use. */
  openReader?(options: Omit<HeatMapOptions, 'connections'>): HeatMapReader;
}

/** Reads a whole heat map in the order of cells, page by page. */
export interface HeatMapReader {
  /** @param after the last cell of the page before; −1 for the first page @returns up to `limit` entries */
  page(after: number, limit: number): Promise<HeatMapEntry[]>;
  /** @returns the cell at this place of the order, from 0; undefined beyond the last one */
  cellAt(place: number): Promise<number | undefined>;
  close(): Promise<void>;
}

export interface HeatMapOptions {
  engine: StoreEngine;
  /** Connection string from `createHeatMap`. */
  url: string;
  /** Connections. Operations that wait for one are not limited in number. */
  connections: number;
  /** Timeout of one operation, including the wait for a connection. */
  timeoutMs: number;
}

/** A stream waits for its store, so the number of waiting operations has no limit. */
export function poolLimits({ connections, timeoutMs }: HeatMapOptions): PoolLimits {
  return { size: connections, queueLimit: Number.MAX_SAFE_INTEGER, waitMs: timeoutMs, timeoutMs };
}

/** The rows of a checkpoint alone. */
export const noRows: HeatMapRows = {
  count: 0,
  cells: new Float64Array(0),
  crossings: new Float64Array(0),
  timesMs: new Float64Array(0),
};

/** Entries of a batch read in the order of the request: databases return them in any order, and each cell once. */
export function inOrderOf(cells: readonly number[], entries: readonly HeatMapEntry[]): HeatMapEntry[] {
  const byCell = new Map(entries.map((entry) => [entry.cell, entry]));
  return cells.flatMap((cell) => byCell.get(cell) ?? []);
}
