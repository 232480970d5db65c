/** The part of the driver's connection that a statement uses; the published types belong to an older release. */
import type { Duplex } from 'node:stream';

export interface WireField {
  name: string;
  dataTypeID: number;
  dataTypeModifier: number;
}

export interface WireConnection {
  readonly stream: Duplex;
  parse(query: { text: string }): void;
  describe(what: { type: 'S' }): void;
  bind(config: { values: readonly (string | null)[]; valueMapper(value: unknown): unknown }): void;
  execute(config: object): void;
  flush(): void;
  sync(): void;
  on(event: 'parameterDescription' | 'noData', listener: (message: { dataTypeIDs?: number[] }) => void): void;
}
