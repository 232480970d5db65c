/** Episodes of slow requests as a table of the page. */
import { factorHeading } from '@topo-bench/core';
import { causeText, episodesOf, episodeText } from '../../episode-text.ts';
import { formatCount, formatFigure } from '../../figure-text.ts';
import type { ReportModel } from '../../model/report-model.ts';
import { dataTable, folded } from '../data-table.ts';
import { html, type Markup } from '../safe-html.ts';

/** Nothing for results without such records, such as those of earlier versions. */
export function episodeTable(report: ReportModel): Markup | undefined {
  const text = episodeText(report);
  if (text === undefined) return undefined;
  const episodes = episodesOf(report);
  const columns = [
    ...report.factors.map(({ name }) => ({ heading: factorHeading(name) })),
    ...['repetition', 'at (s)', 'length (ms)', 'slow requests', 'slowest (ms)'].map((heading) => ({
      heading,
      number: true,
    })),
    { heading: 'cause', text: true },
  ];
  const rows = episodes.map(({ at, repetition, startMs, endMs, requests, slowestMs, cause }) => [
    ...report.factors.map(({ name }) => String(report.groups[at]?.factors[name] ?? '–')),
    String(repetition),
    (startMs / 1e3).toFixed(2),
    formatFigure(endMs - startMs),
    formatCount(requests),
    slowestMs === null ? 'unfinished' : formatFigure(slowestMs),
    causeText(cause) + (cause.durationMs === undefined ? '' : `, ${formatFigure(cause.durationMs)} ms`),
  ]);
  return html`<p>${text}</p>${
    episodes.length > 0 &&
    folded('Episodes of slow requests as a table', [
      dataTable(
        'episodes of slow requests',
        columns,
        rows,
        episodes.map(({ at }) => at),
      ),
      html`<p class="note">A request is slow when its response time is more than three times the interquartile range above the third quartile of its class in the repetition, and more than twice the median. An episode has at least three, close in time. Its cause is what lasted longest of one kind in one role while its most delayed request was in progress, if that is half of the delay.</p>`,
    ])
  }`;
}
