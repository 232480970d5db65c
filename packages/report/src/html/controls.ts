/** Form that selects the levels and the time metric of charts and tables. It is hidden until the page's script runs. */
import { counted, describeLevel, factorWords } from '@topo-bench/core';
import type { ReportModel } from '../model/report-model.ts';
import { type TimeMetric, timeMetricNames, timeMetrics } from '../model/time-metric.ts';
import { html, type Markup } from './safe-html.ts';

/** @param times time metrics to choose from; no choice with fewer than two */
export function controls({ factors, groups }: ReportModel, times: readonly TimeMetric[] = timeMetrics): Markup {
  const varying = factors.filter(({ levels }) => levels.length > 1);
  return html`<details class="controls" hidden><summary>Show: <span id="shown">all ${counted(groups.length, 'cell')}</span></summary><form>
${times.length > 1 && html`<fieldset><legend>time</legend>${times.map((metric, at) => html`<label><input type="radio" name="metric" value="${metric}"${at === 0 && html` checked`}>${timeMetricNames[metric]}</label>`)}</fieldset>`}
${varying.map(
  ({ name, levels }, factor) =>
    html`<fieldset><legend>${factorWords(name)}</legend>${levels.map((level, at) => html`<label><input type="checkbox" checked data-factor="${factor}" value="${at}">${describeLevel(name, level)}</label>`)}</fieldset>`,
)}
<p><button type="reset">Show all</button> <span class="quiet">Charts and tables follow; the result is always that of all cells.</span></p></form></details>`;
}
