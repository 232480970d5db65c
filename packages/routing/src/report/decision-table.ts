/**
 * The figures that decide, in one table: time, CPU per request, exposed bytes, max rate where it was searched, and cost
 * per month at a price. CPU and exposure hardly depend on the noise of a machine.
 */
import { formatChange, type LevelEffect, levelEffects } from '@topo-bench/comparison';
import { cellKey, describeLevel, formatUs, TopoBenchError } from '@topo-bench/core';
import {
  costPerMonth,
  formatCount,
  formatFigure,
  formatMs,
  formatPrice,
  infiniteText,
  type Price,
} from '@topo-bench/report';
import {
  type CellFigures,
  type CellGroup,
  describeLevels,
  exposedBytes,
  type Level,
  numberColumn,
  type RateSearchReport,
  type ReportModel,
  type RowCells,
  type StudyTable,
  textColumn,
} from '@topo-bench/report/model';
import { type Answer, timesInAnswer } from './answer.ts';

type Priced = ReportModel & { price?: Price | undefined };

export function decisionTable(report: Priced, answer: Answer): StudyTable {
  const { compared, reference, settings } = answer;
  const varying = report.factors.filter(({ name, levels }) => name !== compared.name && levels.length > 1);
  const infinite = infiniteText(report.drainUs, timesInAnswer(answer));
  const rows = settings.flatMap(({ factors, contenders }) =>
    contenders.map(({ level, medianUs, againstReference: cell }) => {
      const at = indexOf(report, { ...factors, [compared.name]: level });
      const against = cell ? formatChange(cell.differencePercent) : level === reference ? 'reference' : '–';
      const texts = [
        ...(settings.length > 1 ? [describeLevels(varying, factors)] : []),
        describeLevel(compared.name, level),
        formatMs(medianUs, infinite),
        against,
        cell?.verdict ?? '',
        ...costTexts(report, report.groups[at]),
      ];
      return { texts, at };
    }),
  );
  return {
    id: 'decision',
    title: 'Time, CPU, exposure and cost',
    note: noteOf(report),
    columns: [
      ...(settings.length > 1 ? [textColumn('setting')] : []),
      textColumn(compared.name),
      numberColumn('median RTT ms'),
      numberColumn(`against ${describeLevel(compared.name, reference)}`),
      textColumn('verdict'),
      ...costColumns(report),
    ],
    rows: rows.map(({ texts }) => texts),
    cells: rows.map(({ at }): RowCells => (at < 0 ? undefined : at)),
  };
}

/** The max rates of a search: one row for each line, with the other figures at that rate. */
export function maxRateTable(report: Priced, { lines, isSimulated }: RateSearchReport): StudyTable {
  const infinite = infiniteText(report.drainUs);
  const source = isSimulated ? { source: 'simulated' } : {};
  return {
    id: 'decision',
    title: 'Max rate, time, CPU, exposure and cost',
    note: `Figures at the max rate of each line. ${noteOf(report)}`,
    columns: [
      textColumn('line'),
      numberColumn('max rate req/s'),
      numberColumn('median RTT ms'),
      ...costColumns(report),
    ],
    rows: lines.map(({ name, line, lowRps }) => {
      const group =
        lowRps === undefined ? undefined : report.groups[indexOf(report, { ...source, ...line, rate: lowRps })];
      const median = group?.figures ? formatMs(group.figures.rtt.medianUs, infinite) : '–';
      return [name, lowRps === undefined ? '–' : String(lowRps), median, ...costTexts(report, group)];
    }),
  };
}

function indexOf({ groups }: Priced, factors: CellGroup['factors']): number {
  const key = cellKey(factors);
  return groups.findIndex((group) => cellKey(group.factors) === key);
}

function costColumns({ price }: Priced): StudyTable['columns'] {
  return [
    numberColumn('CPU ms/req'),
    numberColumn('exposed B per 1,000 req'),
    ...(price ? [numberColumn('cost per month')] : []),
  ];
}

function costTexts({ price }: Priced, group: CellGroup | undefined): string[] {
  const { figures } = group ?? {};
  if (!group || !figures) return ['–', '–', ...(price ? ['–'] : [])];
  return [
    formatFigure(cpuUs(figures) / 1e3),
    formatCount(exposedPerThousand([group])),
    ...(price ? [formatPrice(price, costPerMonth(price, cpuUs(figures), figures.offeredRps))] : []),
  ];
}

function noteOf({ price }: Priced): string {
  const cost = price
    ? ` Cost: CPU time at the rate for 730 hours at ${formatPrice(price, price.perCoreHour)} per core hour, on cores in full use; leave room above it.`
    : '';
  return `CPU: all processes, less what they use idle. Exposed: refused bytes that had reached the node of their target; under none nothing is withheld.${cost}`;
}

function cpuUs({ cpuUsPerRequest }: CellFigures): number {
  return cpuUsPerRequest.total ?? Number.NaN;
}

function exposedPerThousand(groups: readonly CellGroup[]): number {
  const measured = groups.flatMap(({ factors, figures }) => (figures ? [{ factors, figures }] : []));
  const requests = measured.reduce(
    (sum, { figures: { outcomes } }) => sum + Object.values(outcomes).reduce((all, count) => all + count, 0),
    0,
  );
  const bytes = measured.reduce(
    (sum, { factors, figures: { exposureBytes } }) => sum + exposedBytes({ factors, exposureBytes }),
    0,
  );
  return requests === 0 ? Number.NaN : (1000 * bytes) / requests;
}

