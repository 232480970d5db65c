/** Jobs whose last operator writes: generation and copy differ in their source alone. */
import { type EventSource, nullSink, runJob, type Sink, type StreamJob, type StreamResult } from '@topo-bench/streams';
import type { EngineSettings } from '../../job.ts';
import type { Task, TaskRun, Waits } from './task.ts';

const warmUpEvents = 100_000;
const warmUpRounds = 2;

export class WritingTask implements Task {
  readonly timesMs: Float64Array;
  readonly #settings: EngineSettings;
  readonly #waits: Waits;
  readonly #sourceOf: (count: number) => EventSource;
  readonly #close: () => Promise<void>;

  /** @param sourceOf a source of the first events */
  constructor(
    settings: EngineSettings,
    waits: Waits,
    timesMs: Float64Array,
    sourceOf: (count: number) => EventSource,
    close = async (): Promise<void> => {},
  ) {
    this.timesMs = timesMs;
    this.#settings = settings;
    this.#waits = waits;
    this.#sourceOf = sourceOf;
    this.#close = close;
  }

  async warmUp(): Promise<void> {
    const count = Math.min(warmUpEvents, this.timesMs.length);
    for (let round = 0; round < warmUpRounds; round++) await runJob(this.#job(count, nullSink));
  }

  run({ heatMap, count, timesUs, resume }: TaskRun): Promise<StreamResult> {
    return runJob({ ...this.#job(count, heatMap), timesUs, resume });
  }

  close(): Promise<void> {
    return this.#close();
  }

  #job(count: number, sink: Sink): StreamJob {
    const { windows, guarantee, partitions, rowsPerWrite } = this.#settings;
    return { source: this.#sourceOf(count), sink, windows, guarantee, partitions, rowsPerWrite, ...this.#waits };
  }
}
