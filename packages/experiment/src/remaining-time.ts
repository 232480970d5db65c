/** Remaining time of a run: the estimate for the open repetitions × (taken / estimated) of the finished ones. */
export class RemainingTime {
  #guessedDone = 0;
  #takenDone = 0;
  #guessedLeft: number;

  /** @param guessedSeconds estimate for the whole run */
  constructor(guessedSeconds: number) {
    this.#guessedLeft = guessedSeconds;
  }

  finished(guessedSeconds: number, takenSeconds: number): void {
    this.#guessedDone += guessedSeconds;
    this.#takenDone += takenSeconds;
    this.#guessedLeft = Math.max(0, this.#guessedLeft - guessedSeconds);
  }

  /** Adds work to the estimate; a negative value removes work. */
  added(guessedSeconds: number): void {
    this.#guessedLeft = Math.max(0, this.#guessedLeft + guessedSeconds);
  }

  get seconds(): number {
    const correction = this.#guessedDone > 0 ? this.#takenDone / this.#guessedDone : 1;
    return this.#guessedLeft * correction;
  }
}
