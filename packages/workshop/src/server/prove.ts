/** Measures one cell of the page on this machine, through the workbench. */
import { dirname, join, relative } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { flagTexts } from '@topo-bench/results';
import { medianInterval, median as medianOf } from '@topo-bench/stats';
import { open, type Run, type Setting } from '@topo-bench/workbench';
import type { MeasuredCell, ProveRequest } from '../browser/server-api.ts';
import { factorsOf } from '../predict/settings.ts';
import { warmUpRequests } from '../predict/warm-up.ts';
import { type Following, runProgress } from './jobs.ts';
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

/** @throws TopoBenchError for problems of the texts, and without a valid repetition */
export async function proveCell(
  { path, rulesPath }: OpenedFiles,
  { texts, settings, architecture }: ProveRequest,
  setting: Setting,
  { emit, signal }: Following,
): Promise<MeasuredCell> {
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
  const run = await bench.run({ ...setting, signal, onEvent: runProgress(emit) });
  return measuredCell(run, architecture, settings.rate);
}

/** @throws TopoBenchError without a valid repetition */
function measuredCell(run: Run, architecture: string, rate: number): MeasuredCell {
  const valid = run.cells.filter(({ validity }) => validity.valid);
  const invalid = run.cells.flatMap(({ validity }) => (validity.valid ? [] : [String(validity.reasons[0])]));
  if (valid.length === 0) {
    const why = invalid[0] ?? run.failure?.message ?? 'none was measured';
    throw new TopoBenchError('TB_EXPERIMENT_NO_VALID_REPETITION', `no repetition is valid: ${why}`, {
      hint: 'close other programs or choose a lower rate, then prove it again',
    });
  }
  const figure = (of: (cell: Cell) => number): MeasuredCell['median'] => {
    const values = valid.map(of);
    const interval = medianInterval(values, 0.05);
    return { value: medianOf(values), ...(Number.isFinite(interval[0]) && { interval }) };
  };
  return {
    ...{ architecture, rate, folder: relative('.', run.folder), invalid, flags: flagTexts(valid), at: Date.now() },
    repetitions: valid.length,
    requests: valid.reduce((sum, { rtt }) => sum + rtt.count, 0),
    median: figure(({ rtt }) => rtt.medianUs),
    p95: figure(({ rtt }) => rtt.p95Us),
    hops: figure(({ hops }) => hops.perRequest).value,
    cpuUs: figure(({ cpuUsPerRequest }) => cpuUsPerRequest.total ?? Number.NaN).value,
  };
}
