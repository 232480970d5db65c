/** Offered against achieved load, and what became of the requests. */
import { formatCount, formatFigure, formatShort } from '../../figure-text.ts';
import { factorHeading } from '../../model/factors.ts';
import type { ReportModel } from '../../model/report-model.ts';
import { type BarPart, barStrip, legend } from '../bar-strip.ts';
import { chartTables } from '../chart-table.ts';
import { dataTable, folded } from '../data-table.ts';
import { layOut } from '../facets.ts';
import { type Section, section } from '../section.ts';

const outcomes = [
  { label: 'completed', fill: 'fill-completed' },
  { label: 'refused by a rule', fill: 'fill-refused' },
  { label: 'error', fill: 'fill-error' },
  { label: 'unfinished', fill: 'fill-unfinished' },
];

export function loadSection(report: ReportModel): Section {
  return section(
    'load',
    'Load and outcomes',
    'Requests leave on a schedule, whatever the answers. Bars show what became of those that were sent, over all valid repetitions.',
    legend(outcomes),
    chartTables({
      layout: layOut(report),
      stripHeading: 'share of requests by outcome',
      figureHeadings: ['offered/s', 'sent/s'],
      row: ({ figures }) => {
        if (!figures) return { strip: '', figures: ['–', '–'] };
        const { completed, refused, error, unfinished } = figures.outcomes;
        const values = [completed, refused, error, unfinished];
        const parts: BarPart[] = outcomes.map((outcome, index) => ({ ...outcome, value: values[index] as number }));
        const all = values.reduce((sum, value) => sum + value, 0);
        return {
          strip: barStrip(parts, all, ({ label, value }) => `${label} ${formatShort((value / all) * 100)}%`),
          figures: [formatShort(figures.offeredRps), formatFigure(figures.achievedRps)],
        };
      },
    }),
    folded('Outcomes as a table', outcomesTable(report)),
  );
}

function outcomesTable({ factors, groups }: ReportModel) {
  const columns = [
    ...factors.map(({ name }) => ({ heading: factorHeading(name) })),
    ...['offered/s', 'sent/s', 'completed', 'refused', 'error', 'unfinished'].map((heading) => ({ heading, number: true })),
    { heading: 'errors by kind' },
  ];
  const rows = groups.flatMap(({ factors: levels, figures }) => {
    if (!figures) return [];
    const { completed, refused, error, unfinished } = figures.outcomes;
    const kinds = Object.entries(figures.errors).map(([kind, count]) => `${kind}: ${formatCount(count)}`);
    return [
      [
        ...factors.map(({ name }) => String(levels[name] ?? '–')),
        ...[formatShort(figures.offeredRps), formatFigure(figures.achievedRps)],
        ...[completed, refused, error, unfinished].map(formatCount),
        kinds.join(', '),
      ],
    ];
  });
  return dataTable('requests by outcome', columns, rows);
}
