/** CPU time of the main thread of this process and its waits for a processor, read often: one system call each. */
import { closeSync, openSync, readSync } from 'node:fs';

/** `<ns on a processor> <ns waiting> <slices>` (Linux, Documentation/scheduler/sched-stats.rst). */
const path = '/proc/self/schedstat';

export class MainThreadTimes {
  readonly #buffer = Buffer.alloc(96);
  #file: number | undefined;
  /** Since the start of the process. */
  cpuUs = 0;
  /** Time as runnable while another thread used the processor. */
  waitUs = 0;
  /** Number of times that it got a processor. */
  slices = 0;

  /** Whether the system has these figures. */
  get isKnown(): boolean {
    return this.#file !== undefined;
  }

  open(): void {
    try {
      this.#file ??= openSync(path, 'r');
      this.read();
      // A system without scheduler figures shows zeros: this process has run.
      if (this.cpuUs === 0) this.close();
    } catch {
      this.close();
    }
  }

  /** Updates both figures. */
  read(): void {
    if (this.#file === undefined) return;
    const length = readSync(this.#file, this.#buffer, 0, this.#buffer.length, 0);
    const [cpuNs, waitNs, slices] = this.#buffer.toString('latin1', 0, length).split(' ', 3);
    this.cpuUs = Number(cpuNs) / 1e3;
    this.waitUs = Number(waitNs) / 1e3;
    this.slices = Number(slices);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
