/**
 * Every name under which a figure of `cells.json` can be compared or gated, with its aliases. Names are paths of the cell
 * entry without the unit suffix (`rtt.median`); k6's abbreviations (`med`, `avg`, `p(95)`) are understood.
 */
import { TopoBenchError } from '@topo-bench/core';
import { nearestName } from '@topo-bench/core/nearest-name';
import type { Cell } from '@topo-bench/core/schema/result';
import { commonRows, metricByPart, namesByPart, statisticNamed, statistics, totals } from './common-metrics.ts';
import { lower, type Metric, type MetricRows, own } from './metric.ts';

/** What cells are compared by, unless another figure is asked for or a study has another default. */
export const defaultMetric = 'rtt.median';

/** What one kind of study adds to the figures that every cell has. */
export interface StudyMetrics extends MetricRows {
  /** Whether a cell is of this study. */
  has(cell: Cell): boolean;
  /** Name of the figure that its cells are compared by. */
  defaultMetric: string;
}

export class MetricTable {
  readonly #studies: readonly StudyMetrics[];
  readonly #intervals: NonNullable<MetricRows['intervals']>;
  readonly #single: NonNullable<MetricRows['single']>;
  readonly #aliases: NonNullable<MetricRows['aliases']>;
  /** Names that every run has; those by role or category of data are added by `names`. */
  readonly #fixedNames: readonly string[];

  /** @param studies of which cells may be compared; the first that has a cell gives its default */
  constructor(studies: readonly StudyMetrics[]) {
    const rows: readonly MetricRows[] = [commonRows, ...studies];
    this.#studies = studies;
    this.#intervals = Object.assign({}, ...rows.map(({ intervals }) => intervals));
    this.#single = Object.assign({}, ...rows.map(({ single }) => single));
    this.#aliases = Object.assign({}, ...rows.map(({ aliases }) => aliases));
    this.#fixedNames = [
      ...Object.keys(this.#intervals).flatMap((interval) => Object.keys(statistics).map((one) => `${interval}.${one}`)),
      ...Object.keys(this.#single),
      ...totals,
    ];
  }

  /** Name of the figure that these cells are compared by, unless another one is asked for. */
  defaultOf(cells: readonly Cell[]): string {
    return this.#studies.find(({ has }) => cells.some(has))?.defaultMetric ?? defaultMetric;
  }

  /**
   * The metric of that name or alias. An interval alone means its median, a statistic alone that of `rtt`.
   * @param cells entries to draw suggestions from
   * @throws TopoBenchError `TB_METRIC_UNKNOWN`
   */
  named(text: string, cells: readonly Cell[] = []): Metric {
    const metric = this.#find(text.trim());
    if (metric) return metric;
    throw this.#unknown(text, cells);
  }

  /** As `named`, and some cell has it. */
  of(cells: readonly Cell[], text: string): Metric {
    const metric = this.named(text, cells);
    if (cells.length > 0 && cells.every((cell) => metric.read(cell) === undefined)) {
      if (!this.#fixedNames.includes(metric.name)) throw this.#unknown(text, cells);
      throw new TopoBenchError('TB_METRIC_UNKNOWN', `no repetition has ${metric.name}`, {
        hint: 'choose a figure that `cells.json` of the run holds',
      });
    }
    return metric;
  }

  /** All names that these cells can be compared by. */
  names(cells: readonly Cell[]): string[] {
    return [...new Set([...this.#fixedNames, ...namesByPart(cells)])];
  }

  #find(text: string): Metric | undefined {
    const alone = statisticNamed(text);
    if (alone !== undefined) return this.#summaryMetric('rtt', alone);
    const name = own(this.#aliases, text) ?? text;
    const fixed = own(this.#single, name);
    if (fixed) return { name, ...fixed };
    const interval = Object.keys(this.#intervals).find((known) => name === known || name.startsWith(`${known}.`));
    if (interval === undefined) return metricByPart(name);
    const statistic = statisticNamed(name.slice(interval.length + 1) || 'median');
    return statistic === undefined ? undefined : this.#summaryMetric(interval, statistic);
  }

  #summaryMetric(interval: string, statistic: string): Metric {
    const [summaryOf, key] = [own(this.#intervals, interval), own(statistics, statistic)];
    const read = (cell: Cell): number | undefined => key && summaryOf?.(cell)?.[key];
    return { name: `${interval}.${statistic}`, ...lower('us', read), scale: 'ratio' };
  }

  #unknown(text: string, cells: readonly Cell[]): TopoBenchError {
    const nearest = nearestName(text, [...this.names(cells), ...Object.keys(this.#aliases)]);
    const defaults = this.#studies.map((study) => study.defaultMetric).filter((name) => own(this.#single, name));
    const examples = ['rtt.median', 'rtt.p95', 'responseTime.p99', 'cpuUsPerRequest.total', 'errors.rate', 'achievedRps'];
    return new TopoBenchError('TB_METRIC_UNKNOWN', `there is no metric ${JSON.stringify(text)}`, {
      hint: nearest
        ? `did you mean "${nearest}"?`
        : `for example ${[...examples, ...defaults].join(', ')}; statistics: ${Object.keys(statistics).join(', ')}`,
    });
  }
}

/** Without the figures of any study. */
export const commonMetrics = new MetricTable([]);
