/** The busiest role of each kind: what one process used and handled per request. A kind hides uneven processes. */
import { formatBytes } from '@topo-bench/core';
import type { Cell, RoleRecord } from '@topo-bench/core/schema/result';
import { formatCount, formatShort } from '@topo-bench/report';
import { dataTable, folded, html, type LevelCells, type Markup } from '@topo-bench/report/html';

/** A field that the system does not report is absent, never 0. */
const notAvailable = '–';
const figures = ['of its kind', 'user µs', 'system µs', 'wait µs', 'messages', 'bytes', 'connections', 'opened'];

/** @returns undefined where no cell has records by role, as in older results */
export function busiestRoles(heading: string, levels: readonly LevelCells[]): Markup | undefined {
  const rows = levels.flatMap(({ label, cells, valid }) =>
    busiestOf(valid).map((texts, at) => ({ cells, texts: [at === 0 ? html`<b>${label}</b>` : '', ...texts] })),
  );
  if (rows.length === 0) return undefined;
  return folded(
    'The busiest role of each kind, per request that it handled',
    html`<p>Of each kind the role with most CPU time over the valid repetitions, and its share of that of its kind. User and system time include idle use; wait: its main thread was runnable while others had the processors. Messages received and sent, bytes of their bodies and answers. Connections to next hops: open at the end, and opened under load, at most. A dash: not reported. <code>processes</code> of each entry in cells.json has every role.</p>${dataTable(
      'busiest role of each kind',
      [
        { heading },
        { heading: 'kind' },
        { heading: 'busiest role' },
        ...figures.map((name) => ({ heading: name, number: true })),
      ],
      rows.map(({ texts }) => texts),
      rows.map(({ cells }) => cells),
    )}`,
  );
}

/** A row for each kind. */
function busiestOf(cells: readonly Cell[]): string[][] {
  const kinds = [...new Set(cells.flatMap(({ processes }) => Object.keys(processes ?? {})))];
  return kinds.flatMap((kind) => {
    const byRole = new Map<string, RoleRecord[]>();
    for (const { processes } of cells) {
      for (const [name, record] of Object.entries(processes?.[kind]?.roles ?? {})) {
        byRole.set(name, [...(byRole.get(name) ?? []), record]);
      }
    }
    const roles = [...byRole].map(([name, records]) => ({ name, records, cpuUs: sum(records, cpuUs) ?? 0 }));
    const [busiest] = roles.sort((a, b) => b.cpuUs - a.cpuUs);
    if (!busiest) return [];
    const all = roles.reduce((total, role) => total + role.cpuUs, 0);
    return [[kind, busiest.name, text((100 * busiest.cpuUs) / all, percent), ...texts(busiest.records)]];
  });
}

function texts(records: readonly RoleRecord[]): string[] {
  const served = sum(records, (role) => role.served);
  const each = (of: (role: RoleRecord) => number | undefined): number =>
    (sum(records, of) ?? Number.NaN) / (served ?? Number.NaN);
  const most = (of: (role: RoleRecord) => number | undefined): number =>
    Math.max(...records.flatMap((role) => of(role) ?? []));
  return [
    text(
      each(({ cpu }) => cpu?.userUs),
      formatCount,
    ),
    text(
      each(({ cpu }) => cpu?.systemUs),
      formatCount,
    ),
    text(
      each(({ wait }) => wait?.mainThreadUs),
      formatCount,
    ),
    text(
      each(({ messages }) => messages && messages.received + messages.sent),
      formatShort,
    ),
    text(
      each(({ bytes }) => bytes && bytes.received + bytes.sent),
      formatBytes,
    ),
    text(
      most(({ connections }) => connections?.open),
      formatCount,
    ),
    text(
      most(({ connections }) => connections?.opened),
      formatCount,
    ),
  ];
}

function cpuUs({ cpu }: RoleRecord): number | undefined {
  return cpu && cpu.userUs + cpu.systemUs;
}

/** Undefined when one of them lacks the figure. */
function sum(records: readonly RoleRecord[], of: (role: RoleRecord) => number | undefined): number | undefined {
  const values = records.flatMap((record) => of(record) ?? []);
  return values.length < records.length ? undefined : values.reduce((total, value) => total + value, 0);
}

function percent(value: number): string {
  return `${value.toFixed(0)}%`;
}

function text(value: number, format: (value: number) => string): string {
  return Number.isFinite(value) ? format(value) : notAvailable;
}
