/** Cost and decisions of enforcement: CPU and hops per request, decisions by effect, exposed bytes. */
import { formatCount, formatShort } from '@topo-bench/report';
import {
  type CellFigures,
  type CellGroup,
  exposedBytes,
  type ReportModel,
  sumDecisions,
} from '@topo-bench/report/model';
import {
  type Column,
  factorColumns,
  factorTexts,
  type Styles,
  shownFactors,
  textTable,
} from '@topo-bench/report/terminal';

const headings = [
  'CPU µs/req',
  'hops/req',
  'between nodes',
  'allow',
  'deny',
  'redact',
  'reroute',
  'wrong',
  'exposed B',
];

/** Empty while no cell has a valid repetition. */
export function workSection(report: ReportModel, width: number, styles: Styles): string[] {
  const measured = report.groups.filter(
    (group): group is CellGroup & { figures: CellFigures } => group.figures !== undefined,
  );
  if (measured.length === 0) return [];
  const shown = shownFactors(report.factors);
  const columns: Column[] = [
    ...factorColumns(shown),
    ...headings.map((heading) => ({
      heading,
      align: 'right' as const,
      dropOrder: heading === 'between nodes' ? 1 : 0,
    })),
  ];
  const rows = measured.map((group, index) => [
    ...factorTexts(shown, group, measured[index - 1]),
    ...workTexts(group, styles),
  ]);
  return [
    styles.bold('Cost and decisions'),
    ...textTable(columns, rows, width, styles.dim).lines,
    ...verdict(report, styles),
  ];
}

function workTexts({ factors, figures }: CellGroup & { figures: CellFigures }, styles: Styles): string[] {
  const { decisions, cpuUsPerRequest, exposureBytes, hopsPerRequest, hopsBetweenNodesPerRequest } = figures;
  const wrong = formatCount(decisions.wrong);
  return [
    formatCount(cpuUsPerRequest.total ?? Number.NaN),
    formatShort(hopsPerRequest),
    formatShort(hopsBetweenNodesPerRequest),
    ...[decisions.allow, decisions.deny, decisions.redact, decisions.reroute].map(formatCount),
    decisions.wrong === 0 ? wrong : styles.red(wrong),
    formatCount(exposedBytes({ factors, exposureBytes })),
  ];
}

/** Wrong decisions make a repetition invalid, so they are counted over all repetitions. */
function verdict({ groups }: ReportModel, styles: Styles): string[] {
  const all = sumDecisions(
    groups.flatMap(({ valid, invalid }) => [...valid, ...invalid].map(({ decisions }) => decisions)),
  );
  const made = all.allow + all.deny + all.redact + all.reroute;
  const text = `${formatCount(all.wrong)} of ${formatCount(made)} decisions were wrong, as checked by the oracle.`;
  return made === 0 ? [] : [all.wrong === 0 ? styles.green(text) : styles.red(text)];
}
