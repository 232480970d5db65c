/** The bench's table: a line for the truth, one for what may differ, one per tool. */
import { type Quantiles, quantileNames, type Row, toleranceUs, type Verdict } from './verdict.ts';

const columns = [15, 9, 6, 15] as const;

export const heading = [...columnsOf(['server', 'arrivals', 'req/s', '']), ...quantileNames.map((name) => name.padStart(9))].join(
  ' ',
);

export function formatRow(row: Row): string {
  const allowed = Object.fromEntries(quantileNames.map((name) => [name, toleranceUs(row, name)])) as unknown as Quantiles;
  const lines = [
    line([row.server, row.arrivals, String(row.rateRps), 'truth'], row.truth),
    line(['', '', '', '± allowed'], allowed),
    `${line(['', '', '', 'topo-bench'], row.measured)}  ${row.generatorCores.toFixed(2)} cores, lag p99 ${(row.lag.p99 / 1e3).toFixed(2)}`,
    ...row.peers.map(({ name, measured }) => line(['', '', '', name], measured)),
  ];
  return lines.join('\n');
}

export function formatVerdict({ passed, failures }: Verdict): string {
  return passed
    ? '\nEvery row within its bounds.'
    : `\n${failures.length} out of bounds:\n${failures.map((text) => `- ${text}`).join('\n')}`;
}

function line(cells: string[], quantiles: Quantiles): string {
  const figures = quantileNames.map((name) => (Number.isNaN(quantiles[name]) ? '–' : (quantiles[name] / 1e3).toFixed(2)));
  return [...columnsOf(cells), ...figures.map((figure) => figure.padStart(9))].join(' ');
}

function columnsOf(cells: string[]): string[] {
  return cells.map((cell, i) => cell.padEnd(columns[i] ?? 0));
}
