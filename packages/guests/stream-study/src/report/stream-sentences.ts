/** The answer to a stream study in sentences, the main one first. None claims more than its interval shows. */
import { costOfRounds } from '@topo-bench/comparison';
import { formatUs } from '@topo-bench/core';
import { formatCount } from '@topo-bench/report';
import { type ReportModel, sentencesBySubject, thresholdSentences } from '@topo-bench/report/model';
import type { Estimate } from '@topo-bench/stats';
import { intervalNeeds } from '@topo-bench/study-kit/interval-needs';
import { percentText } from '@topo-bench/study-kit/interval-text';
import { isBounded, isTold, ratioOf } from '@topo-bench/study-kit/repetition-effect';
import { timesText } from '@topo-bench/study-kit/span-text';
import type { StreamEntry } from '../parts.ts';
import { enginePairs } from './engine-tables.ts';
import {
  engineOfPair,
  enginesOfMany,
  fastestOfMany,
  latencyOfMany,
  sustainedOfMany,
  windowsOfMany,
} from './sentences-of-many.ts';
import {
  comparedCells,
  type StreamCell,
  spanOfLatency,
  streamCells,
  windowPairs,
  windowsText,
} from './stream-cells.ts';

export function streamSentences(report: ReportModel): string[] {
  const cells = streamCells(report);
  const measured = cells.filter(({ rates }) => rates.size > 0);
  if (measured.length === 0) return ['No repetition is valid.', ...checkSentences(cells)];
  const compared = comparedCells(measured);
  return [
    ...sentencesBySubject(compared, unitOf, fastestSentences, fastestOfMany),
    ...sentencesBySubject(compared, unitOf, sustainedSentence, sustainedOfMany),
    ...sentencesBySubject(windowPairs(measured), (pair) => pair.with.windows, windowSentence, windowsOfMany),
    ...sentencesBySubject(enginePairs(measured), engineOfPair, engineSentence, enginesOfMany),
    ...sentencesBySubject(compared, unitOf, latencySentence, latencyOfMany),
    ...recordedSentences(cells),
    ...intervalNeeds(
      measured.map(({ rates }) => rates),
      costOfRounds(report.runs),
    ),
    ...checkSentences(cells),
    ...thresholdSentences(report),
  ];
}

function unitOf([first]: readonly StreamCell[]): string {
  return (first as StreamCell).unit;
}

