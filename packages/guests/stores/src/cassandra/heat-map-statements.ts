/** The CQL of heat maps in Cassandra. */

export function createKeyspace(name: string, replicas: number): string {
  return `CREATE KEYSPACE ${name} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': ${replicas}}`;
}

/** Rows of a cell by writer: only its writer changes a row, so a sum is written and never added to. */
export const heatMapTables = [
  `CREATE TABLE heat_map (cell bigint, writer text, crossings bigint, event_time_ms bigint,
    PRIMARY KEY (cell, writer)) WITH allow_auto_snapshot = false`,
  `CREATE INDEX heat_map_event_time ON heat_map (event_time_ms) USING 'sai'`,
  `CREATE TABLE checkpoints (partition int PRIMARY KEY, owner bigint, sequence bigint, position bigint, state text,
    pending blob) WITH allow_auto_snapshot = false`,
];

/** Statements in flight of one operation. */
export const statementsInFlight = 128;

export const heatMapStatements = {
  /** The row with the later time wins, in whatever order they arrive. */
  write: 'INSERT INTO heat_map (cell, writer, crossings, event_time_ms) VALUES (?, ?, ?, ?) USING TIMESTAMP ?',
  read: 'SELECT cell, crossings, event_time_ms FROM heat_map WHERE cell = ?',
  readOwn: 'SELECT cell, crossings, event_time_ms FROM heat_map WHERE cell = ? AND writer = ?',
  all: 'SELECT cell, crossings, event_time_ms FROM heat_map',
  cellsOfRange: 'SELECT cell FROM heat_map WHERE event_time_ms >= ? AND event_time_ms < ?',
  writers: 'SELECT writer FROM heat_map',
  load: 'SELECT owner, sequence, position, state, pending FROM checkpoints WHERE partition = ?',
  start: 'INSERT INTO checkpoints (partition, owner, sequence) VALUES (?, 0, 0) IF NOT EXISTS',
  claim: 'UPDATE checkpoints SET owner = ? WHERE partition = ? IF owner = ? AND sequence = ?',
  save: `UPDATE checkpoints SET position = ?, state = ?, pending = ?, sequence = ?
    WHERE partition = ? IF owner = ? AND sequence = ?`,
} as const;
