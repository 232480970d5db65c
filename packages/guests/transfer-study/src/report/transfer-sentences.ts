/**
 * The answer of a run of bulk transfers, in sentences: the fastest transfer, savings of Flight, cost of TLS and rules.
 */

import { costOfRounds } from '@topo-bench/comparison';
import { counted } from '@topo-bench/core';
import { formatCount, formatRatio, formatRatioInterval } from '@topo-bench/report';
import { type ReportModel, sentencesBySubject, thresholdSentences, trendSentences } from '@topo-bench/report/model';
import { intervalNeeds } from '@topo-bench/study-kit/interval-needs';
import { timesText } from '@topo-bench/study-kit/span-text';
import { transferTime } from '../metrics.ts';
import type { TransferEntry } from '../parts.ts';
import { fastestSentences } from './fastest-transfer.ts';
import {
  type CellPair,
  costText,
  governancePairs,
  isBounded,
  isTold,
  protocolPairs,
  rulesOf,
  streamPairs,
  tlsPairs,
} from './pairs.ts';
import { type TransferCell, transferCells } from './transfer-cells.ts';

const protocolNames: Record<string, string> = {
  arrow: 'Arrow over HTTP',
  ndjson: 'NDJSON',
  json: 'JSON',
  flight: 'Flight',
};

export function protocolName(protocol: string): string {
  return protocolNames[protocol] ?? protocol;
}

export function transferSentences(report: ReportModel): string[] {
  const cells = transferCells(report);
  const [protocols, tls, rules] = [protocolPairs(cells), tlsPairs(cells), governancePairs(cells)];
  const unknown = [...protocols, ...tls, ...rules].some((pair) => !isBounded(pair));
  const cost = costOfRounds(report.runs);
  const first = fastestSentences(cells, described, cost);
  const saidWhatIsNeeded = first.some((sentence) => sentence.includes('valid ones of both cells'));
  return [
    ...first,
    ...streamsSentence(streamPairs(cells)),
    ...sentencesBySubject(protocols, ({ baseline }) => protocolName(baseline.protocol), savingSentence, savingOfMany),
    ...sentencesBySubject(tls, () => 'TLS', tlsSentence, costOfMany),
    ...sentencesBySubject(rules, ({ candidate }) => rulesText(candidate), costSentence, costOfMany),
    ...(unknown && !saidWhatIsNeeded
      ? intervalNeeds(
          [...protocols, ...tls, ...rules].flatMap(({ baseline, candidate }) => [baseline.speeds, candidate.speeds]),
          cost,
        )
      : []),
    ...serverSentences(cells),
    ...trendSentences(report, transferTime).shown,
    ...thresholdSentences(report),
  ];
}

/** More pairs than this share one clause; the tables have each of them. */
const maxAlike = 2;

function savingOfMany(other: string, pairs: readonly CellPair[]): string {
  const told = pairs.filter(isTold);
  if (told.length === 0) return `No difference between Flight and ${other} was shown in ${pairs.length} settings.`;
  return `Flight moved ${rangeText(told, timesText)} times as many rows per second as ${other} in ${told.length} of ${pairs.length} settings (95% intervals within ${withinText(told, timesText)})${restText(pairs, told)}.`;
}

function costOfMany(what: string, pairs: readonly CellPair[]): string {
  const told = pairs.filter(isTold);
  if (told.length === 0) return `No cost of ${what} was shown in ${pairs.length} settings.`;
  return `${capital(what)} cost ${rangeText(told, costText)} of the throughput in ${told.length} of ${pairs.length} settings (95% intervals within ${withinText(told, costText)})${restText(pairs, told)}.`;
}

function rangeText(pairs: readonly CellPair[], format: (ratio: number) => string): string {
  return spanText(
    pairs.map(({ estimate }) => estimate),
    format,
  );
}

function withinText(pairs: readonly CellPair[], format: (ratio: number) => string): string {
  return spanText(
    pairs.flatMap(({ interval }) => interval),
    format,
  );
}

/** Costs fall with the ratio: the lower text comes first. */
function spanText(ratios: readonly number[], format: (ratio: number) => string): string {
  const ends = [Math.min(...ratios), Math.max(...ratios)];
  const [low, high] = (format === costText ? ends.reverse() : ends).map(format);
  return low === high ? `${low}` : `${low} to ${high}`;
}

function restText(pairs: readonly CellPair[], told: readonly CellPair[]): string {
  const rest = pairs.length - told.length;
  return rest === 0 ? '' : `; in ${rest} no difference was shown`;
}

