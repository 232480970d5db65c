/** The output of a program on its way to the consumer: time marks, bytes, and the report in the last line. */
import { endsWithReport, reportOf } from '../protocol/report.ts';
import type { LaunchMarks, ProgramEnd } from './launcher.ts';

/** More than a report and the TRACE message of an error before it. */
const tailBytes = 8192;

export class MeteredOutput implements AsyncIterable<Uint8Array> {
  /** Resolves when the iteration has ended, early or not. */
  readonly consumed: Promise<void>;
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #marks: LaunchMarks;
  #onRead: (() => void) | undefined;
  #finish: () => void = () => undefined;
  #bytes = 0;
  #tail: Buffer = Buffer.alloc(0);

  /** @param onRead called once, when the report has arrived or the iteration ends */
  constructor(source: AsyncIterable<Uint8Array>, marks: LaunchMarks, onRead?: () => void) {
    this.#source = source;
    this.#marks = marks;
    this.#onRead = onRead;
    this.consumed = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#source) {
        this.#marks.firstByteMs ??= performance.now();
        this.#bytes += chunk.length;
        this.#keep(chunk);
        if (this.#onRead && endsWithReport(this.#tail)) this.#hasRead();
        yield chunk;
      }
      this.#marks.lastByteMs = performance.now();
    } finally {
      this.#hasRead();
      this.#finish();
    }
  }

  /** Resolves `consumed` for a consumer that never begins. */
  abandon(): void {
    this.#finish();
  }

  /** What the output itself shows of the end of the program. */
  summary(): Pick<ProgramEnd, 'report' | 'outputBytes' | 'failure'> {
    const { report, failure, reportBytes } = reportOf(this.#tail);
    return {
      outputBytes: this.#bytes - reportBytes,
      ...(report && { report }),
      ...(failure !== undefined && { failure }),
    };
  }

  #hasRead(): void {
    this.#onRead?.();
    this.#onRead = undefined;
  }

  #keep(chunk: Uint8Array): void {
    const all = chunk.length >= tailBytes ? chunk : Buffer.concat([this.#tail, chunk]);
    // A copy: a view would keep the whole chunk in memory.
    this.#tail = Buffer.from(all.subarray(Math.max(0, all.length - tailBytes)));
  }
}
