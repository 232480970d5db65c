/** Puts measured repetitions into the run folder: requests and spans first, then the entry that makes them count. */
import type { Cell } from '@topo-bench/core/schema/result';
import { RequestsFile, type RunWriter, writeSpans } from '@topo-bench/results';
import type { MeasuredRepetition } from '@topo-bench/trial';

export class RepetitionStore {
  readonly #writer: RunWriter;
  #requests: RequestsFile | undefined;

  constructor(writer: RunWriter) {
    this.#writer = writer;
  }

  /**
   * @param withItsRound the cell took turns with others
   * @returns the entry as stored
   */
  async add({ entry, samples, requests, spans }: MeasuredRepetition, withItsRound: boolean): Promise<Cell> {
    // An entry marks its repetition as finished.
    if (requests.length > 0) {
      this.#requests ??= await RequestsFile.open(this.#writer.folder);
      await this.#requests.append({ repetition: entry.repetition }, requests);
    }
    await writeSpans(this.#writer.folder, this.#writer.nextSamplesPath(entry.factors, entry.repetition), spans);
    return this.#writer.storeRepetition(entry, samples, { withItsRound });
  }
}
