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
    line(['', '', '', '– by sleeper'], { ...none, ...tailOf(row.hiccups.sleeping) }),
    line(['', '', '', '– by round trip'], { ...none, ...tailOf(row.hiccups.roundTrip) }),
    `${line(['', '', '', 'topo-bench'], row.measured)}  ${row.generatorCores.toFixed(2)} cores, lag p99 ${(row.lag.p99 / 1e3).toFixed(2)}`,
    line(['', '', '', '– each request'], row.error),
    ...row.peers.map(({ name, measured }) => line(['', '', '', name], measured)),
    ...restlessLine(row),
  ];
  return lines.join('\n');
}

export function formatVerdict({ passed, failures, tail }: Verdict): string {
  const verdict = passed
    ? 'Every row within its bounds.'
    : `${failures.length} out of bounds:\n${failures.map((text) => `- ${text}`).join('\n')}`;
  const measures = tail.map(({ measure, within, of }) => `- ${measure}: ${within} of ${of}`);
  return `\n${verdict}\n\np99 and p99.9 within narrower bounds:\n${measures.join('\n')}`;
}

function restlessLine({ restless: { givenUp, kept } }: Row): string[] {
  if (givenUp === 0) return [];
  const although = kept === 0 ? '' : `; ${kept} kept although it still did`;
  return [`  ${givenUp} rounds measured again: the host kept a sleeping thread waiting for more than 0.5 ms at p95${although}`];
}

const none = { p50: Number.NaN, p95: Number.NaN };

function tailOf({ p99, p999 }: Quantiles): Pick<Quantiles, 'p99' | 'p999'> {
  return { p99, p999 };
}

function line(cells: string[], quantiles: Quantiles): string {
  const figures = quantileNames.map((name) => (Number.isNaN(quantiles[name]) ? '–' : (quantiles[name] / 1e3).toFixed(2)));
  return [...columnsOf(cells), ...figures.map((figure) => figure.padStart(9))].join(' ');
}

function columnsOf(cells: string[]): string[] {
  return cells.map((cell, i) => cell.padEnd(columns[i] ?? 0));
}
