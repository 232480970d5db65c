/** Positions of cycling trips, drawn or recorded, and the geohash cells that they are counted in. */
export * from './cycling-trips.ts';
export * from './geohash.ts';
