/** The answer in sentences: a headline, then a sentence per kind of verdict with its levels. */
import {
  agreementOdds,
  type CellComparison,
  type ForeignLoad,
  formatChange,
  formatChangeInterval,
  isSeen,
  percentText,
  type RoundsDifference,
} from '@topo-bench/comparison';
import { counted, describeLevel, factorWords, formatUs } from '@topo-bench/core';
import { formatRatio } from '@topo-bench/report';
import { enforces, type Factor, type Level } from '@topo-bench/report/model';
import { type Answer, type Contender, isShown, type Setting } from './answer.ts';

/** @param infinite how an unfinished request's time is written; @returns the headline first */
export function answerSentences(answer: Answer, infinite: string): string[] {
  const { compared, settings, limits, spread, notes } = answer;
  const remarks = notes.map((note) => `Note: ${note}.`);
  if (settings.every(({ contenders }) => contenders.length < 2)) {
    return ['There are no two cells with valid figures to compare.', ...remarks];
  }
  const [only] = settings;
  const first =
    settings.length === 1 && only
      ? [headlineOfOne(answer, only), ...lowestOfOne(compared, only, infinite), ...verdictsOfOne(answer, only)]
      : [...(severalEnforce(compared) ? [headlineOfMany(compared, settings)] : []), ...comparisons(answer)];
  return [
    ...first,
    ...saturation(settings),
    ...foreignLoad(answer),
    ...(answer.inTurns ? [turnsSentence] : []),
    ...limits,
    ...(spread === undefined ? [] : [spread]),
    ...remarks,
  ];
}

const turnsSentence =
  'Levels took turns, with the processes of all of them alive: compare them with each other. Absolute times differ from those of levels that were measured one after the other.';

/** The findings of the comparison. */
function headlineOfOne({ compared, reference }: Answer, { contenders }: Setting): string {
  const cells = comparedWithReference(contenders);
  const other = describeLevel(compared.name, reference);
  const shown = cells.filter(({ cell }) => isShown(cell));
  const seen = cells.filter(({ cell }) => isSeen(cell));
  const what = 'in the median round-trip time';
  if (shown.length > 0) {
    const differences = shown.map(
      ({ level, cell }) => `${describeLevel(compared.name, level)} ${formatChange(cell.differencePercent)}`,
    );
    const more = seen.length === 0 ? '' : `; seen, but not shown: ${listed(seen.map(seenText), 'and')}`;
    return `Shown ${what}, compared with ${other}${then(other)} ${listed(differences, 'and')}${more}.`;
  }
  if (seen.length > 0)
    return `Seen, but not shown, ${what}, compared with ${other}${then(other)} ${listed(seen.map(seenText), 'and')}.`;
  const namesOf = (some: readonly ComparedLevel[]): string =>
    listed(
      some.map(({ level }) => describeLevel(compared.name, level)),
      'or',
    );
  if (cells.length === 0) return `Nothing could be compared with ${other}.`;
  const equal = cells.filter(({ cell }) => cell.verdict === 'no difference seen');
  const open = cells.filter(({ cell }) => cell.verdict === 'cannot tell');
  const doubt = `whether it differs between ${other} and ${namesOf(open)} cannot be told`;
  if (equal.length === 0) {
    const [only, ...others] = open.map(({ cell }) => cell.intervalPercent);
    const within =
      only?.every(Number.isFinite) && others.length === 0 ? `: the 95% interval is ${formatChangeInterval(only)}` : '';
    return `Whether the median round-trip time differs between ${other} and ${namesOf(open)} cannot be told${within}.`;
  }
  const none = `No difference that matters ${what} is seen between ${other} and ${namesOf(equal)}`;
  return `${none}${open.length === 0 ? '' : `; ${doubt}`}.`;

  function seenText({ level, cell }: ComparedLevel): string {
    return `${describeLevel(compared.name, level)} ${seenDifference(cell)}`;
  }
}

/** The difference of all rounds where they agree, since few rounds have no interval; else with its interval. */
function seenDifference({ differencePercent, intervalPercent: [low, high], agreeing }: CellComparison): string {
  if (agreeing && low <= 0 && high >= 0)
    return `${formatChange(agreeing.differencePercent)} (so in all ${agreeing.rounds} rounds, by chance in ${agreementOdds(agreeing.rounds)})`;
  return `${formatChange(differencePercent)} (95% interval ${formatChangeInterval([low, high])})`;
}

/** With one level of enforcement, there is no fastest of them to name. */
function severalEnforce(compared: Factor): boolean {
  return compared.levels.filter((level) => enforces(compared, level)).length > 1;
}

