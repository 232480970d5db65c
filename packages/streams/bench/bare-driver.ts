/** One connection of a bare driver that writes what a heat map writes. */
import type { HeatMapRows, StreamCheckpoint } from '@topo-bench/stores/heat-map';

export interface Write {
  rows: HeatMapRows;
  checkpoint: StreamCheckpoint;
}

export interface BareDriver {
  write(write: Write): Promise<unknown>;
  close(): Promise<unknown>;
}
