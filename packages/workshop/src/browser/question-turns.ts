/**
 * When a question is asked: at once, or after the first figures of the one before it. So figures follow a slider while
 * it moves, and values that it has passed meanwhile are not asked.
 */
const maxWaitMs = 150;

export class QuestionTurns {
  /** Asks the newest question, while it waits. */
  #next: (() => void) | undefined;
  #waitUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param ask called now or later, unless another one comes before */
  take(ask: () => void): void {
    this.#next = ask;
    const leftMs = this.#waitUntil - performance.now();
    if (leftMs <= 0) this.answered();
    else this.#timer ??= setTimeout(() => this.answered(), leftMs);
  }

  /** The question that was asked last has figures, or will have none. */
  answered(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ask = this.#next;
    this.#next = undefined;
    this.#waitUntil = ask ? performance.now() + maxWaitMs : 0;
    ask?.();
  }
}
