/**
 * The answer of a run of bulk transfers, in sentences: the fastest transfer, savings of Flight, cost of TLS and rules.
 */
import { formatCount, formatRatio } from '@topo-bench/report';
import { type ReportModel, thresholdSentences } from '@topo-bench/report/model';
import { fastestSentence } from './fastest-transfer.ts';
import {
  type CellPair,
  costText,
  governancePairs,
  isBounded,
  isTold,
  protocolPairs,
  repetitionsNeeded,
  rulesOf,
  tlsPairs,
} from './pairs.ts';
import { serverSentences } from './servers.ts';
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
  const pairs = [...protocolPairs(cells), ...tlsPairs(cells), ...governancePairs(cells)];
  return [
    fastestSentence(cells, described),
    ...protocolPairs(cells).map(savingSentence),
    ...tlsPairs(cells).map(tlsSentence),
    ...governancePairs(cells).map(costSentence),
    ...(pairs.some((pair) => !isBounded(pair))
      ? [`An interval needs ${repetitionsNeeded} valid repetitions of both cells.`]
      : []),
    ...serverSentences(cells),
    ...thresholdSentences(report),
  ];
}

/** `31.0`, for use before the word "times". */
function times(ratio: number): string {
  return formatRatio(ratio).replace('×', '');
}

function savingSentence(pair: CellPair): string {
  const { baseline, candidate, estimate } = pair;
  if (Number.isNaN(estimate))
    return `Flight cannot be compared with ${protocolName(baseline.protocol)}: no valid repetition.`;
  const other = protocolName(baseline.protocol);
  const many = `${times(estimate)} times as many rows per second`;
  const finding = isUnclear(pair)
    ? `No difference between Flight and ${other} was shown: ${many}`
    : `Flight moved ${many} as ${other}`;
  return `${finding} (${intervalText(pair, times)}; ${settingOf(candidate)}${caveats(pair)}).`;
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
  return `${operation}, ${streams} ${streams === 1 ? 'stream' : 'streams'} of ${formatCount(rows)} rows`;
}

function described(cell: TransferCell): string {
  return [protocolName(cell.protocol), settingOf(cell), ...(cell.others ? [cell.others] : [])].join(', ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
