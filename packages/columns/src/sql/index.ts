/** Flight SQL over a `SqlSource`. */
export { besideSql } from './beside-sql.ts';
export { SqlFlights } from './sql-flights.ts';
