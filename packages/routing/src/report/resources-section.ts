/** CPU, memory and event loop by role and host: the bottleneck, and the free capacity of the machine. */
import { formatBytes } from '@topo-bench/core';
import type { Cell, ResourceUse } from '@topo-bench/core/schema/result';
import { formatCount } from '@topo-bench/report';
import { cellsByLevel, dataTable, html, type Section, section } from '@topo-bench/report/html';
import type { ReportModel } from '@topo-bench/report/model';
import { busiestRoles } from './busiest-roles.ts';

/** A field that the system does not report is absent, never 0. */
const notAvailable = '–';

export function resourcesSection(report: ReportModel): Section {
  const { heading, levels } = cellsByLevel(report);
  const columns = [
    { heading },
    { heading: 'role' },
    ...['processes', 'CPU', 'memory', 'event loop', 'calls queued'].map((name) => ({ heading: name, number: true })),
  ];
  const rows = levels.flatMap(({ label, cells, valid }) =>
    rolesOf(valid).map((role, at) => ({
      cells,
      texts: [at === 0 ? html`<b>${label}</b>` : '', role, ...useTexts(role, valid)],
    })),
  );
  return section(
    'resources',
    'Resources',
    'Extremes over the valid repetitions: max CPU (100% is one core) and memory of all processes of a role, max use of the event loop and max queue of calls of one process; for the host min idle share, and max share that a hypervisor gave to other machines. A dash: not reported.',
    dataTable(
      'resources by role',
      columns,
      rows.map(({ texts }) => texts),
      rows.map(({ cells }) => cells),
    ),
    busiestRoles(heading, levels),
  );
}

/** In the order of the entries. */
function rolesOf(cells: readonly Cell[]): string[] {
  return [...new Set(cells.flatMap(({ resources }) => Object.keys(resources)))];
}

function useTexts(role: string, cells: readonly Cell[]): string[] {
  const uses = cells.flatMap(({ resources }) => resources[role] ?? []);
  const most = (key: keyof ResourceUse): number => Math.max(...uses.flatMap((use) => use[key] ?? []));
  const text = (value: number, format: (value: number) => string): string =>
    Number.isFinite(value) ? format(value) : notAvailable;
  const idle = Math.min(...uses.flatMap(({ idlePercent }) => idlePercent ?? []));
  const percent = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)}%`;
  if (role === 'host') {
    const stolen = most('stolenPercent') > 0 ? `, ${percent(most('stolenPercent'))} stolen` : '';
    return ['', text(idle, (value) => `${percent(value)} idle${stolen}`), text(most('rssBytes'), formatBytes), '', ''];
  }
  return [
    text(most('processes'), formatCount),
    text(most('cpuPercent'), percent),
    text(most('rssBytes'), formatBytes),
    text(100 * most('eventLoopUtilization'), percent),
    text(most('queuedMax'), formatCount),
  ];
}
