/** Measures one cell of the page on this machine, through the workbench. One measurement runs at a time. */
import type { ServerResponse } from 'node:http';
import { dirname, join, relative } from 'node:path';
import { formatError, TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { medianInterval, median as medianOf } from '@topo-bench/stats';
import type { RunEvent } from '@topo-bench/trial';
import { open, type Run, type Setting } from '@topo-bench/workbench';
import type { MeasuredCell, ProveEvent, ProveRequest } from '../browser/server-api.ts';
import { factorsOf } from '../predict/settings.ts';
import { warmUpRequests } from '../predict/warm-up.ts';
import type { OpenedFiles } from './topology-files.ts';

/** Six: fewer have no 95% interval of their median. */
const repetitions = 6;

const experiment = (topology: string, architecture: string): string => `apiVersion: topo-bench/v1
kind: Experiment
name: workshop
topology: ${JSON.stringify(topology)}
factors: { architecture: [${JSON.stringify(architecture)}] }
repetitions: ${repetitions}
deploy: round
load: { driver: open, arrivals: poisson }
duration: 3s
drain: 20s
warmup: { requests: ${warmUpRequests}, window: 1s, connections: 8, max: 10s }
`;

export class Prover {
  #running: { controller: AbortController; ended: Promise<void> } | undefined;

  constructor(
    private readonly files: OpenedFiles,
    private readonly setting: Setting,
  ) {}

  /**
   * Answers with a line of JSON per event. Ends the measurement when the page closes the connection.
   * @throws TopoBenchError `TB_USAGE` while another one runs
   */
  async prove(request: ProveRequest, response: ServerResponse): Promise<void> {
    if (this.#running) {
      throw new TopoBenchError('TB_USAGE', 'a measurement is running already, maybe from another tab', {
        hint: 'wait for its end, or cancel it there: two at a time would disturb each other',
      });
    }
    const controller = new AbortController();
    response.once('close', () => controller.abort(new TopoBenchError('TB_INTERRUPTED', 'cancelled')));
    response.setHeader('content-type', 'application/x-ndjson');
    const emit = (event: ProveEvent): void => void response.write(`${JSON.stringify(event)}\n`);
    const ended = this.#measure(request, emit, controller.signal)
      .catch((error: unknown) => {
        const known = error instanceof TopoBenchError;
        emit({
          kind: 'failed',
          message: known ? error.message : formatError(error as TopoBenchError),
          ...(known && error.hint !== undefined && { hint: error.hint }),
        });
      })
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

  async #measure(
    { texts, settings, architecture }: ProveRequest,
    emit: (event: ProveEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { path, rulesPath } = this.files;
    const own = join(dirname(path), 'workshop-experiment.yaml');
    const named = (file: string): string => relative('.', file) || file;
    const bench = await open(
      {
        experiment: own,
        files: {
          [named(own)]: experiment(relative(dirname(own), path), architecture),
          [named(path)]: texts.topology,
          ...(rulesPath !== undefined && texts.rules !== undefined && { [named(rulesPath)]: texts.rules }),
        },
      },
      { set: { ...factorsOf(settings, architecture), 'load.rate': settings.rate } },
    );
    emit({ kind: 'progress', text: 'starting', share: 0 });
    const run = await bench.run({ ...this.setting, signal, onEvent: (event) => emitProgress(event, emit) });
    emit({ kind: 'measured', cell: measuredCell(run, architecture, settings.rate) });
  }
}

function emitProgress(event: RunEvent, emit: (event: ProveEvent) => void): void {
  if (event.kind === 'phase') {
    const { phase, repetition } = event;
    const share = (repetition - 1) / repetitions;
    emit({ kind: 'progress', text: `repetition ${repetition} of ${repetitions}: ${phase}`, share });
  } else if (event.kind === 'repetition') {
    const { finished, repetitions: all, remainingSeconds } = event;
    const share = finished / all;
    emit({ kind: 'progress', text: `${finished} of ${all} repetitions measured`, share, remainingSeconds });
  }
}

/** @throws TopoBenchError without a valid repetition */
function measuredCell(run: Run, architecture: string, rate: number): MeasuredCell {
  const valid = run.cells.filter(({ validity }) => validity.valid);
  if (valid.length === 0) throw run.failure ?? new TopoBenchError('TB_INTERNAL', 'no repetition was measured');
  const figure = (of: (cell: Cell) => number): MeasuredCell['median'] => {
    const values = valid.map(of);
    const interval = medianInterval(values, 0.05);
    return { value: medianOf(values), ...(Number.isFinite(interval[0]) && { interval }) };
  };
  const invalid = run.cells.flatMap(({ validity }) => (validity.valid ? [] : [String(validity.reasons[0])]));
  return {
    ...{ architecture, rate, folder: run.folder, invalid, at: Date.now() },
    repetitions: valid.length,
    requests: valid.reduce((sum, { rtt }) => sum + rtt.count, 0),
    median: figure(({ rtt }) => rtt.medianUs),
    p95: figure(({ rtt }) => rtt.p95Us),
    hops: figure(({ hops }) => hops.perRequest).value,
    cpuUs: figure(({ cpuUsPerRequest }) => cpuUsPerRequest.total ?? Number.NaN).value,
  };
}
