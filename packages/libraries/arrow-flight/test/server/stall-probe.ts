/**
 * Time in which this process did not run because the machine was busy with others: a timer of 1 ms that comes late by
 * more than what the process itself computed meanwhile. Subtracted from an interval, it leaves what our own code is
 * responsible for.
 */

const periodMs = 1;
/** Timers of an idle machine are late by less. */
const minStallMs = 5;

export class StallProbe {
  private stalled = 0;
  private atMs = performance.now();
  private cpu = process.cpuUsage();
  private readonly timer = setInterval(() => this.tick(), periodMs);

  /** Total of the stalls so far, in ms. */
  get stalledMs(): number {
    this.tick();
    return this.stalled;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const nowMs = performance.now();
    const { user, system } = process.cpuUsage(this.cpu);
    const lateMs = nowMs - this.atMs - periodMs - (user + system) / 1e3;
    if (lateMs > minStallMs) this.stalled += lateMs;
    this.atMs = nowMs;
    this.cpu = process.cpuUsage();
  }
}
