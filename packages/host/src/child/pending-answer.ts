/** The one pending answer of a child. A failure is final: later requests reject with it. */
export class PendingAnswer<Answer> {
  #waiter: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;
  #failure: Error | undefined;

  /** Sends a request, and resolves with the next answer. */
  ask(question: () => void): Promise<Answer> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      question();
    });
  }

  /** @returns whether a request was pending */
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
