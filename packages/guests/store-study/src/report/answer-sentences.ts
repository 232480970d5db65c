/** The answer of a store study in words: one setting as the headline, all settings in one sentence, what is missing. */
import { type CellComparison, type CostOfRounds, costOfRounds, furtherText, manyText } from '@topo-bench/comparison';
import { formatRatio, formatRatioInterval } from '@topo-bench/report';
import { type ReportModel, thresholdSentences, trendSentences } from '@topo-bench/report/model';
import { storeTime } from '../metrics.ts';
import { type StoreAnswer, type StoreFinding, type StoreSetting, storeAnswer } from './answer.ts';
import { judgeHypotheses, untestedSentence } from './hypotheses.ts';
import { studyCells } from './study-cells.ts';

/** The headline first; the page, the terminal and Markdown show the same words. */
export function storeSentences(model: ReportModel): string[] {
  const cells = studyCells(model);
  const untested = untestedSentence(cells, judgeHypotheses(cells));
  const trends = trendSentences(model, storeTime).shown;
  return [
    ...answerSentences(storeAnswer(model), costOfRounds(model.runs)),
    ...thresholdSentences(model),
    ...trends,
    ...untested,
  ];
}

/** @param answer undefined with fewer than two stores */
function answerSentences(answer: StoreAnswer | undefined, cost: CostOfRounds): string[] {
  if (!answer) return ['One store was measured, so there is nothing to compare; its figures follow.'];
  const { settings, notes } = answer;
  const remarks = notes.map((note) => `Note: ${note}.`);
  const chosen = headlineSetting(settings);
  if (!chosen || !comparisonsOf(settings).some((cell) => isShown(cell) || measuredRatio(cell) !== undefined))
    return ['No store can be compared with another: figures are missing.', ...remarks];
  if (!couldDecide(settings)) return [...undecided(answer, chosen, cost), ...remarks];
  return [
    `${sentenceStart(chosen)}: ${clauses(chosen.findings, answer.reference)}.`,
    ...(settings.length > 1 ? [overSettings(answer)] : []),
    ...reasons(settings),
    ...answer.limits,
    ...remarks,
  ];
}

/** The setting with the largest difference that is shown; if none is shown, with the largest one measured. */
function headlineSetting(settings: readonly StoreSetting[]): StoreSetting | undefined {
  const shown = (setting: StoreSetting): number =>
    Math.max(0, ...comparisonsOf([setting]).filter(isShown).map(distance));
  return settings.toSorted((a, b) => shown(b) - shown(a) || largest(b) - largest(a))[0];
}

function largest({ findings }: StoreSetting): number {
  return Math.max(...findings.map(sizeOf));
}

/** −1 without any figure: a setting of such findings is the headline only if no other has more. */
function sizeOf({ p95, throughput }: StoreFinding): number {
  if (p95 && measuredRatio(p95) !== undefined) return distance(p95);
  return measuredRatio(throughput) === undefined ? -1 : 0;
}

/** Distance of a ratio from 1, on the logarithmic scale. */
function distance(cell: CellComparison): number {
  const log = Math.abs(Math.log(ratioOf(cell)));
  return Number.isFinite(log) ? log : 0;
}

function comparisonsOf(settings: readonly StoreSetting[]): CellComparison[] {
  return settings.flatMap(({ findings }) => findings.flatMap(({ p95, throughput }) => [p95, throughput])).filter(known);
}

function known(cell: CellComparison | undefined): cell is CellComparison {
  return cell !== undefined;
}

/** Whether any comparison has as many repetitions as a difference needs to be shown. */
function couldDecide(settings: readonly StoreSetting[]): boolean {
  return comparisonsOf(settings).some((cell) => used(cell) >= cell.smallestRepetitions);
}

function used({ repetitions: { baseline, candidate } }: CellComparison): number {
  return Math.min(baseline.used, candidate.used);
}

