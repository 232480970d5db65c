/** Cells by simulations: states, intervals of quantiles, bottlenecks. */
import { factorHeading } from '@topo-bench/core';
import type { Prediction } from '@topo-bench/core/schema/result';
import { missing } from './figure-text.ts';
import type { ReportModel } from './model/report-model.ts';
import { numberColumn, type StudyTable, textColumn } from './study-table.ts';

/** No table without a prediction. */
export function predictionTables({ factors, groups }: ReportModel): StudyTable[] {
  const predicted = groups.flatMap((group, at) => {
    const { prediction } = [...group.valid, ...group.invalid].find((cell) => cell.prediction) ?? {};
    return prediction ? [{ at, levels: group.factors, prediction }] : [];
  });
  if (predicted.length === 0) return [];
  const varying = factors.filter(({ levels }) => levels.length > 1);
  const clusters = [...new Set(predicted.flatMap(({ prediction: { cluster } }) => cluster ?? []))];
  return [
    {
      id: 'predictions',
      title: 'Predictions of the simulation',
      note: `${clusters.length === 0 ? '' : `Stands for cluster ${clusters.join(', ')}. `}RTT in ms: 95% intervals by Student's t over independent replications; they contain chance, not errors of the calibration. Near capacity no quantile is stated. In an unstable cell RTT grows for as long as the load lasts. Busy: demand at the offered rate, as a share of what the bottleneck has. Max: rate at which it has no reserve.`,
      columns: [
        ...varying.map(({ name }) => textColumn(factorHeading(name))),
        textColumn('state'),
        ...['median', 'p95', 'replications'].map(numberColumn),
        textColumn('bottleneck'),
        ...['busy', 'max req/s'].map(numberColumn),
      ],
      rows: predicted.map(({ levels, prediction }) => [
        ...varying.map(({ name }) => String(levels[name] ?? missing)),
        ...texts(prediction),
      ]),
      cells: predicted.map(({ at }) => at),
    },
  ];
}

function texts({ state, medianUs, p95Us, replications, bottleneck, maxRps }: Prediction): string[] {
  return [
    state.replace('-', ' '),
    ...[medianUs, p95Us].map(intervalText),
    replications === undefined ? missing : String(replications),
    bottleneck.name,
    `${(100 * bottleneck.busyShare).toFixed(0)}%`,
    String(Number(maxRps.toPrecision(3))),
  ];
}

function intervalText(interval: readonly [number, number] | undefined): string {
  if (!interval) return missing;
  return interval.map((us) => Number((us / 1000).toPrecision(3))).join(' – ');
}
