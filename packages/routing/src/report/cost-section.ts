/** Cost of a request: CPU time by role and hops. These figures carry over to other machines. */
import { factorHeading } from '@topo-bench/core';
import { formatCount, formatShort } from '@topo-bench/report';
import {
  type BarPart,
  barStrip,
  chartFigure,
  chartTables,
  dataTable,
  folded,
  layOut,
  legend,
  type Section,
  section,
} from '@topo-bench/report/html';
import { measuredCells, type ReportModel } from '@topo-bench/report/model';

/** Enforcement points share a colour that stands out; the rest is background. */
const fills: Record<string, string> = { gateway: 'fill-gateway', service: 'fill-service' };

export function costSection(report: ReportModel): Section {
  const measured = report.groups.flatMap(({ figures }) => figures ?? []);
  const roles = [...new Set(measured.flatMap(({ cpuUsPerRequest }) => Object.keys(cpuUsPerRequest)))].filter(
    (role) => role !== 'total',
  );
  const most = Math.max(...measured.map(({ cpuUsPerRequest }) => cpuUsPerRequest.total ?? 0), 0);
  const parts = [
    ...(roles.includes('gateway') ? [{ label: 'gateway', fill: 'fill-gateway' }] : []),
    ...(roles.includes('service') ? [{ label: 'services', fill: 'fill-service' }] : []),
    { label: 'enforcement', fill: 'fill-enforcement' },
  ];
  return section(
    'cost',
    'CPU and hops per request',
    'CPU time that all processes together spent per request, from their own clocks. It depends less on the load than any waiting time does, and carries over to other machines better.',
    chartFigure({ title: 'CPU time per request', name: 'cpu' }, [
      legend(parts),
      chartTables({
        layout: layOut(report),
        stripHeading: `CPU time per request by role, linear, 0 to ${formatCount(most)} µs`,
        figureHeadings: ['CPU µs', 'hops'],
        row: ({ figures }) => {
          if (!figures) return { strip: '', figures: ['–', '–'] };
          const bars: BarPart[] = roles
            .map((role) => ({
              label: role,
              value: figures.cpuUsPerRequest[role] ?? 0,
              fill: fills[role] ?? 'fill-enforcement',
            }))
            .sort((a, b) => order(a.fill) - order(b.fill));
          return {
            strip: barStrip(bars, most, ({ label, value }) => `${label} ${formatCount(value)} µs`),
            figures: [formatCount(figures.cpuUsPerRequest.total ?? Number.NaN), formatShort(figures.hopsPerRequest)],
          };
        },
      }),
    ]),
    folded('CPU and hops as a table', costTable(report, roles)),
  );
}

function order(fill: string): number {
  return ['fill-gateway', 'fill-service', 'fill-enforcement'].indexOf(fill);
}

function costTable({ factors, groups }: ReportModel, roles: readonly string[]) {
  const columns = [
    ...factors.map(({ name }) => ({ heading: factorHeading(name) })),
    ...[...roles.map((role) => `${role} µs`), 'total µs', 'hops', 'hops between nodes'].map((heading) => ({
      heading,
      number: true,
    })),
  ];
  const rows = groups.flatMap(({ factors: levels, figures }) =>
    figures
      ? [
          [
            ...factors.map(({ name }) => String(levels[name] ?? '–')),
            ...[...roles, 'total'].map((role) => formatCount(figures.cpuUsPerRequest[role] ?? Number.NaN)),
            formatShort(figures.hopsPerRequest),
            formatShort(figures.hopsBetweenNodesPerRequest),
          ],
        ]
      : [],
  );
  return dataTable('CPU time per request by role, and hops', columns, rows, measuredCells(groups));
}