/** One plain sentence for each figure next to the time, which the answer has. */
export function decisionSentences(report: Priced, answer: Answer): string[] {
  return [...cpuSentence(report, answer), ...exposureSentence(report, answer), ...costSentence(report, answer)];
}

/** CPU per request of each level against the reference; empty for several runs. */
export function cpuEffects({ runs }: Pick<Priced, 'runs'>, { compared, reference }: Answer): LevelEffect[] {
  const [run, ...others] = runs;
  return !run || others.length > 0 ? [] : effectsOn(run, compared.name, String(reference));
}

function cpuSentence(report: Priced, answer: Answer): string[] {
  const { compared, reference, settings } = answer;
  const base = report.groups.flatMap(({ factors, figures }) =>
    figures && factors[compared.name] === reference ? [cpuUs(figures)] : [],
  );
  const effects = cpuEffects(report, answer);
  if (effects.length === 0 || base.length === 0) return [];
  const own = settings.length === 1 ? ` with ${formatUs(base[0] as number)}` : '';
  const areAll = effects.every((effect) => effect.settings === settings.length);
  const over = settings.length > 1 && areAll ? `, over ${settings.length} settings` : '';
  const texts = effects.map((effect) => {
    const part = areAll ? '' : `, over ${effect.settings} of ${settings.length} settings`;
    return `${describeLevel(compared.name, effect.level)} ${changeText(effect)}${part}`;
  });
  return [`CPU per request, against ${describeLevel(compared.name, reference)}${own}${over}: ${texts.join('; ')}.`];
}

function changeText({ verdict, differencePercent, agreeing }: LevelEffect): string {
  const change = formatChange(differencePercent);
  if (verdict === 'better' || verdict === 'worse' || verdict === 'faster' || verdict === 'slower')
    return `${change} (shown)`;
  if (verdict === 'no difference seen') return `${change} (no difference that matters)`;
  return `${change} (not shown${agreeing ? `, though so in all ${agreeing.rounds} rounds` : ''})`;
}

/** A report without this comparison is valid. */
function effectsOn(run: ReportModel['runs'][number], factor: string, reference: string): LevelEffect[] {
  try {
    return levelEffects(run, factor, { metric: 'cpuUsPerRequest.total', reference });
  } catch (error) {
    if (error instanceof TopoBenchError) return [];
    throw error;
  }
}

/** Exposed bytes per 1,000 requests, of the levels that enforce. */
export function exposedByLevel(
  { groups }: Pick<Priced, 'groups'>,
  { compared }: Answer,
): { level: Level; name: string; bytes: number }[] {
  const common = groupsOfAllLevels(groups, compared);
  return compared.levels.flatMap((level) => {
    const bytes = exposedPerThousand(common.filter(({ factors }) => factors[compared.name] === level));
    return Number.isNaN(bytes) ? [] : [{ level, name: describeLevel(compared.name, level), bytes }];
  });
}

function exposureSentence(report: Priced, answer: Answer): string[] {
  const byLevel = exposedByLevel(report, answer);
  if (byLevel.length === 0) return [];
  if (byLevel.every(({ bytes }) => bytes === 0)) return ['No refused byte was exposed.'];
  const texts = byLevel.map(({ name, bytes }) => `${name} ${formatCount(bytes)}`);
  return [
    `Exposed bytes per 1,000 requests: ${texts.join(', ')}. They follow from rules and placement, not from the machine.`,
  ];
}

/** Groups of the settings in which every level with figures has them: in others a level could seem to expose less. */
function groupsOfAllLevels(groups: readonly CellGroup[], { name }: Answer['compared']): CellGroup[] {
  const measured = groups.filter(({ figures }) => figures);
  const levels = new Set(measured.map(({ factors }) => factors[name])).size;
  const settingOf = ({ factors }: CellGroup): string => cellKey({ ...factors, [name]: '' });
  return measured.filter((group) => {
    return measured.filter((other) => settingOf(other) === settingOf(group)).length === levels;
  });
}

/** Cost per month of each level; empty without a price, and for several settings. */
export function costByLevel(
  { price, groups }: Pick<Priced, 'price' | 'groups'>,
  { compared, settings }: Answer,
): { level: Level; name: string; rps: number; cost: number }[] {
  if (!price || settings.length > 1) return [];
  return groups.flatMap(({ factors, figures }) => {
    const level = factors[compared.name] ?? '';
    const rps = figures?.offeredRps ?? Number.NaN;
    if (!figures) return [];
    return [{ level, name: describeLevel(compared.name, level), rps, cost: costPerMonth(price, cpuUs(figures), rps) }];
  });
}

function costSentence(report: Priced, answer: Answer): string[] {
  const { price } = report;
  const costs = costByLevel(report, answer);
  const [first] = costs;
  if (!first || !price) return [];
  const texts = costs.map(({ name, cost }) => `${name} ${formatPrice(price, cost)}`);
  const isOneRate = costs.every(({ rps }) => Math.abs(rps / first.rps - 1) < 0.1);
  const at = isOneRate ? ` at ${describeLevel('rate', Number(first.rps.toPrecision(4)))}` : '';
  return [`Processor time${at} costs per month: ${texts.join(', ')}.`];
}
