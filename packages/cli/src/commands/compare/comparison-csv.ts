/** A comparison as rows for a statistics package: figures in the unit of the metric, unrounded. */
import type { RunComparison } from '@topo-bench/comparison';
import { formatCsv } from '@topo-bench/report';
import { factorsOf } from '@topo-bench/report/model';

const headings = [
  ...['metric', 'baseline', 'candidate', 'difference', 'low', 'high', 'differencePercent', 'lowPercent', 'highPercent'],
  ...['pValue', 'adjustedPValue', 'effectSize', 'verdict', 'minimumDetectablePercent', 'pairing'],
  ...['baselineRepetitions', 'candidateRepetitions', 'baselineInvalid', 'candidateInvalid', 'saturated'],
];

export function comparisonCsv({ cells }: RunComparison): string {
  const factors = factorsOf(cells).map(({ name }) => name);
  const rows = cells.map((cell) => [
    ...factors.map((name) => cell.factors[name]),
    ...[
      cell.metric,
      cell.baseline,
      cell.candidate,
      cell.difference,
      ...cell.interval,
      cell.differencePercent,
      ...cell.intervalPercent,
    ],
    ...[cell.pValue, cell.adjustedPValue, cell.effectSize, cell.verdict, cell.minimumDetectablePercent, cell.pairing],
    ...[cell.repetitions.baseline.used, cell.repetitions.candidate.used],
    ...[cell.repetitions.baseline.invalid, cell.repetitions.candidate.invalid, cell.saturated],
  ]);
  return formatCsv([[...factors, ...headings], ...rows]);
}
