/**
 * The load generators of repetitions that had several, or that had them on other machines. The table shows whether each
 * kept up with its part of the schedule.
 */
import { formatUs } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { mean } from '@topo-bench/stats';
import type { ReportModel } from '../../model/report-model.ts';
import { dataTable } from '../data-table.ts';
import { type Content, html } from '../safe-html.ts';

type Generator = NonNullable<NonNullable<Cell['generator']>['each']>[number];

/** One generator over its repetitions. */
interface Group {
  records: Generator[];
  /** Idle share of its machine in %, by repetition; empty where the machine is this one. */
  idlePercent: number[];
}

const columns = [
  { heading: 'generator' },
  { heading: 'machine' },
  { heading: 'loads', number: true },
  { heading: 'requests', number: true },
  { heading: 'CPU %, mean', number: true },
  { heading: 'p99 of the lag, max', number: true },
  { heading: 'late start, max', number: true },
  { heading: 'error of the clock, max', number: true },
  { heading: 'machine idle %, min', number: true },
];

/** Undefined where one generator on this machine made every load. */
export function loadGenerators({ groups }: Pick<ReportModel, 'groups'>): Content {
  const found = new Map<string, Group>();
  for (const { generator } of groups.flatMap(({ valid, invalid }) => [...valid, ...invalid])) {
    for (const record of generator?.each ?? []) {
      const key = JSON.stringify([record.name, record.host]);
      const group = found.get(key) ?? { records: [], idlePercent: [] };
      group.records.push(record);
      const { idlePercent } = generator?.hosts?.[record.host ?? ''] ?? {};
      if (idlePercent !== undefined) group.idlePercent.push(idlePercent);
      found.set(key, group);
    }
  }
  if (found.size === 0) return undefined;
  const rows = [...found.values()].map(rowOf).sort(([one = ''], [other = '']) => one.localeCompare(other));
  return [
    html`<h3>Load generators</h3><p>They split one schedule. Clocks are those of their machines, and none where they read the clock of this one.</p>`,
    dataTable('load generators', columns, rows),
  ];
}

function rowOf({ records, idlePercent }: Group): string[] {
  const [{ name, host } = {} as Generator] = records;
  const most = (values: readonly number[]): string => formatUs(Math.max(...values));
  const errors = records.flatMap(({ clock }) => clock?.errorUs ?? []);
  return [
    name,
    host ?? 'this one',
    String(records.length),
    String(records.reduce((sum, { sent }) => sum + sent, 0)),
    String(Math.round(mean(records.map(({ cpuPercent }) => cpuPercent)))),
    most(records.map(({ schedulerLag }) => schedulerLag.p99Us)),
    most(records.map(({ startLateUs }) => startLateUs)),
    errors.length === 0 ? '–' : most(errors),
    idlePercent.length === 0 ? '–' : String(Math.round(Math.min(...idlePercent))),
  ];
}
