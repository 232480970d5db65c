/** The heat maps of one repetition on a server: each job has one of its own, empty at first. */
import { randomBytes } from 'node:crypto';
import type { StoreEngine } from '@topo-bench/core';
import { createHeatMap, type HeatMapEntry, heatMapName, openHeatMap, removeHeatMap } from '@topo-bench/stores/heat-map';
import { withoutPasswords } from '@topo-bench/stores/servers/connection-strings';

const timeoutMs = 120_000;

export interface HeatMapContent {
  entries: HeatMapEntry[];
  storageBytes: number;
}

export class HeatMaps {
  readonly #server: { engine: StoreEngine; url: string };
  /** Runs on one server at the same time, also from several machines, must not share heat maps. */
  readonly #id = randomBytes(6).toString('hex');
  #created: string[] = [];

  constructor(server: { engine: StoreEngine; url: string }) {
    this.#server = server;
  }

  async create(): Promise<string> {
    const name = `stream-${this.#id}-${this.#created.length}`;
    this.#created.push(name);
    return createHeatMap({ ...this.#server, name });
  }

  async read(url: string): Promise<HeatMapContent> {
    const heatMap = await openHeatMap({ engine: this.#server.engine, url, connections: 1, timeoutMs });
    try {
      return { entries: await heatMap.range(0, Number.MAX_SAFE_INTEGER), storageBytes: await heatMap.storageBytes() };
    } finally {
      await heatMap.close();
    }
  }

  async storageBytes(url: string): Promise<number> {
    const heatMap = await openHeatMap({ engine: this.#server.engine, url, connections: 1, timeoutMs });
    try {
      return await heatMap.storageBytes();
    } finally {
      await heatMap.close();
    }
  }

  /** Removes all that it can. @returns a reason for each that is left, with its name */
  async remove(): Promise<string[]> {
    const created = this.#created;
    this.#created = [];
    const removals = await Promise.allSettled(created.map((name) => removeHeatMap({ ...this.#server, name })));
    return removals.flatMap((removal, at) => {
      if (removal.status === 'fulfilled') return [];
      const reason = withoutPasswords((removal.reason as Error).message);
      return `${heatMapName(created[at] as string)}: ${reason}`;
    });
  }
}
