/** The one answer of a child that is awaited. A failure is final: later questions reject with it. */
export class PendingAnswer<Answer> {
  #waiter: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  #failure: Error | undefined;

  /** Asks, and resolves with the next answer. */
  ask(question: () => void): Promise<Answer> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      question();
    });
  }

  /** @returns whether the answer was awaited */
  settle(answer: Answer): boolean {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.resolve(answer);
    return waiter !== undefined;
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#waiter?.reject(error);
    this.#waiter = undefined;
  }
}
