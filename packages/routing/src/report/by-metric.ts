/** Content per time metric. The page shows the round-trip time until the reader selects another metric. */
import { type Content, html, type Markup } from '@topo-bench/report/html';
import { type TimeMetric, timeMetrics } from '@topo-bench/report/model';

export function byMetric(content: (metric: TimeMetric) => Content): Markup {
  return html`${timeMetrics.map((metric, at) => html`<div data-metric="${metric}"${at > 0 && html` hidden`}>${content(metric)}</div>`)}`;
}
