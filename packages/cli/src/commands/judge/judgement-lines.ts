/** A judgement for a terminal: cells first, then the errors in all. */
import type { FigureSummary, JudgedCell, JudgedFigure, Judgement } from '@topo-bench/comparison/predictions';
import { judgedFigures, minRequestsForP99 } from '@topo-bench/comparison/predictions';
import { counted, describeCell, formatUs } from '@topo-bench/core';
import type { BaselineName, Predictions } from '@topo-bench/core/schema/predictions';

const titles: Record<JudgedFigure, string> = { medianUs: 'median', p95Us: 'p95', p99Us: 'p99', cpuUs: 'CPU' };
const baselineTitles: Record<BaselineName, string> = {
  nearest: 'nearest cell',
  linearInHops: 'linear in hops',
  mm1: 'M/M/1 per process',
};

export function judgementLines(judgement: Judgement, predictions: Predictions): string[] {
  const { cells, summaries, order, maxBusyShare } = judgement;
  const { calibration, createdAt, cluster } = predictions;
  const busy = cells.filter(({ cell }) => cell.busyShare > maxBusyShare).length;
  const missing = cells.filter(({ repetitions }) => repetitions === 0).length;
  return [
    `Predicted ${createdAt} with ${calibration.name} ${calibration.sha256.slice(0, 12)}${calibration.disturbed ? ', a disturbed calibration' : ''}${cluster ? `, for the machines of ${cluster.name}` : ''}`,
    '',
    ...cells.flatMap(cellLines),
    '',
    `cells predicted at most ${percent(maxBusyShare)} busy; median and 90% over cells`,
    ...judgedFigures.flatMap((figure) => summaryLines(figure, summaries[figure])),
    orderLine(order),
    ...(busy > 0 ? [`${counted(busy, 'cell')} above that: in none of these figures`] : []),
    ...p99Lines(cells),
    ...(missing > 0 ? [`${counted(missing, 'cell')} without a repetition to judge`] : []),
    'What was chosen after these errors were seen is no longer held out: another calibration has another digest.',
  ];
}

function cellLines({ cell, values }: JudgedCell): string[] {
  const parts = judgedFigures.flatMap((figure) => {
    const value = values[figure];
    if (!value) return [];
    const { predictedUs, measuredUs, floor, covered, repetitions } = value;
    const off = predictedUs / measuredUs - 1;
    const inside = covered === undefined ? '' : `, ${covered} of ${repetitions} in its interval`;
    const spread = floor === undefined ? '' : `, floor ${percent(floor)}`;
    return [
      `    ${titles[figure]}: ${formatUs(predictedUs)} predicted, ${formatUs(measuredUs)} measured: ${off >= 0 ? '+' : ''}${percent(off)}${spread}${inside}`,
    ];
  });
  return [`${describeCell(cell.factors)}, ${percent(cell.busyShare)} busy`, ...parts];
}

function summaryLines(figure: JudgedFigure, summary: FigureSummary | undefined): string[] {
  if (!summary) return [];
  const { cells, error, floor, ratio, coverage, baselines } = summary;
  const simple = Object.entries(baselines).map(
    ([name, off]) => `${baselineTitles[name as BaselineName]} ${percent(off)}`,
  );
  return [
    [
      `  ${titles[figure].padEnd(6)} error ${percent(error[0])} / ${percent(error[1])} of ${counted(cells, 'cell')}`,
      ...(floor && ratio !== undefined
        ? [`floor ${percent(floor[0])} / ${percent(floor[1])}, ${ratio.toFixed(1)} × the floor`]
        : ['no floor: one repetition']),
      ...(coverage === undefined ? [] : [`${percent(coverage)} in 90% intervals`]),
    ].join(' · '),
    ...(simple.length > 0 ? [`         simple rules: ${simple.join(' · ')}`] : []),
  ];
}

/** Why it has no statement, or none on its error. */
function p99Lines(cells: readonly JudgedCell[]): string[] {
  const without = cells.filter(({ repetitions, values }) => repetitions > 0 && !values.p99Us);
  const older = without.filter(({ cell }) => cell.predicted.p99Us === undefined).length;
  const few = without.length - older;
  const needs = `a repetition with ${minRequestsForP99} completed requests or more, of which 99% end`;
  return [
    ...(older > 0 ? [`${counted(older, 'cell')} without p99: registered before p99 was`] : []),
    ...(few > 0 ? [`${counted(few, 'cell')} without p99: it needs ${needs}`] : []),
    ...(without.length < cells.length ? ['no interval for p99: calibrations are not fitted to it'] : []),
  ];
}

function orderLine({ right, pairs }: Judgement['order']): string {
  if (pairs === 0) return '  no pair of architectures differs in all of at least 3 repetitions';
  return `  which of two architectures is faster: right in ${right} of ${counted(pairs, 'pair')} without overlap`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}
