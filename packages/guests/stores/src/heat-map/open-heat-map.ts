/** Creates, opens and removes heat maps, and loads only the driver of their engine. */
import type { StoreEngine } from '@topo-bench/core';
import { liveName } from '../dataset-name.ts';
import { engines } from '../engines.ts';
import type { HeatMap, HeatMapOptions, HeatMapReader } from './heat-map.ts';

export interface CreateHeatMapOptions {
  engine: StoreEngine;
  /** URL of a server, with a user who may create and drop databases. */
  url: string;
  /** Distinguishes heat maps on one server; letters, digits and `-`. */
  name: string;
}

/**
 * Replaces the heat map of this name by an empty one. It must not be in use meanwhile. @returns its connection string
 * @throws StoreRefused when the server denies an operation
 */
export async function createHeatMap({ engine, url, name }: CreateHeatMapOptions): Promise<string> {
  const { createHeatMap } = await engines[engine].heatMap();
  return createHeatMap(url, heatMapName(name));
}

/** Its database, or the prefix of its keys. */
export function heatMapName(name: string): string {
  return liveName(`heat-map-${name}`);
}

/** Removes the heat map of this name, if it exists. @throws StoreRefused when the server denies an operation */
export async function removeHeatMap({ engine, url, name }: CreateHeatMapOptions): Promise<void> {
  const { removeHeatMap } = await engines[engine].heatMap();
  await removeHeatMap(url, heatMapName(name));
}

/**
 * Whether the server can save rows and checkpoint together. @param server URL of the server
 * @throws the driver's error when the server does not answer
 */
export async function hasTransactions({ engine, url }: Omit<CreateHeatMapOptions, 'name'>): Promise<boolean> {
  const { hasTransactions } = await engines[engine].heatMap();
  return (await hasTransactions?.(url)) ?? true;
}

/** With an unreachable database, this succeeds and operations fail. */
export async function openHeatMap(options: HeatMapOptions): Promise<HeatMap> {
  const { openHeatMap } = await engines[options.engine].heatMap();
  return openHeatMap(options);
}

/**
 * Reads a whole heat map in the order of cells. @returns undefined for an engine that is no source of copies
 */
export async function openReader(options: Omit<HeatMapOptions, 'connections'>): Promise<HeatMapReader | undefined> {
  const { openReader } = await engines[options.engine].heatMap();
  return openReader?.(options);
}
