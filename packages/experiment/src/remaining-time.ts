/**
 * How long a run will go on: the guess for what remains, corrected by experience: × (taken / guessed) of what is
 * finished.
 */
export class RemainingTime {
  #guessedDone = 0;
  #takenDone = 0;
  #guessedLeft: number;

  /** @param guessedSeconds guess for the whole run */
  constructor(guessedSeconds: number) {
    this.#guessedLeft = guessedSeconds;
  }

  finished(guessedSeconds: number, takenSeconds: number): void {
    this.#guessedDone += guessedSeconds;
    this.#takenDone += takenSeconds;
    this.#guessedLeft = Math.max(0, this.#guessedLeft - guessedSeconds);
  }

  /** There is more to do than was thought; negative: less. */
  added(guessedSeconds: number): void {
    this.#guessedLeft = Math.max(0, this.#guessedLeft + guessedSeconds);
  }

  get seconds(): number {
    const correction = this.#guessedDone > 0 ? this.#takenDone / this.#guessedDone : 1;
    return this.#guessedLeft * correction;
  }
}
