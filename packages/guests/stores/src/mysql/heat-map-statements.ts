/** The statements of heat maps in MariaDB and MySQL. Values of rows are whole numbers, written into the text. */
import type { HeatMapRows } from '../heat-map/heat-map.ts';

export const heatMapTables = [
  `CREATE TABLE heat_map (
    cell BIGINT PRIMARY KEY,
    crossings BIGINT NOT NULL,
    event_time_ms BIGINT NOT NULL,
    INDEX heat_map_event_time (event_time_ms, cell)
  )`,
  `CREATE TABLE checkpoints (
    stream_partition INT PRIMARY KEY,
    position BIGINT,
    state LONGTEXT,
    owner BIGINT NOT NULL DEFAULT 0
  )`,
];

const entries = 'SELECT cell, crossings, event_time_ms FROM heat_map';

export const heatMapStatements = {
  save: `INSERT INTO checkpoints (stream_partition, position, state) VALUES (?, ?, ?)
    ON DUPLICATE KEY UPDATE position = VALUES(position), state = VALUES(state)`,
  saveAsOwner: 'UPDATE checkpoints SET position = ?, state = ? WHERE stream_partition = ? AND owner = ?',
  claim: `INSERT INTO checkpoints (stream_partition, owner) VALUES (?, 1)
    ON DUPLICATE KEY UPDATE owner = owner + 1`,
  claimed: 'SELECT owner, position, state FROM checkpoints WHERE stream_partition = ? FOR UPDATE',
  checkpoint: `SELECT stream_partition, position, state FROM checkpoints
    WHERE stream_partition = ? AND position IS NOT NULL`,
  analyze: 'ANALYZE TABLE heat_map',
  storage: `SELECT data_length + index_length AS bytes FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_name = 'heat_map'`,
  read: `${entries} WHERE cell = ?`,
  readMany: (cells: readonly number[]) => `${entries} WHERE cell IN (${cells.join(',')})`,
  range: `${entries} WHERE event_time_ms >= ? AND event_time_ms < ? ORDER BY event_time_ms, cell`,
} as const;

/** One statement for all rows; a prepared one would need a parameter for each value. */
export function addStatement({ count, cells, crossings, timesMs }: HeatMapRows): string {
  let tuples = '';
  for (let i = 0; i < count; i++) tuples += `${i > 0 ? ',' : ''}(${cells[i]},${crossings[i]},${timesMs[i]})`;
  return `INSERT INTO heat_map VALUES ${tuples} ON DUPLICATE KEY UPDATE
    crossings = crossings + VALUES(crossings), event_time_ms = GREATEST(event_time_ms, VALUES(event_time_ms))`;
}
