/**
 * Waiting for a time in µs although the platform's timers resolve 1 ms: the error of each wait is carried to the next, so that the
 * mean is right without spinning on a core that others measure. A single wait is off by up to about 1 ms.
 */
import type { Clock } from '@topo-bench/core/clock';

// Later than this is a busy process, not the timer: not to be made up for by waiting too little next time.
const timerErrorUs = 2000;

export class PreciseSleep {
  private lateUs = 0;

  constructor(private readonly clock: Clock) {}

  async sleep(us: number): Promise<void> {
    const startUs = this.clock.nowUs();
    const ms = Math.floor((us - this.lateUs) / 1000);
    await new Promise<void>((resolve) => {
      if (ms < 1) setImmediate(resolve);
      else setTimeout(resolve, ms);
    });
    this.lateUs += Math.min(this.clock.nowUs() - startUs - us, timerErrorUs);
    this.lateUs = Math.max(-timerErrorUs, Math.min(this.lateUs, timerErrorUs));
  }
}
