/** Offered and achieved rate, and the outcomes of requests. */
import { cellKey, factorHeading } from '@topo-bench/core';
import { formatCount, formatFigure, formatShort } from '@topo-bench/report';
import {
  type BarPart,
  barStrip,
  chartFigure,
  chartTables,
  dataTable,
  drawnFigure,
  folded,
  layOut,
  legend,
  type Section,
  section,
} from '@topo-bench/report/html';
import { measuredCells, type ReportModel } from '@topo-bench/report/model';

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
    chartFigure({ title: 'Outcomes of requests', name: 'outcomes' }, [
      legend(outcomes),
      chartTables({
        layout: layOut(report),
        stripHeading: 'share of requests by outcome, linear, 0 to 100%',
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
    ]),
    folded('Outcomes as a table', outcomesTable(report)),
    drawnFigure({
      title: 'Offered against achieved rate',
      name: 'rates',
      lead: 'A point per repetition: what was sent (●) and what was answered while the load lasted (○; of levels in turns, before their next turn), as a share of the offered rate. Of random arrivals a sample is sent, which differs from the nominal rate.',
    }),
    folded('Rates of every repetition as a table', ratesTable(report)),
  );
}

function outcomesTable({ factors, groups }: ReportModel) {
  const columns = [
    ...factors.map(({ name }) => ({ heading: factorHeading(name) })),
    ...['offered/s', 'sent/s', 'completed', 'refused', 'error', 'unfinished'].map((heading) => ({
      heading,
      number: true,
    })),
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
  return dataTable('requests by outcome', columns, rows, measuredCells(groups));
}

function ratesTable({ factors, groups, sampleFigures }: ReportModel) {
  const columns = [
    ...factors.map(({ name }) => ({ heading: factorHeading(name) })),
    ...['repetition', 'offered/s', 'sent/s', 'answered/s', 'sent of offered'].map((heading) => ({
      heading,
      number: true,
    })),
  ];
  const rows = groups.flatMap(({ factors: levels, valid }, at) =>
    valid.map(({ repetition, offeredRps, achievedRps }) => {
      const answered = sampleFigures.get(cellKey(levels))?.answeredRps.find((one) => one.repetition === repetition);
      return {
        at,
        texts: [
          ...factors.map(({ name }) => String(levels[name] ?? '–')),
          ...[
            String(repetition),
            formatShort(offeredRps),
            formatFigure(achievedRps),
            formatFigure(answered?.rps ?? Number.NaN),
          ],
          `${formatShort((achievedRps / offeredRps) * 100)}%`,
        ],
      };
    }),
  );
  return dataTable(
    'offered, sent and answered requests per second',
    columns,
    rows.map(({ texts }) => texts),
    rows.map(({ at }) => at),
  );
}
