/** What `enforcement.failOpen` let through without a decision. */
import { counted, factorHeading, formatBytes } from '@topo-bench/core';
import type { UndecidedFigures } from '@topo-bench/core/schema/result';
import { formatCount, numberColumn, textColumn } from '@topo-bench/report';
import { describeLevels, type ReportModel } from '@topo-bench/report/model';
import type { Findings } from './findings.ts';

/** Empty where no cell fails open. */
export function undecidedSteps({ groups, factors }: ReportModel): Findings[] {
  const varying = factors.filter(({ levels }) => levels.length > 1);
  const cells = groups.flatMap(({ factors: levels, valid }, cell) => {
    const repetitions = valid.flatMap(({ undecided }) => undecided ?? []);
    return repetitions.length > 0 ? [{ levels, cell, ...sumOf(repetitions) }] : [];
  });
  if (cells.length === 0) return [];
  const some = cells.filter(({ steps }) => steps > 0);
  const named = some.map(({ levels, steps, requests, exposed }) => {
    const passed = `${counted(steps, 'step')} of ${counted(requests, 'request')}, with ${formatBytes(exposed)}`;
    return `${describeLevels(varying, levels)} ${passed}`.trim();
  });
  const sentence =
    some.length === 0
      ? 'No step passed without a decision, though enforcement fails open.'
      : `Passed without a decision, with the bytes that the rules would have withheld: ${named.join('; ')}.`;
  const table = {
    id: 'undecided-steps',
    title: 'Steps without a decision',
    note: 'Sums over the valid repetitions of cells that fail open. Exposed: bytes that the rules would have withheld.',
    columns: [
      ...varying.map(({ name }) => textColumn(factorHeading(name))),
      ...['undecided', 'of requests', 'exposed'].map(numberColumn),
    ],
    rows: cells.map(({ levels, steps, requests, exposed }) => [
      ...varying.map(({ name }) => String(levels[name] ?? '–')),
      ...[formatCount(steps), formatCount(requests), formatBytes(exposed)],
    ]),
    cells: cells.map(({ cell }) => cell),
  };
  return [{ sentences: [sentence], table }];
}

function sumOf(repetitions: readonly UndecidedFigures[]) {
  const sum = (of: (one: UndecidedFigures) => number): number => repetitions.reduce((total, one) => total + of(one), 0);
  return {
    steps: sum(({ steps }) => steps),
    requests: sum(({ requests }) => requests),
    exposed: sum(({ exposedBytes }) => Object.values(exposedBytes).reduce((total, bytes) => total + bytes, 0)),
  };
}
