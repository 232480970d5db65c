/**
 * Limits how fast a client may open and reset streams, which is cheap for the client and expensive for the server
 * (CVE-2023-44487). Ordinary cancellation stays far below the limit.
 */

const burst = 1000;
const perSecond = 50;

export class ResetAllowance {
  private left = burst;
  private lastMs = performance.now();

  /** @returns whether one more reset is allowed */
  take(): boolean {
    const nowMs = performance.now();
    this.left = Math.min(burst, this.left + ((nowMs - this.lastMs) / 1000) * perSecond) - 1;
    this.lastMs = nowMs;
    return this.left >= 0;
  }
}
