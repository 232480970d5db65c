/**
 * The metrics that can be compared or gated, by name and alias. Names are paths in an entry of `cells.json` without the
 * unit suffix (`rtt.median`). Aliases include k6's abbreviations (`med`, `avg`, `p(95)`).
 */
import { nearestName, TopoBenchError } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import {
  commonRows,
  metricByPart,
  namesByPart,
  statisticNamed,
  statistics,
  summaryMetric,
  totals,
} from './common-metrics.ts';
import { type Metric, type MetricRows, own } from './metric.ts';

/** Default metric of a comparison, unless the study has its own. */
export const defaultMetric = 'rtt.median';

/** Metrics that one kind of study adds to the common ones. */
export interface StudyMetrics extends MetricRows {
  /** A repetition is one or a few operations, such as the read of a table: its statistics have no minimum count. */
  hasFewOperations?: true;
  /** Whether a cell is of this study. */
  has(cell: Cell): boolean;
  /** Name of the metric that compares its cells by default. */
  defaultMetric: string;
}

export class MetricTable {
  readonly #studies: readonly StudyMetrics[];
  readonly #intervals: NonNullable<MetricRows['intervals']>;
  readonly #single: NonNullable<MetricRows['single']>;
  readonly #aliases: NonNullable<MetricRows['aliases']>;
  /** Names that do not depend on cells; `names` adds those by role, category of data or class. */
  readonly #fixedNames: readonly string[];

  /** @param studies kinds of study with comparable cells; the first that has a given cell sets its default metric */
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

  /** Name of the default metric of these cells. */
  defaultOf(cells: readonly Cell[]): string {
    return this.#studies.find(({ has }) => cells.some(has))?.defaultMetric ?? defaultMetric;
  }

  /**
   * The metric with a name or alias. `responseTime` is short for `responseTime.median`, `p95` for `rtt.p95`.
   * @param cells entries whose metrics are suggested when the name is unknown
   * @throws TopoBenchError `TB_METRIC_UNKNOWN`
   */
  named(text: string, cells: readonly Cell[] = []): Metric {
    const metric = this.#find(text.trim());
    if (metric) return metric;
    throw this.#unknown(text, cells);
  }

  /**
   * As `named`, for a metric that at least one of the cells has.
   * @throws TopoBenchError `TB_METRIC_UNKNOWN`
   */
  of(cells: readonly Cell[], text: string): Metric {
    const metric = this.named(text, cells);
    if (cells.length > 0 && cells.every((cell) => metric.read(cell) === undefined)) {
      if (!this.#fixedNames.includes(metric.name)) throw this.#unknown(text, cells);
      throw new TopoBenchError('TB_METRIC_UNKNOWN', `no repetition has ${metric.name}`, {
        hint: 'choose a figure that is in `cells.json` of the run',
      });
    }
    return metric;
  }

  /** Names of all metrics of these cells, without aliases. */
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
    const hasFewOperations = (cell: Cell): boolean =>
      this.#studies.some((study) => study.hasFewOperations && study.has(cell));
    return summaryMetric(
      `${interval}.${statistic}`,
      statistic,
      (cell) => own(this.#intervals, interval)?.(cell),
      hasFewOperations,
    );
  }

  #unknown(text: string, cells: readonly Cell[]): TopoBenchError {
    const nearest = nearestName(text, [...this.names(cells), ...Object.keys(this.#aliases)]);
    const defaults = this.#studies.map((study) => study.defaultMetric).filter((name) => own(this.#single, name));
    const examples = [
      'rtt.median',
      'rtt.p95',
      'responseTime.p99',
      'cpuUsPerRequest.total',
      'errors.rate',
      'achievedRps',
    ];
    return new TopoBenchError('TB_METRIC_UNKNOWN', `there is no metric ${JSON.stringify(text)}`, {
      hint: nearest
        ? `did you mean "${nearest}"?`
        : `for example ${[...examples, ...defaults].join(', ')}; statistics: ${Object.keys(statistics).join(', ')}`,
    });
  }
}

/** Table without the metrics of any study. */
export const commonMetrics = new MetricTable([]);
