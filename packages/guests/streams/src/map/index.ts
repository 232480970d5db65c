/** Heat maps that exist already, and queries of their users. */
export * from './heat-map-entries.ts';
export { cellsOfQuery, type MapQueries, maxQueries } from './map-queries.ts';
export * from './random-queries.ts';
export { realisticQueries } from './realistic-queries.ts';