/** Too few repetitions for any test: the figures, and what would decide. */
function undecided(
  { reference, settings }: StoreAnswer,
  { name, findings }: StoreSetting,
  cost: CostOfRounds,
): string[] {
  const all = comparisonsOf(settings);
  const most = Math.max(...all.map(used));
  const needed = Math.max(...all.map(({ smallestRepetitions }) => smallestRepetitions));
  const measured = findings.map((finding) => ({ ...finding, text: measuredClause(finding, reference) }));
  const texts = measured.flatMap(({ text }) => text ?? []);
  const without = measured.filter(({ text }) => text === undefined).map(({ store }) => store);
  const few = most === 1 ? 'One repetition decides nothing' : `${most} repetitions decide nothing`;
  return [
    `Measured ${most === 1 ? 'once' : `${most} times`}, ${name}: ${texts.join('; ')}.`,
    ...(without.length > 0 ? [`Without a figure to compare with ${reference}: ${without.join(', ')}.`] : []),
    `${few}: ${manyText(needed)} of every cell could show a difference${furtherText(needed, most, cost)}.`,
  ];
}

/** Undefined without a figure of both stores. */
function measuredClause({ store, p95, throughput }: StoreFinding, reference: string): string | undefined {
  const [time, rate] = [measuredRatio(p95), measuredRatio(throughput)];
  if (time === undefined) {
    if (rate === undefined) return undefined;
    const [better, worse] = rate < 1 ? [reference, store] : [store, reference];
    return `${better} served ${formatRatio(rate < 1 ? 1 / rate : rate)} as many requests as ${worse}`;
  }
  const [better, worse] = time > 1 ? [reference, store] : [store, reference];
  const faster = `${better} answered ${formatRatio(time > 1 ? time : 1 / time)} faster at p95 than ${worse}`;
  if (rate === undefined) return faster;
  return `${faster} and served ${formatRatio(better === reference ? 1 / rate : rate)} as many requests`;
}

function measuredRatio(cell: CellComparison | undefined): number | undefined {
  const ratio = cell ? ratioOf(cell) : Number.NaN;
  return Number.isFinite(ratio) && ratio > 0 ? ratio : undefined;
}

/** Findings of a setting; stores that cannot be told from the reference share a clause. */
function clauses(findings: readonly StoreFinding[], reference: string): string {
  const shown = findings.flatMap((finding) => clause(finding, reference) ?? []);
  const others = findings.filter((finding) => clause(finding, reference) === undefined);
  const open = others.filter((finding) => sizeOf(finding) >= 0).map(({ store }) => store);
  const without = others.filter((finding) => sizeOf(finding) < 0).map(({ store }) => store);
  const rest =
    open.length === 0
      ? []
      : [
          open.length === 1
            ? `${open[0]} and ${reference} cannot be told apart`
            : `${open.join(', ')} cannot be told from ${reference}`,
        ];
  const figureless =
    without.length === 0
      ? []
      : [`${without.join(', ')} ${without.length === 1 ? 'has' : 'have'} no figure to compare with ${reference}`];
  return [...shown, ...rest, ...figureless].join('; ');
}

/** Undefined if neither metric has a finding. */
function clause({ store, p95, throughput }: StoreFinding, reference: string): string | undefined {
  const names = (cell: CellComparison): [better: string, worse: string] =>
    cell.verdict === 'faster' ? [store, reference] : [reference, store];
  const [time, rate] = [p95 && isShown(p95), throughput && isShown(throughput)];
  if (p95 && time) {
    const [better, worse] = names(p95);
    // Without a finite ratio where requests of one store never ended.
    const size = measuredRatio(p95) === undefined ? '' : `${ratioText(p95, 'lower')} `;
    const first = `${better} answers ${size}faster at p95 than ${worse}`;
    if (!throughput || !rate)
      return first + (throughput?.verdict === 'no difference seen' ? ' and serves as many' : '');
    const other = names(throughput)[0];
    const many = `serves ${ratioText(throughput, 'higher')} as many requests`;
    return other === better ? `${first} and ${many}` : `${first}, but ${other} ${many}`;
  }
  if (throughput && rate) {
    const [better, worse] = names(throughput);
    return `${better} serves ${ratioText(throughput, 'higher')} as many requests as ${worse}, and no difference at p95 is shown`;
  }
  const alike = (cell: CellComparison | undefined): boolean => cell?.verdict === 'no difference seen';
  return alike(p95) && alike(throughput) ? `${store} and ${reference} differ by less than 5%` : undefined;
}

