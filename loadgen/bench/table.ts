/** The bench's table: a line for the truth, one for what may differ, one per tool. */
import type { Estimate } from '@topo-bench/stats';
import { median } from './pooled-row.ts';
import { eachQuantile, type Quantiles, quantileNames } from './quantiles.ts';
import { type Clock, compareDistances, type Restless, type Row, toleranceUs, type Verdict } from './verdict.ts';

const columns = [15, 9, 6, 16] as const;

export const heading = [
  ...columnsOf(['server', 'arrivals', 'req/s', '']),
  ...quantileNames.map((name) => name.padStart(9)),
].join(' ');

export function formatRow(row: Row): string {
  const bounds = row.judged
    ? [
        line(
          ['', '', '', '± allowed'],
          eachQuantile((name) => toleranceUs(row, name)),
        ),
        line(['', '', '', '– by sleeper'], { ...none, ...tailOf(row.hiccups.sleeping) }),
        line(['', '', '', '– by round trip'], { ...none, ...tailOf(row.hiccups.roundTrip) }),
      ]
    : [];
  const lines = [
    line([row.server, row.arrivals, String(row.rateRps), 'truth'], row.truth),
    ...bounds,
    `${line(['', '', '', 'topo-bench'], row.measured)}  ${row.generatorCores.toFixed(2)} cores, lag p99 ${(row.lag.p99 / 1e3).toFixed(2)}`,
    line(['', '', '', '– off by'], medianDistances(row.distances.arrival)),
    line(['', '', '', '– each request'], row.error),
    ...(row.peers.length > 0 ? [line(['', '', '', '– from the send'], medianDistances(row.distances.send))] : []),
    ...row.peers.flatMap(({ name, measured, truth, distances, restless }) => [
      line(['', '', '', name], measured),
      line(['', '', '', '– its truth'], truth),
      line(['', '', '', '– off by'], medianDistances(distances)),
      differencesLine(row.distances.send, distances),
      ...restlessLine(name, restless),
    ]),
    ...restlessLine('topo-bench', row.restless),
  ];
  return lines.join('\n');
}

/** How much further ours is from the truth than the tool, per quantile, with the interval over the rounds. */
function differencesLine(ours: readonly Quantiles[], theirs: readonly Quantiles[]): string {
  const texts = quantileNames.map((name) => {
    const isKnown = theirs.every((round) => !Number.isNaN(round[name]));
    return `${name} ${isKnown ? differenceText(compareDistances(ours, theirs, name).further) : '–'}`;
  });
  return `  ours further by (90%): ${texts.join(', ')}`;
}

function differenceText({ estimate, interval: [low, high] }: Estimate): string {
  const ms = (us: number): string => (Number.isFinite(us) ? (us / 1e3).toFixed(2) : us < 0 ? '−∞' : '∞');
  return `${ms(estimate)} [${ms(low)}, ${ms(high)}]`;
}

function medianDistances(distances: readonly Quantiles[]): Quantiles {
  return eachQuantile((name) => median(distances.map((round) => round[name])));
}

export function formatVerdict({ passed, failures, comparisons, tail }: Verdict): string {
  const verdict = passed
    ? 'Every row within its bounds.'
    : `${failures.length} out of bounds:\n${failures.map((text) => `- ${text}`).join('\n')}`;
  const measures = tail.map(({ measure, within, of }) => `- ${measure}: ${within} of ${of}`);
  const compared = (of: Clock): string =>
    comparisons
      .filter(({ clock }) => clock === of)
      .map(
        ({ peer, quantile, rows, pooled }) =>
          `- ${peer}, ${quantile}: ours nearer in ${rows.nearer} rows, level in ${rows.level}, further in ${rows.further}, ` +
          `not told apart in ${rows['cannot tell']}; over all rows further by ${differenceText(pooled)} ms (95%)`,
      )
      .join('\n');
  const sections = [
    [verdict],
    ...(comparisons.length === 0
      ? []
      : [
          [`Distance from the truth of each tool's own requests, all timed from the send:`, compared('send')],
          [
            'The same with ours timed from the intended arrival, so that late sends of ours count:',
            compared('arrival'),
          ],
        ]),
    ['p99 and p99.9 within narrower bounds:', ...measures],
  ];
  return sections.map((lines) => `\n${lines.join('\n')}`).join('\n');
}

function restlessLine(tool: string, { givenUp, kept }: Restless): string[] {
  if (givenUp === 0) return [];
  const although = kept === 0 ? '' : `; ${kept} kept although it still did`;
  return [
    `  ${tool}: ${givenUp} rounds measured again: the host kept a sleeping thread waiting for more than 0.5 ms at p95${although}`,
  ];
}

const none = { p50: Number.NaN, p95: Number.NaN };

function tailOf({ p99, p999 }: Quantiles): Pick<Quantiles, 'p99' | 'p999'> {
  return { p99, p999 };
}

function line(cells: string[], quantiles: Quantiles): string {
  const figures = quantileNames.map((name) =>
    Number.isNaN(quantiles[name]) ? '–' : (quantiles[name] / 1e3).toFixed(2),
  );
  return [...columnsOf(cells), ...figures.map((figure) => figure.padStart(9))].join(' ');
}

function columnsOf(cells: string[]): string[] {
  return cells.map((cell, i) => cell.padEnd(columns[i] ?? 0));
}