function conditionOf({ windows, others }: StreamCell): string {
  return [windowsText(windows), ...(others ? [others] : [])].join(', ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The fastest database against each of the others. */
function fastestSentences(cells: readonly StreamCell[]): string[] {
  const ranked = [...cells].sort((a, b) => b.figures.pointsPerSecond - a.figures.pointsPerSecond);
  const [best, ...others] = ranked as [StreamCell, ...StreamCell[]];
  const start = `${capital(conditionOf(best))}, ${best.name} takes ${rateOf(best)} ${best.unit}/s at full speed`;
  if (others.length === 0) return [`${start}.`];
  const compared = others.map((cell) => ({ cell, ratio: ratioOf(cell.rates, best.rates) }));
  const of = (finding: Finding): typeof compared => compared.filter(({ ratio }) => findingOf(ratio) === finding);
  const told = of('faster').map(({ cell, ratio }) => {
    const times = timesText(ratio.estimate);
    return `${times} times as many as ${cell.name} (${intervalText(ratio)})`;
  });
  const unknown = of('unknown').map(({ cell }) => `${cell.name} ${rateOf(cell)}`);
  return [
    ...of('equal').map(
      ({ cell, ratio }) =>
        `${capital(conditionOf(best))}, no difference was shown between ${best.name} and ${cell.name}, at ${rateOf(best)} ${best.unit}/s (${intervalText(ratio)}).`,
    ),
    ...(told.length > 0 ? [`${start}: ${told.join(', ')}.`] : []),
    ...(unknown.length > 0 ? [`${start}, ${unknown.join(', ')}: no difference is shown yet (interval unknown).`] : []),
  ];
}

type Finding = 'faster' | 'equal' | 'unknown';

function findingOf(ratio: Estimate): Finding {
  if (!isBounded(ratio)) return 'unknown';
  return isTold(ratio) ? 'faster' : 'equal';
}

function rateOf({ figures }: StreamCell): string {
  return formatCount(figures.pointsPerSecond);
}

function sustainedSentence(cells: readonly StreamCell[]): string[] {
  const known = cells.filter(({ sustained }) => sustained.size > 0);
  if (known.length === 0) return [];
  const rates = known.map(({ name, figures }) => `${name} ${formatCount(figures.sustainedPerSecond)}`);
  return [
    `${capital(conditionOf(known[0] as StreamCell))}, the database keeps up with (${(known[0] as StreamCell).unit}/s): ${rates.join(', ')}.`,
  ];
}

function windowSentence({ without, with: own }: ReturnType<typeof windowPairs>[number]): string {
  const ratio = ratioOf(without.rates, own.rates);
  const change = percentText(ratio.estimate);
  const known = isBounded(ratio);
  const within = known
    ? `95% interval ${percentText(ratio.interval[0])} to ${percentText(ratio.interval[1])}`
    : 'interval unknown';
  const where = own.others ? ` (${own.others})` : '';
  if (!known || !isTold(ratio)) {
    const subject = `${own.name}${where}: windows of ${own.windows}`;
    return `${subject} show no effect on throughput${known ? '' : ' yet'}: ${change} (${within}).`;
  }
  return `${own.name}${where}: windows of ${own.windows} change throughput by ${change} (${within}).`;
}

function engineSentence({ embedded, other }: ReturnType<typeof enginePairs>[number]): string {
  const ratio = ratioOf(embedded.rates, other.rates);
  const times = timesText(ratio.estimate);
  const start = `${capital(conditionOf(other))}, ${other.name} takes ${times} times as many ${other.unit}/s as on the embedded engine`;
  const shown = isBounded(ratio) && isTold(ratio) ? '' : ': no difference is shown';
  return `${start} (${intervalText(ratio)})${shown}.`;
}

function latencySentence(cells: readonly StreamCell[]): string[] {
  const [first] = cells;
  const entries: readonly StreamEntry[] = first?.group.valid ?? [];
  const rate = entries.find(({ stream }) => stream)?.stream?.paced.ratePerSecond;
  if (!first || rate === undefined) return [];
  const times = [...cells]
    .sort((a, b) => a.figures.endToEndP95Ms - b.figures.endToEndP95Ms)
    .map(({ name, figures }) => `${name} ${formatUs(figures.endToEndP95Ms * 1e3)}`);
  return [
    `At ${formatCount(rate)} ${first.unit}/s ${conditionOf(first)}, p95 from ${spanOfLatency(first.unit)}: ${times.join(', ')}.`,
  ];
}

/** Where recorded points are from: one sentence for each set of files, e.g. of several runs. */
function recordedSentences(cells: readonly StreamCell[]): string[] {
  const found = cells.flatMap(({ group, points }) =>
    [...group.valid, ...group.invalid].flatMap(({ stream }: StreamEntry) =>
      stream?.options.gpx === undefined ? [] : [{ files: String(stream.options.gpx), points }],
    ),
  );
  return [...new Set(found.map(({ files }) => files))].map((files) => {
    const numbers = new Set(found.filter((one) => one.files === files).map(({ points }) => formatCount(points)));
    return `The points are those of recorded tracks: ${[...numbers].join(' or ')} of ${files}.`;
  });
}

function checkSentences(cells: readonly StreamCell[]): string[] {
  const checks = cells.flatMap(({ group }) =>
    [...group.valid, ...group.invalid].flatMap(({ stream }: StreamEntry) => stream?.checked ?? []),
  );
  const sum = (of: (check: (typeof checks)[number]) => number): number =>
    checks.reduce((total, check) => total + of(check), 0);
  if (checks.length === 0) return [];
  const heatMaps = sum((check) => check.heatMaps);
  const answers = sum((check) => check.answers ?? 0);
  const wrong = sum((check) => check.wrong);
  if (wrong === 0) {
    return [
      ...(heatMaps > 0
        ? [`All ${formatCount(heatMaps)} heat maps are right: no crossing was lost or duplicated.`]
        : []),
      ...(answers > 0 ? [`All ${formatCount(answers)} answers are right.`] : []),
    ];
  }
  const what = [
    ...(heatMaps > 0 ? [`${formatCount(heatMaps)} heat maps`] : []),
    ...(answers > 0 ? [`${formatCount(answers)} answers`] : []),
  ].join(' and ');
  const [lost, duplicated] = [sum((check) => check.lost), sum((check) => check.duplicated)];
  return [
    `${formatCount(wrong)} cells${answers > 0 ? ' or answers' : ''} of ${what} are wrong: ${formatCount(lost)} crossings${answers > 0 ? ' or answers' : ''} lost, ${formatCount(duplicated)} duplicated. These repetitions are invalid.`,
  ];
}

function intervalText(ratio: Estimate): string {
  if (!isBounded(ratio)) return 'interval unknown';
  const [low, high] = ratio.interval.map(timesText);
  return `95% interval ${low} to ${high}`;
}