function isShown({ verdict }: CellComparison): boolean {
  return verdict === 'faster' || verdict === 'slower';
}

/** Candidate divided by reference. */
export function ratioOf({ differencePercent }: CellComparison): number {
  return 1 + differencePercent / 100;
}

/** Ends are 0 and +∞ with too few repetitions. */
export function ratioInterval({ intervalPercent: [low, high] }: CellComparison): [low: number, high: number] {
  return [1 + low / 100, 1 + high / 100];
}

/** `14.0× [12.9, 15.2]`, 1 or above: of the better side. */
function ratioText(cell: CellComparison, better: 'lower' | 'higher'): string {
  const [low, high] = ratioInterval(cell);
  const turn = (cell.verdict === 'faster') === (better === 'lower');
  const [ratio, interval]: [number, [number, number]] = turn
    ? [1 / ratioOf(cell), [1 / high, 1 / low]]
    : [ratioOf(cell), [low, high]];
  return `${formatRatio(ratio)} ${formatRatioInterval(interval)}`;
}

/** The p95 of every store over all settings, in one sentence. */
function overSettings({ reference, settings }: StoreAnswer): string {
  const stores = [...new Set(settings.flatMap(({ findings }) => findings.map(({ store }) => store)))];
  const texts = stores.map((store) => {
    const findings = settings.flatMap((setting) => setting.findings.filter((finding) => finding.store === store));
    const cells = findings.flatMap(({ p95 }) => p95 ?? []).filter((cell) => isShown(cell) || measuredRatio(cell));
    const parts = (['faster', 'slower', 'no difference seen', 'cannot tell'] as const).flatMap((verdict) => {
      const found = cells.filter((cell) => cell.verdict === verdict);
      return found.length === 0 ? [] : [`${verdictNames[verdict]} in ${found.length}${rangeOf(found)}`];
    });
    const without = findings.length - cells.length;
    if (without > 0) parts.push(`without a figure in ${without}`);
    return `${store} is ${parts.join(', ')}`;
  });
  return `At p95 over ${settings.length} settings, compared with ${reference}: ${texts.join('; ')}.`;
}

const verdictNames = {
  faster: 'faster',
  slower: 'slower',
  'no difference seen': 'alike',
  'cannot tell': 'not told apart',
} as const;

function rangeOf(cells: readonly CellComparison[]): string {
  if (!cells.every(isShown)) return '';
  const sizes = cells.filter((cell) => measuredRatio(cell) !== undefined).map((cell) => Math.exp(distance(cell)));
  if (sizes.length === 0) return '';
  const [low, high] = [formatRatio(Math.min(...sizes)), formatRatio(Math.max(...sizes))];
  return ` (${low === high ? low : `${low} to ${high}`})`;
}

/** Why comparisons with enough repetitions are undecided, if the reason is another than the spread. */
function reasons(settings: readonly StoreSetting[]): string[] {
  const all = comparisonsOf(settings);
  const known = all.flatMap(({ reason }) => (reason && !reason.startsWith('the interval is wider') ? [reason] : []));
  return [...new Set(known)].map((reason) => {
    const count = known.filter((one) => one === reason).length;
    return `Not decided in ${count} of ${all.length} comparisons: ${reason.replace(/: /, ', ')}.`;
  });
}

function sentenceStart({ name }: StoreSetting): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
