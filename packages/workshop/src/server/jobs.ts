/** Long work of the server: one job at a time, reported to its page as lines of JSON. It ends with the connection. */
import type { ServerResponse } from 'node:http';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import type { RunEvent } from '@topo-bench/trial';
import type { JobEvent } from '../browser/server-api.ts';

export interface Following {
  emit(event: JobEvent): void;
  signal: AbortSignal;
}

export class Jobs {
  #running: { controller: AbortController; ended: Promise<void> } | undefined;

  /**
   * Answers with a line of JSON per event. A page that closes the connection cancels the job.
   * @throws TopoBenchError `TB_USAGE` while another job runs
   */
  async run(response: ServerResponse, work: (following: Following) => Promise<void>): Promise<void> {
    if (this.#running) {
      throw new TopoBenchError('TB_USAGE', 'a job is running or being torn down, maybe from another tab', {
        hint: 'wait for its end, or cancel it there: two at a time would disturb each other',
      });
    }
    const controller = new AbortController();
    response.once('close', () => controller.abort(new TopoBenchError('TB_INTERRUPTED', 'cancelled')));
    response.setHeader('content-type', 'application/x-ndjson');
    const emit = (event: JobEvent): void => void response.write(`${JSON.stringify(event)}\n`);
    const ended = work({ emit, signal: controller.signal })
      .catch((error: unknown) => emit({ kind: 'failed', ...failureOf(error) }))
      .finally(() => {
        this.#running = undefined;
        response.end();
      });
    this.#running = { controller, ended };
    await ended;
  }

  async cancel(): Promise<void> {
    this.#running?.controller.abort(new TopoBenchError('TB_INTERRUPTED', 'cancelled'));
    await this.#running?.ended;
  }
}

export function failureOf(error: unknown): { message: string; hint?: string } {
  if (!(error instanceof TopoBenchError)) return { message: systemErrorText(error) };
  const [first] = error.problems;
  const message = first ? `${error.message}, first: ${first.message}` : error.message;
  return { message, ...(error.hint !== undefined && { hint: error.hint }) };
}

/** Reports the events of a run as progress. */
export function runProgress(emit: Following['emit']): (event: RunEvent) => void {
  let [done, all] = [0, 1];
  return (event) => {
    if (event.kind === 'started' || event.kind === 'repetition') [done, all] = [event.finished, event.repetitions];
    const share = done / all;
    if (event.kind === 'phase') {
      emit({ kind: 'progress', text: `repetition ${done + 1} of ${all}: ${event.phase}`, share });
    } else if (event.kind === 'repetition') {
      const { remainingSeconds } = event;
      emit({ kind: 'progress', text: `${done} of ${all} repetitions done`, share, remainingSeconds });
    }
  };
}
