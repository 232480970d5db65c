/** A semaphore: a limited number of turns, first in, first out. */
export class Turns {
  private readonly waiting = new Set<() => void>();

  constructor(private free: number) {}

  /** Waits for a turn. @returns releases the turn; must be called once @throws the reason of the signal */
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
      const abort = (): void => {
        this.waiting.delete(take);
        reject(signal.reason);
      };
      const take = (): void => {
        this.waiting.delete(take);
        signal.removeEventListener('abort', abort);
        resolve();
      };
      this.waiting.add(take);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
