/** The requests of a replication as their client and their gateway see them: numbers in typed arrays. */

export class RequestTable {
  /** µs from the start of the load; NaN: never. Sent by the generator, answer read there. */
  readonly sentUs: Float64Array;
  readonly doneUs: Float64Array;
  /** Body parsed at the gateway, and last body of its flow parsed there. */
  readonly openedUs: Float64Array;
  readonly endedUs: Float64Array;
  /** 1: not sent, since too many requests were in flight. */
  readonly refused: Uint8Array;
  /** Requests that are due and have no answer yet. */
  open = 0;
  inFlight = 0;
  inFlightMax = 0;
  /** Longest time from the opening of a request to its end, or to the end of the simulation. */
  longestUs = 0;
  /** Integral of the requests in flight over time: requests · µs. */
  inFlightUs = 0;
  private changedUs = 0;

  constructor(
    readonly count: number,
    private readonly inFlightCap: number,
  ) {
    this.sentUs = new Float64Array(count).fill(Number.NaN);
    this.doneUs = new Float64Array(count).fill(Number.NaN);
    this.openedUs = new Float64Array(count).fill(Number.NaN);
    this.endedUs = new Float64Array(count).fill(Number.NaN);
    this.refused = new Uint8Array(count);
  }

  /** @returns whether the request is sent: the number in flight is below the cap */
  post(request: number, atUs: number): boolean {
    if (this.inFlight >= this.inFlightCap) {
      this.refused[request] = 1;
      this.open--;
      return false;
    }
    this.sentUs[request] = atUs;
    this.changeInFlight(1, atUs);
    if (this.inFlight > this.inFlightMax) this.inFlightMax = this.inFlight;
    return true;
  }

  opened(request: number, parsedUs: number): void {
    this.openedUs[request] = parsedUs;
  }

  responded(request: number, parsedUs: number): void {
    this.endedUs[request] = parsedUs;
    const us = parsedUs - (this.openedUs[request] as number);
    if (us > this.longestUs) this.longestUs = us;
  }

  collected(request: number, atUs: number): void {
    this.doneUs[request] = atUs;
    this.changeInFlight(-1, atUs);
    this.open--;
  }

  /** The simulation ends with requests that are still open. */
  end(atUs: number): void {
    if (this.open === 0) return;
    this.changeInFlight(0, atUs);
    for (let request = 0; request < this.count; request++) {
      if (!Number.isNaN(this.endedUs[request])) continue;
      const us = atUs - (this.openedUs[request] as number);
      if (us > this.longestUs) this.longestUs = us;
    }
  }

  private changeInFlight(change: number, atUs: number): void {
    this.inFlightUs += this.inFlight * (atUs - this.changedUs);
    this.changedUs = atUs;
    this.inFlight += change;
  }
}