/** What parallel streams bring, in one sentence; empty if their number does not vary. */
function streamsSentence(pairs: readonly CellPair[]): string[] {
  const known = pairs.filter(({ estimate }) => !Number.isNaN(estimate));
  if (known.length === 0) return [];
  if (known.length > maxAlike) {
    const told = known.filter(isTold);
    const ratios = told.length === 0 ? '' : `: ${rangeText(told, formatRatio)} the throughput of the fewest`;
    return [`More streams made a difference in ${told.length} of ${known.length} settings${ratios}.`];
  }
  const texts = known.map((pair) => {
    const { baseline, candidate, estimate, interval } = pair;
    const ratio = `${formatRatio(estimate)}${isBounded(pair) ? ` ${formatRatioInterval(interval)}` : ''}`;
    const shown = isTold(pair) ? '' : ', not shown to differ';
    return `${protocolName(candidate.protocol)} ${candidate.operation}, ${candidate.streams} streams moved ${ratio} as much as ${baseline.streams}${shown}`;
  });
  return [`${texts.join('; ')}.`];
}

function savingSentence(pair: CellPair): string {
  const { baseline, candidate, estimate } = pair;
  if (Number.isNaN(estimate))
    return `Flight cannot be compared with ${protocolName(baseline.protocol)}: no valid repetition.`;
  const other = protocolName(baseline.protocol);
  const many = `${timesText(estimate)} times as many rows per second`;
  const finding = isUnclear(pair)
    ? `No difference between Flight and ${other} was shown: ${many}`
    : `Flight moved ${many} as ${other}`;
  return `${finding} (${intervalText(pair, timesText)}; ${settingOf(candidate)}${caveats(pair)}).`;
}

function tlsSentence(pair: CellPair): string {
  const { candidate, estimate } = pair;
  if (Number.isNaN(estimate)) return `What TLS costs (${settingOf(candidate)}) cannot be told: no valid repetition.`;
  const cost = `${costText(estimate)} of the throughput`;
  const finding = isUnclear(pair) ? `No cost of TLS was shown: ${cost}` : `TLS cost ${cost}`;
  return `${finding} (${costInterval(pair)}; ${settingOf(candidate)}${caveats(pair)}).`;
}

/** Whether the interval is known and includes differences in both directions. */
function isUnclear(pair: CellPair): boolean {
  return isBounded(pair) && !isTold(pair);
}

function costInterval(pair: CellPair): string {
  const [low, high] = pair.interval;
  return isBounded(pair) ? `95% interval ${costText(high)} to ${costText(low)}` : 'interval unknown';
}

function costSentence(pair: CellPair): string {
  const { baseline, candidate, estimate } = pair;
  if (Number.isNaN(estimate)) return `What ${rulesText(candidate)} cost cannot be told: no valid repetition.`;
  const interval = costInterval(pair);
  const than = rulesOf(baseline) < 0 ? 'no enforcement' : rulesText(baseline);
  const setting = `${interval}; ${settingOf(candidate)}${caveats(pair)}`;
  const cost = `${costText(estimate)} of the throughput in rows`;
  if (isUnclear(pair)) return `No cost of ${rulesText(candidate)} was shown: ${cost} against ${than} (${setting}).`;
  const gain = estimate > 1 ? ', more rows having gone through,' : '';
  return `${capital(rulesText(candidate))} cost ${cost}${gain} against ${than} (${setting}).`;
}

/** @param format formats an end of the interval */
function intervalText(pair: CellPair, format: (ratio: number) => string): string {
  const [low, high] = pair.interval;
  return isBounded(pair) ? `95% interval ${format(low)} to ${format(high)}` : 'interval unknown';
}

/** Caveats of a pair. */
function caveats({ baseline, candidate }: CellPair): string {
  const flags = [baseline, candidate].flatMap(({ group }) => Object.keys(group.figures?.flags ?? {}));
  return [
    flags.includes('host-saturated') ? '; on a saturated host' : '',
    flags.includes('generator-limited') ? '; the generator was the limit, which hides differences of the service' : '',
  ].join('');
}

function rulesText({ levels }: TransferCell): string {
  const rules = levels.rules ?? levels['topology.rules'];
  return rules === undefined ? `the rules (${levels.architecture})` : `the rules ${rules}`;
}

function settingOf({ operation, streams, rows }: TransferCell): string {
  return `${operation}, ${counted(streams, 'stream')} of ${formatCount(rows)} rows`;
}

function described(cell: TransferCell): string {
  return [protocolName(cell.protocol), settingOf(cell), ...(cell.others ? [cell.others] : [])].join(', ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Names the Flight servers of a run if one of them is not the service of topo-bench.
 * @returns empty if the service of topo-bench moved all rows
 */
function serverSentences(cells: readonly TransferCell[]): string[] {
  const moved = cells
    .flatMap(({ group: { valid, invalid } }) => [...valid, ...invalid])
    .flatMap(({ flight }: TransferEntry) => flight ?? []);
  const servers = new Map(moved.flatMap(({ server }) => (server ? [[server.name, server.version] as const] : [])));
  const names = [...servers].map(([name, version]) => (version === undefined ? name : `${name} ${version}`));
  if (![...servers.keys()].some((name) => name !== 'topo-bench')) return [];
  return [`${names.length === 1 ? 'Flight server' : 'Flight servers'}: ${names.join(', ')}.`];
}
