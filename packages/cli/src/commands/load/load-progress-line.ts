/** Progress of a load on standard error: one live line on a terminal, else a line every ten seconds. */
import { counted, formatUs } from '@topo-bench/core';
import type { LiveLoad } from '@topo-bench/loadgen/load-url/load-url';

export interface LineOutput {
  write(text: string): void;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

const plainEverySeconds = 10;

export class LoadProgressLine {
  readonly #output: LineOutput;
  readonly #quiet: boolean;
  #lines = 0;

  constructor(output: LineOutput, { quiet }: { quiet: boolean }) {
    this.#output = output;
    this.#quiet = quiet;
  }

  show(live: LiveLoad): void {
    if (this.#quiet) return;
    const text = liveText(live);
    if (this.#output.isTTY) {
      this.#output.write(`\r\x1b[K${text.slice(0, (this.#output.columns || 80) - 1)}`);
    } else if (live.seconds + 0.5 >= this.#lines * plainEverySeconds) {
      // The first line comes at once: a log shows that the load has begun.
      this.#lines = Math.floor(live.seconds / plainEverySeconds) + 1;
      this.#output.write(`${text}\n`);
    }
  }

  /** Removes the live line. */
  close(): void {
    if (this.#output.isTTY && !this.#quiet) this.#output.write('\r\x1b[K');
  }
}

function liveText({ seconds, ofSeconds, answeredRps, medianUs, p95Us, errors }: LiveLoad): string {
  const times = Number.isNaN(medianUs) ? 'no answers' : `p50 ${formatUs(medianUs)}, p95 ${formatUs(p95Us)}`;
  const failed = counted(errors, 'error');
  return `${Math.round(seconds)}/${Number(ofSeconds.toFixed(1))} s: ${Math.round(answeredRps)} answers/s, ${times}, ${failed}`;
}
