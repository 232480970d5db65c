/**
 * Splits a duration into named parts without gaps: each mark ends the part since the mark before. The clock stops while
 * the client checks what it received, and the CPU time of the check is kept apart.
 */

export class PartClock {
  readonly #parts: Record<string, number> = {};
  #lastMs: number;
  #checkCpuUs = 0;

  constructor(nowMs = performance.now()) {
    this.#lastMs = nowMs;
  }

  /** Ends a part; parts of the same name add up. A mark before the last one counts as equal to it. */
  ends(part: string, nowMs = performance.now()): void {
    const atMs = Math.max(nowMs, this.#lastMs);
    this.#parts[part] = (this.#parts[part] ?? 0) + (atMs - this.#lastMs) * 1e3;
    this.#lastMs = atMs;
  }

  /** Runs work that is in no part. */
  outside(work: () => void): void {
    const [fromMs, cpu] = [performance.now(), process.cpuUsage()];
    work();
    const { user, system } = process.cpuUsage(cpu);
    this.#checkCpuUs += user + system;
    this.#lastMs += performance.now() - fromMs;
  }

  /** In µs. */
  get parts(): Record<string, number> {
    return { ...this.#parts };
  }

  /** Sum of the parts, in µs. */
  get durationUs(): number {
    return Object.values(this.#parts).reduce((sum, us) => sum + us, 0);
  }

  /** CPU time of the work outside, in µs. */
  get outsideCpuUs(): number {
    return this.#checkCpuUs;
  }
}
