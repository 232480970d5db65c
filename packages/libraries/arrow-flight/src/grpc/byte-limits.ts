/** Bounds the bytes that peers make a server keep: per connection, and over all of them. */
import { FlightError } from '../errors.ts';

export interface ByteLimits {
  perConnection: number;
  perServer: number;
}

/** The bytes of one call. */
export interface ByteAccount {
  /**
   * Counts more bytes, or fewer if negative.
   * @throws FlightError `resource-exhausted` beyond a limit; then nothing is counted
   */
  add(bytes: number): void;
}

export class LimitedBytes {
  private readonly ofConnection = new Map<string, number>();
  private total = 0;

  /** @param what is counted, as in "unfinished messages" */
  constructor(
    private readonly what: string,
    private readonly hint: string,
    private readonly limits: ByteLimits,
  ) {}

  accountOf(connection: string): ByteAccount {
    return { add: (bytes) => this.add(connection, bytes) };
  }

  private add(connection: string, bytes: number): void {
    const ofConnection = (this.ofConnection.get(connection) ?? 0) + bytes;
    if (bytes > 0) {
      this.check(ofConnection, this.limits.perConnection, 'this connection');
      this.check(this.total + bytes, this.limits.perServer, 'this server');
    }
    this.total += bytes;
    if (ofConnection > 0) this.ofConnection.set(connection, ofConnection);
    else this.ofConnection.delete(connection);
  }

  private check(bytes: number, limit: number, where: string): void {
    if (bytes <= limit) return;
    throw new FlightError('resource-exhausted', `${this.what} on ${where} exceed ${limit} bytes`, { hint: this.hint });
  }
}
