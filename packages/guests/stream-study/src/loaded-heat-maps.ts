/** Existing heat maps, to copy or to query: filled once on each server, and kept until the run ends. */
import type { StoreEngine } from '@topo-bench/core';
import { openHeatMap } from '@topo-bench/stores/heat-map';
import { heatMapEntries } from '@topo-bench/streams/map';
import type { StudyServer } from '@topo-bench/study-kit/study-servers';
import { HeatMaps } from './heat-maps.ts';

export interface ExistingHeatMap {
  engine: StoreEngine;
  entries: number;
  seed: number;
  timeoutMs: number;
}

const rowsPerWrite = 1000;
const connections = 2;

export class LoadedHeatMaps {
  readonly #loaded = new Map<string, { url: string; server: StudyServer; heatMaps: HeatMaps }>();

  /**
   * @returns the connection string of the heat map
   * @throws what `createHeatMap` and `HeatMap.add` throw, and the reason of the signal
   */
  async of(server: StudyServer, existing: ExistingHeatMap, signal: AbortSignal): Promise<string> {
    const { engine, entries, seed } = existing;
    // A server that was started again can have lost its data.
    const key = JSON.stringify([engine, server.url, server.revivals, entries, seed]);
    const known = this.#loaded.get(key);
    if (known) return known.url;
    const heatMaps = new HeatMaps({ engine, url: server.url });
    try {
      const url = await heatMaps.create();
      await fill(url, existing, signal);
      this.#loaded.set(key, { url, server, heatMaps });
      return url;
    } catch (error) {
      if (!server.death) await heatMaps.remove();
      throw server.failure(error);
    }
  }

  /** Removes all that it can. @returns a reason for each that is left, with its name */
  async remove(): Promise<string[]> {
    const loaded = [...this.#loaded.values()];
    this.#loaded.clear();
    const left = await Promise.all(loaded.map(({ server, heatMaps }) => (server.death ? [] : heatMaps.remove())));
    return left.flat();
  }
}

async function fill(url: string, { engine, entries, seed, timeoutMs }: ExistingHeatMap, signal: AbortSignal) {
  const heatMap = await openHeatMap({ engine, url, connections, timeoutMs });
  let from = 0;
  const write = async (): Promise<void> => {
    while (from < entries) {
      signal.throwIfAborted();
      const count = Math.min(rowsPerWrite, entries - from);
      const part = heatMapEntries({ seed, from, count });
      from += count;
      await heatMap.add(part);
    }
  };
  const stopped = (error: unknown): never => {
    // The other writer ends after its write in flight.
    from = entries;
    throw error;
  };
  try {
    const ends = await Promise.allSettled(Array.from({ length: connections }, () => write().catch(stopped)));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
  } finally {
    await heatMap.close();
  }
}
