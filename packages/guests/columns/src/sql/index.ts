/** Flight SQL over a `SqlSource`. */
export { SqlFlights } from './sql-flights.ts';
export { withSql } from './with-sql.ts';
