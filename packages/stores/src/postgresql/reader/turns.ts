/** Turns at something that only so many may have at once; first in, first out. */
export class Turns {
  private readonly waiting = new Set<() => void>();

  constructor(private free: number) {}

  /** Waits for a turn. @returns gives it back; to be called once @throws the reason of the signal */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.free > 0) this.free--;
    else await this.wait(signal);
    return () => {
      const [next] = this.waiting;
      if (next) next();
      else this.free++;
    };
  }

  private wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.waiting.delete(take);
        reject(signal.reason);
      };
      const take = (): void => {
        this.waiting.delete(take);
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      this.waiting.add(take);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
