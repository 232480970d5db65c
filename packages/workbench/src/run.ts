/** Measures every cell of an experiment, or searches the max rate, into a run folder. */
import { join } from 'node:path';
import type { TopoBenchError } from '@topo-bench/core';
import type { ResolvedExperiment } from '@topo-bench/experiment/resolve-experiment';
import type { RunResult } from '@topo-bench/experiment/run-experiment';
import type { Report, ReportOptions } from '@topo-bench/report';
import { defaultRunFolder } from '@topo-bench/results/run-name';
import type { Following, Setting } from './setting.ts';
import { noValidRepetition } from './valid-repetitions.ts';

export interface RunOptions extends Setting, Following {
  /** Default: `runs/<name>-<time>`; a run that was reopened has its own. */
  folder?: string | undefined;
  /** Whether a reopened run may continue on database servers other than before. */
  allowOtherServers?: boolean | undefined;
  /** Limit on a search for the max rate, in µs; default: 10 minutes. */
  maxTimeUs?: number | undefined;
}

/** A finished run, with its record and repetitions in memory. */
export interface Run extends RunResult {
  /** The cells without a valid repetition, as an error; undefined if all have one. */
  failure: TopoBenchError | undefined;
  /** The report of the repetitions in memory. @throws TopoBenchError `TB_PUBLISHED_INVALID` */
  report(options?: Omit<ReportOptions, 'metrics'>): Promise<Report>;
}

const defaultMaxTimeUs = 600e6;

/** @param search condition of a search; undefined measures all cells */
export async function measure(
  resolved: ResolvedExperiment,
  { backends, signal = new AbortController().signal, maxTimeUs = defaultMaxTimeUs, ...options }: RunOptions,
  resume: boolean,
  search: string | undefined,
): Promise<Run> {
  const { folder = defaultRunFolder(resolved.experiment.name, new Date()) } = options;
  const backend = await backends(join(folder, 'logs'));
  const own = { ...options, folder, resume, backend, signal };
  if (search === undefined) {
    const { runExperiment } = await import('@topo-bench/experiment/run-experiment');
    return withReport(await runExperiment(resolved, own));
  }
  const { runFindMax } = await import('@topo-bench/experiment/find-max');
  return withReport(await runFindMax(resolved, { ...own, condition: search, maxTimeUs }));
}

function withReport(result: RunResult): Run {
  return {
    ...result,
    failure: noValidRepetition(result),
    report: async (options) => {
      const { reportOfRuns } = await import('./report-of-runs.ts');
      return reportOfRuns([{ ...result, cells: [...result.cells] }], options);
    },
  };
}
