/** What a connector reports of a stream while it reads it, and the check that all of its rows arrived. */
import { FlightError } from '@topo-bench/arrow-flight';
import type { AirbyteMessage, StreamDescriptor } from '../protocol/messages.ts';

export class StreamProgress {
  readonly #stream: StreamDescriptor;
  #counted = 0;
  #isComplete = false;

  constructor(stream: StreamDescriptor) {
    this.#stream = stream;
  }

  /** Takes a message that is no record. @throws FlightError `unavailable` with the message of the connector */
  add(message: AirbyteMessage): void {
    if (message.type === 'STATE') {
      const { stream: of, sourceStats } = message.state;
      if (this.isOf(of.stream_descriptor)) this.#counted += sourceStats?.recordCount ?? 0;
    } else if (message.type === 'TRACE') {
      const { error, stream_status: status } = message.trace;
      if (error) throw new FlightError('unavailable', error.message);
      if (status && this.isOf(status.stream_descriptor)) this.#isComplete = status.status === 'COMPLETE';
    }
  }

  /** @param records that arrived @throws FlightError `data-loss` for an incomplete stream */
  requireWhole(records: number): void {
    if (this.#isComplete && this.#counted === records) return;
    const what = this.#isComplete ? `expected ${this.#counted}` : 'and no end of the stream';
    throw new FlightError('data-loss', `the rows of ${this.#stream.name} are incomplete: got ${records}, ${what}`);
  }

  /** Whether the stream is this one. */
  isOf({ name, namespace }: { name: string; namespace?: string | null | undefined }): boolean {
    return name === this.#stream.name && (namespace ?? undefined) === (this.#stream.namespace ?? undefined);
  }
}