/** The measured figures, with or without a finding. */
function lowestOfOne(compared: Factor, { lowest, contenders }: Setting, infinite: string): string[] {
  if (!lowest && !severalEnforce(compared)) return [];
  if (!lowest) return ['No lowest median can be named: figures are missing, or most requests never finished.'];
  const none = contenders.find(({ level }) => !enforces(compared, level));
  const comparedWithNone = none
    ? `, ${formatRatio(lowest.medianUs / none.medianUs)} the ${formatUs(none.medianUs, infinite)} of ${describeLevel(compared.name, none.level)}`
    : '';
  const lowestText = `${describeLevel(compared.name, lowest.level)} with ${formatUs(lowest.medianUs, infinite)}`;
  const source = lowest.isSimulated ? 'simulated' : 'measured';
  return [`Lowest median ${source}${among(compared)}: ${lowestText}${comparedWithNone}.`];
}

interface ComparedLevel {
  level: Level;
  cell: CellComparison;
}

function comparedWithReference(contenders: readonly Contender[]): ComparedLevel[] {
  return contenders.flatMap(({ level, againstReference: cell }) => (cell ? [{ level, cell }] : []));
}

/** One sentence per kind of verdict, against the reference and against the lowest level. */
function verdictsOfOne({ compared, reference }: Answer, { contenders, lowest }: Setting): string[] {
  const byKind = new Map<string, string[]>();
  const withLowest = contenders.flatMap(({ level, againstLowest: cell }) =>
    cell && lowest ? [{ level, cell, other: lowest.level }] : [],
  );
  const order = (cell: CellComparison): number => (isShown(cell) ? 0 : cell.verdict === 'no difference seen' ? 1 : 2);
  const cells = [...comparedWithReference(contenders).map((one) => ({ ...one, other: reference })), ...withLowest];
  for (const { level, cell, other } of cells.sort((a, b) => order(a.cell) - order(b.cell))) {
    const kind = kindOf(cell, describeLevel(compared.name, other));
    byKind.set(kind, [...(byKind.get(kind) ?? []), `${describeLevel(compared.name, level)} ${differenceText(cell)}`]);
  }
  return [...byKind].map(([kind, levels]) => `${kind}${then(kind)} ${levels.join('; ')}.`);
}

function kindOf({ verdict, reason }: CellComparison, other: string): string {
  if (verdict === 'no difference seen') return `No difference from ${other} that matters is seen`;
  // The text after the colon is an explanation, which another sentence of the answer gives.
  if (verdict === 'cannot tell')
    return `Cannot be told from ${other}, since ${reason?.split(': ')[0] ?? 'no reason is given'}`;
  return `${verdict[0]?.toUpperCase()}${verdict.slice(1)} than ${other}`;
}

/** A name of a level may have a colon: `seats of booking: 20KB`. */
function then(before: string): string {
  return before.includes(':') ? ' –' : ':';
}

/** Another sentence has the number of repetitions that an interval needs. */
function differenceText({ differencePercent, intervalPercent }: CellComparison): string {
  if (!Number.isFinite(differencePercent)) return '(no figure)';
  const isKnown = Number.isFinite(intervalPercent[1]);
  const interval = isKnown ? ` (95% interval ${formatChangeInterval(intervalPercent)})` : '';
  return `${formatChange(differencePercent)}${interval}`;
}

