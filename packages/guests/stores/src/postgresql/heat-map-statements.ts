/** The statements of heat maps in PostgreSQL. Columns of rows are arrays: one parameter each for any number of rows. */

export const heatMapTables = [
  `CREATE TABLE heat_map (
    cell bigint PRIMARY KEY,
    crossings bigint NOT NULL,
    event_time_ms bigint NOT NULL
  )`,
  'CREATE INDEX heat_map_event_time ON heat_map (event_time_ms, cell)',
  `CREATE TABLE checkpoints (
    partition integer PRIMARY KEY,
    position bigint,
    state text,
    owner bigint NOT NULL DEFAULT 0
  )`,
];

/** Ordered: writers that lock common cells in different orders deadlock, which the server notices after a second. */
const addRows = (condition: string): string =>
  `INSERT INTO heat_map SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])${condition} ORDER BY 1
  ON CONFLICT (cell) DO UPDATE SET
    crossings = heat_map.crossings + excluded.crossings,
    event_time_ms = greatest(heat_map.event_time_ms, excluded.event_time_ms)`;

/** Without an owner, the last parameter is null. */
const saveAt = (first: number): string =>
  `INSERT INTO checkpoints VALUES ($${first}, $${first + 1}, $${first + 2}, coalesce($${first + 3}::bigint, 0))
  ON CONFLICT (partition) DO UPDATE SET position = excluded.position, state = excluded.state
    WHERE $${first + 3}::bigint IS NULL OR checkpoints.owner = $${first + 3}
  RETURNING partition`;

const entries = 'SELECT cell, crossings, event_time_ms FROM heat_map';

export const heatMapStatements = {
  add: { name: 'add', text: addRows('') },
  // One statement is one transaction, in one round trip.
  addWithCheckpoint: {
    name: 'add-with-checkpoint',
    text: `WITH saved AS (${saveAt(4)}), added AS (${addRows(' WHERE EXISTS (SELECT FROM saved)')})
      SELECT partition FROM saved`,
  },
  save: { name: 'save', text: saveAt(1) },
  checkpoint: {
    name: 'checkpoint',
    text: 'SELECT partition, position, state FROM checkpoints WHERE partition = $1 AND position IS NOT NULL',
  },
  // Waits for the transaction of an earlier owner that has begun to save.
  claim: {
    name: 'claim',
    text: `INSERT INTO checkpoints (partition, owner) VALUES ($1, 1)
      ON CONFLICT (partition) DO UPDATE SET owner = checkpoints.owner + 1
      RETURNING owner, partition, position, state`,
  },
  storage: { name: 'storage', text: "SELECT pg_total_relation_size('heat_map') AS bytes" },
  read: { name: 'read', text: `${entries} WHERE cell = $1` },
  readMany: { name: 'read-many', text: `${entries} WHERE cell = ANY($1::bigint[])` },
  page: { name: 'page', text: `${entries} WHERE cell > $1 ORDER BY cell LIMIT $2` },
  cellAt: { name: 'cell-at', text: 'SELECT cell FROM heat_map ORDER BY cell OFFSET $1 LIMIT 1' },
  range: {
    name: 'range',
    text: `${entries} WHERE event_time_ms >= $1 AND event_time_ms < $2 ORDER BY event_time_ms, cell`,
  },
} as const;

/** An array of whole numbers in the server's text format: the driver's own conversion quotes each element. */
export function bigintArray(values: Float64Array, count: number): string {
  return `{${values.subarray(0, count).join(',')}}`;
}
