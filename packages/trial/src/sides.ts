/** The two sides of a gate. */
export const sideNames = ['baseline', 'candidate'] as const;
export type SideName = (typeof sideNames)[number];
export type Sides<T> = Record<SideName, T>;
