/** Heat maps: the port, and how to create and open them. */
export type * from './heat-map.ts';
export * from './open-heat-map.ts';
