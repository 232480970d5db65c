/** A list of runs as one JSON document; figures in the unit of the metric. */
import type { Spread } from '../trend/spread.ts';
import type { ListedRun, RunList } from './run-list.ts';

export function runListJson({ runs, series, unreadable }: RunList): unknown {
  return {
    runs: runs.map(({ folder, ...run }) => ({ runDir: folder, ...run })),
    series: series.map(({ points, ...one }) => ({
      ...one,
      points: points.map(({ run, figure, p95, change }) => ({
        ...placeOf(run),
        figure: spreadJson(figure),
        ...(p95 && { p95: spreadJson(p95) }),
        ...(change && { change: { ...change, before: change.before.folder } }),
      })),
    })),
    unreadable: unreadable.map(({ folder, problem }) => ({ runDir: folder, problem })),
  };
}

function placeOf({ folder, startedAt, setup }: ListedRun): object {
  return { runDir: folder, startedAt, setup: setup.number };
}

function spreadJson({ value, low, high, kind, values }: Spread): object {
  return { value, [kind]: [low, high], repetitions: values.length };
}