function listed(texts: readonly string[], word: string): string {
  const last = texts.at(-1) ?? '';
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} ${word} ${last}`;
}

function headlineOfMany(compared: Factor, settings: readonly Setting[]): string {
  if (settings.every(({ lowest }) => !lowest)) {
    return 'No level can be named the fastest: figures are missing, or most requests never finished.';
  }
  const counts = new Map<Level, number>();
  for (const { lowest, isShown } of settings) {
    if (lowest && isShown) counts.set(lowest.level, (counts.get(lowest.level) ?? 0) + 1);
  }
  const [first, ...rest] = [...counts].sort((a, b) => b[1] - a[1]);
  if (!first)
    return `No ${factorWords(compared.name)} is shown to be the fastest${among(compared)} in any of ${settings.length} settings.`;
  const open = settings.length - [...counts.values()].reduce((sum, count) => sum + count, 0);
  const others = rest.map(([level, count]) => `, ${describeLevel(compared.name, level)} in ${count}`).join('');
  const none = open === 0 ? '' : `; in ${open} no ${factorWords(compared.name)} is shown to be the fastest`;
  return `${describeLevel(compared.name, first[0])} had the lowest median round-trip time${among(compared)} in ${first[1]} of ${settings.length} settings${others}${none}.`;
}

/** One sentence per level other than the reference. */
function comparisons({ compared, reference, settings }: Answer): string[] {
  const others = compared.levels.filter((level) => level !== reference);
  return others.flatMap((level) => {
    const cells = settings.flatMap(({ contenders }) => comparisonOf(contenders, level) ?? []);
    if (cells.length === 0) return [];
    const [one, other] = [describeLevel(compared.name, level), describeLevel(compared.name, reference)];
    return [verdictOnMany(cells, one, other)];
  });
}

function comparisonOf(contenders: readonly Contender[], level: Level): CellComparison | undefined {
  return contenders.find((contender) => contender.level === level)?.againstReference;
}

/** `sidecar against none, in 4 settings: faster in 3 by 9.7% to 27% (95% intervals within …); cannot tell in 1 (…).` */
export function verdictOnMany(cells: readonly CellComparison[], one: string, other: string): string {
  const parts = (['faster', 'slower', 'no difference seen', 'cannot tell'] as const).flatMap((verdict) => {
    const found = cells.filter((cell) => cell.verdict === verdict);
    return found.length === 0
      ? []
      : [`${verdict} in ${found.length}${verdict === 'cannot tell' ? whyNot(found) : sizeOf(found, verdict)}`];
  });
  return `${one} against ${other}, in ${counted(cells.length, 'setting')}: ${parts.join('; ')}.`;
}

/** The number of cells by reason, and the range that the intervals leave open, if they exclude anything. */
function whyNot(cells: readonly CellComparison[]): string {
  const byReason = new Map<string, CellComparison[]>();
  for (const cell of cells) {
    // The text after the colon is an explanation. Next to other reasons, the reason alone is enough.
    const reason = cell.reason?.split(': ')[0] ?? 'no reason given';
    byReason.set(reason, [...(byReason.get(reason) ?? []), cell]);
  }
  const parts = [...byReason].map(([reason, found]) => {
    const count = byReason.size === 1 ? '' : ` in ${found.length}`;
    const [low, high] = intervalOver(found);
    const interval = Number.isFinite(low) && high < widestTold ? `, within ${formatChangeInterval([low, high])}` : '';
    return `${reason}${count}${interval}`;
  });
  return ` (${parts.join('; ')})`;
}

/** In %; a wider interval does not help a reader. */
const widestTold = 1000;

function intervalOver(cells: readonly CellComparison[]): [number, number] {
  const ends = cells.map(({ intervalPercent }) => intervalPercent);
  return [Math.min(...ends.map(([low]) => low)), Math.max(...ends.map(([, high]) => high))];
}

/** Smallest and largest difference, and the union of their intervals. */
function sizeOf(cells: readonly CellComparison[], verdict: CellComparison['verdict']): string {
  if (verdict !== 'faster' && verdict !== 'slower') return '';
  const sizes = cells.map(({ differencePercent }) => Math.abs(differencePercent)).sort((a, b) => a - b);
  const [least, most] = [percentText(sizes[0] as number), percentText(sizes.at(-1) as number)];
  return ` by ${least === most ? least : `${least} to ${most}`} (95% ${cells.length === 1 ? 'interval' : 'intervals within'} ${formatChangeInterval(intervalOver(cells))})`;
}

function saturation(settings: readonly Setting[]): string[] {
  const saturated = settings.filter(({ contenders }) => contenders.some((contender) => contender.saturated)).length;
  if (saturated === 0) return [];
  const where = settings.length === 1 ? 'The host was' : `In ${saturated} of ${settings.length} settings the host was`;
  return [
    `${where} saturated by what was measured: there the figures tell of queues for a processor, not where enforcement belongs.`,
  ];
}

/** The share of other programs, and what they may explain: rounds with and without them, apart. */
function foreignLoad({ compared, settings, inTurns }: Answer): string[] {
  const shares = settings
    .map(({ contenders }) => contenders.flatMap(({ foreignShare }) => foreignShare ?? []))
    .filter((all) => all.length > 0);
  if (shares.length === 0) return [];
  const largest = Math.max(...shares.flat().map(Number.parseFloat));
  const where = settings.length === 1 ? '' : ` in ${shares.length} of ${settings.length} settings`;
  const start = `Other programs had up to ${largest}% of the processors${where}`;
  const cells = settings.flatMap(({ contenders }) => comparedWithReference(contenders));
  const apart = cells.flatMap(({ level, cell: { foreign } }) =>
    foreign?.with && foreign.without ? [`${describeLevel(compared.name, level)} ${apartText(foreign)}`] : [],
  );
  if (settings.length === 1 && apart.length > 0) return [`${start}: ${apart.join('; ')}.`];
  const shown = cells.filter(({ cell }) => isShown(cell));
  const arePaired = inTurns && shown.every(({ cell }) => cell.pairing === 'by round');
  return [
    arePaired && shown.length > 0
      ? `${start}: rounds are compared in pairs, so they may change the size of a difference rather than its direction.`
      : `${start}: some of the differences may be theirs.`,
  ];
}

function apartText({ with: busy, without: quiet }: ForeignLoad): string {
  const text = ({ differencePercent, intervalPercent, rounds }: RoundsDifference): string => {
    const interval = formatChangeInterval(intervalPercent);
    return `${formatChange(differencePercent)}${interval === 'unknown' ? '' : ` (${interval})`} in ${counted(rounds, 'round')}`;
  };
  return `${text(quiet as RoundsDifference)} without them, ${text(busy as RoundsDifference)} with them`;
}

function among({ name }: Factor): string {
  return name === 'architecture' ? ' of those that enforce rules' : '';
}
