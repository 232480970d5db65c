/** Reads the usage of processes around the idle window, before the first request and after the last answer. */
import { hostClock, sleepUntil } from '@topo-bench/host';
import { type ProcessUse, processUse, type Reading, type Usages } from './process-use.ts';

/** By then the work left by the previous load is done, mainly closing sockets. */
const settleMs = 250;
const minIdleMs = 1000;

export class ProcessWatch {
  readonly #read: () => Promise<Usages>;
  #idleStart: Promise<Reading> | undefined;
  #idleEnd: Reading | undefined;
  #loadStart: Reading | undefined;
  #loadEnd: Promise<Reading> | undefined;

  /** @param read usage by group, since the start of the processes */
  constructor(read: () => Promise<Usages>) {
    this.#read = read;
  }

  /** Begins the idle window: no requests arrive from now on. Preparing the load takes about as long as the window. */
  idle(signal?: AbortSignal): void {
    this.#idleStart = sleepUntil(hostClock.nowUs() + settleMs * 1e3, signal).then(() => this.#reading());
    // The abort is reported elsewhere.
    this.#idleStart.catch(() => undefined);
  }

  /**
   * Ends the idle window once it is long enough; then the load may begin.
   * @param prepare last calls to the processes before the load; their cost is in neither window
   */
  async ready(signal: AbortSignal | undefined, prepare: () => Promise<void>): Promise<void> {
    const start = await this.#idleStart;
    if (start) {
      await sleepUntil((start.atMs + minIdleMs) * 1e3, signal);
      this.#idleEnd = await this.#reading();
    }
    await prepare();
    this.#loadStart = await this.#reading();
  }

  /** Ends the window of the load: the last answer has arrived. Only the first call counts. */
  drained(): void {
    if (this.#loadEnd) return;
    this.#loadEnd = this.#reading();
    // `use` reports a failure, unless the load has failed before it.
    this.#loadEnd.catch(() => undefined);
  }

  /** Usage by group, without groups that ended or that the host cannot read. */
  async use(): Promise<Record<string, ProcessUse>> {
    const [idleStart, loadEnd] = [await this.#idleStart, await this.#loadEnd];
    if (!this.#loadStart || !loadEnd) return {};
    return processUse([this.#loadStart, loadEnd], idleStart && this.#idleEnd && [idleStart, this.#idleEnd]);
  }

  async #reading(): Promise<Reading> {
    const usages = await this.#read();
    return { atMs: hostClock.nowUs() / 1e3, usages };
  }
}
