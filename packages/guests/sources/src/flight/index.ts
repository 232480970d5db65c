/** Tables over Arrow Flight. */

export { serveTables, type TablesEndpoint } from './serve-tables.ts';
export { servedSource } from './served-tables.ts';
