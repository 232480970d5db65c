/** Converts the report's figures to the input of the page's script, rounded to the precision of a screen. */
import { cellKey, describeLevel, groupedBy } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { causeText, type EpisodeOfCell, episodesOf } from '../episode-text.ts';
import { infiniteText } from '../figure-text.ts';
import { describeLevels } from '../model/factors.ts';
import type { ReportModel } from '../model/report-model.ts';
import { quantileGrid, type TimeFigures } from '../model/sample-figures.ts';
import { type TimeMetric, timeMetrics } from '../model/time-metric.ts';
import { type UsageTimeline, usageTimeline } from '../model/usage-timeline.ts';
import type { CellTimes, ChartCell, ChartData, ChartEpisode, ChartEvent, RepetitionUsage } from './chart-data.ts';
import { layOut } from './facets.ts';
import { colourVariable } from './palette.ts';
import { Markup } from './safe-html.ts';

/** Repetitions on a page whose use of processors is shown, about 5 kB each; at least one of each cell. */
const maxTimelines = 150;

/**
 * @param times time metrics that the page shows
 * @param lines panels of figures by level, by name of the figure
 * @param series panels of counts over time, by name of the figure
 * @param drawings of the topology, by architecture
 */
export function buildChartData(
  report: ReportModel,
  times: readonly TimeMetric[] = timeMetrics,
  lines: ChartData['lines'] = {},
  series: ChartData['series'] = {},
  drawings: ChartData['drawings'] = {},
): ChartData {
  const { factors, groups, sampleFigures, drainUs } = report;
  const { compared } = layOut(report);
  const varying = factors.filter(({ levels }) => levels.length > 1);
  const others = varying.filter((factor) => factor !== compared);
  const ofEach = Math.max(1, Math.floor(maxTimelines / groups.length));
  const episodes = groupedBy(episodesOf(report), ({ at }) => at);
  return {
    factors: varying.map(({ name, levels }) => ({ name, levels: levels.map((level) => describeLevel(name, level)) })),
    cells: groups.map(({ factors: levels, valid }, cell) => {
      const own = compared && levels[compared.name];
      const figures = sampleFigures.get(cellKey(levels));
      const usage = valid.flatMap((cell) => usageTimeline(cell, report.seriesOf) ?? []).slice(0, ofEach);
      const answered = new Map(figures?.answeredRps.map(({ repetition, rps }) => [repetition, rps]));
      return {
        levels: varying.map((factor) => factor.levels.indexOf(levels[factor.name] ?? '')),
        label: compared && own !== undefined ? describeLevel(compared.name, own) : 'all',
        colour: colourVariable(compared, own ?? ''),
        setting: describeLevels(others, levels),
        ...(figures && { times: Object.fromEntries(times.map((metric) => [metric, cellTimes(figures[metric])])) }),
        ...(episodes.has(cell) && { episodes: episodes.get(cell)?.map(chartEpisode) as ChartEpisode[] }),
        ...eventsOf(valid),
        ...(usage.length > 0 && { usage: usage.map(repetitionUsage) }),
        rates: valid.map(({ repetition, offeredRps, achievedRps }) => ({
          repetition,
          offered: offeredRps,
          sent: digits(achievedRps, 5) ?? 0,
          answered: digits(answered.get(repetition) ?? Number.NaN, 5),
        })),
      };
    }),
    quantiles: quantileGrid.map((q) => Number(q.toFixed(7))),
    infinite: infiniteText(drainUs, drawnUs(report)),
    times: [...times],
    lines,
    series,
    drawings,
  };
}

/** Every time that a chart may show. All charts share one text for unfinished requests. */
function* drawnUs({ sampleFigures }: ReportModel): Iterable<number> {
  for (const { rtt, responseTime } of sampleFigures.values()) {
    for (const { quantilesUs, repetitions } of [rtt, responseTime]) {
      yield* quantilesUs;
      for (const { medianUs, maxUs } of repetitions) {
        yield* medianUs;
        yield* maxUs;
      }
    }
  }
}

/**
 * JSON as the content of a script element. Escapes `<`, `>`, `&`, U+2028 and U+2029: the content can neither end the
 * element nor be parsed as markup.
 */
export function asJsonMarkup(data: unknown): Markup {
  const text = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new Markup(text);
}

function cellTimes({ count, unfinished, quantilesUs, repetitions }: TimeFigures): CellTimes {
  return {
    count,
    unfinished,
    quantilesMs: quantilesUs.map(toMs),
    repetitions: repetitions.map(({ repetition, spanUs, medianUs, maxUs }) => ({
      repetition,
      spanMs: Math.round(spanUs / 1e3),
      medianMs: medianUs.map(toMs),
      maxMs: maxUs.map(toMs),
    })),
  };
}

function chartEpisode({ repetition, startMs, endMs, requests, cause }: EpisodeOfCell): ChartEpisode {
  return { repetition, startMs, endMs, text: `${requests} slow requests, ${causeText(cause)}` };
}

function eventsOf(valid: readonly Cell[]): Pick<ChartCell, 'events'> {
  const events = valid.flatMap(({ repetition, events: own = [] }) =>
    own.flatMap(({ name, kind, begin, end, effects }): ChartEvent[] => {
      const { requestedUs } = begin;
      if (requestedUs === undefined) return [];
      // A change of rules ends with its last confirmation.
      const endUs = (kind === 'rules' ? begin : end)?.effectiveUs ?? Number.POSITIVE_INFINITY;
      const { lost = 0, failed = 0 } = effects ?? {};
      const text = `${name}: ${lost} lost, ${failed} failed`;
      // JSON has no infinity: a role that stays down is down beyond every load.
      return [
        { repetition, startMs: Math.round(requestedUs / 1e3), endMs: Math.min(1e9, Math.round(endUs / 1e3)), text },
      ];
    }),
  );
  return events.length === 0 ? {} : { events };
}

function repetitionUsage({ roles, ...timeline }: UsageTimeline): RepetitionUsage {
  return {
    ...timeline,
    roles: roles.map(({ busyShare, ...one }) => ({
      ...one,
      ...(busyShare && { busyPercent: busyShare.map((share) => share && digits(100 * share, 3)) }),
    })),
  };
}

function toMs(us: number): number | null {
  return digits(us / 1e3, 4);
}

/** Rounds to significant digits. Returns null for NaN and ±∞, which JSON cannot represent. */
function digits(value: number, most: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(most)) : null;
}
