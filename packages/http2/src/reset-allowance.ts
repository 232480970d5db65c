/**
 * Bounds how fast a client may open streams and throw them away, which costs it little and its server much. Whoever cancels what it has
 * waited for stays far below.
 */

const burst = 1000;
const perSecond = 50;

export class ResetAllowance {
  private left = burst;
  private lastMs = performance.now();

  /** @returns whether one more is within the allowance */
  take(): boolean {
    const nowMs = performance.now();
    this.left = Math.min(burst, this.left + ((nowMs - this.lastMs) / 1000) * perSecond) - 1;
    this.lastMs = nowMs;
    return this.left >= 0;
  }
}
