/**
 * What a killed process left on an engine or cluster. Runners find it by label, and remove it on request only. What
 * belongs to a running process or another host is not left over.
 */
export interface Leftover {
  /** Label of the run that it belongs to. */
  run: string;
  /** Names by kind: `{ container: ['…', '…'], network: ['…'] }`, or `{ namespace: ['…'] }`. */
  objects: Readonly<Record<string, readonly string[]>>;
  /** Removes all objects of the run and resolves when they are gone. Two processes may call it at once. */
  remove(): Promise<void>;
}
