/**
 * The answer of a store study: every store against the first one, by p95 of the response time and by throughput, in
 * every setting of the other factors. The reference does not depend on the figures, so the tests keep their error rate.
 */
import {
  type CellComparison,
  compareWithin,
  costOfRounds,
  MetricTable,
  sensitivitySentences,
} from '@topo-bench/comparison';
import { cellKey, counted, describeLevel, TopoBenchError } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { type Factor, type Level, type ReportModel, reportLevels } from '@topo-bench/report/model';
import { storeMetrics } from '../metrics.ts';
import type { StoreEntry } from '../parts.ts';

/** One store against the reference in one setting; a comparison is absent if one side has no valid repetition. */
export interface StoreFinding {
  store: string;
  p95?: CellComparison;
  throughput?: CellComparison;
}

export interface StoreSetting {
  /** E.g. `read-heavy, 100 clients`. */
  name: string;
  findings: StoreFinding[];
}

export interface StoreAnswer {
  /** Name of the first store. */
  reference: string;
  /** In the order of the report. */
  settings: StoreSetting[];
  /** What the comparisons could have seen; empty if each of them is decided. */
  limits: string[];
  notes: string[];
}

/** A closed load has no queue beyond its clients: its times can be compared on a saturated host, as its throughput. */
const isClosed = ({ rate }: FactorLevels): boolean => rate === undefined;
const p95 = 'store.p95';
const throughput = 'persistence.successRps';
const metrics = new MetricTable([
  {
    ...storeMetrics,
    single: {
      ...storeMetrics.single,
      [p95]: {
        unit: 'us',
        better: 'lower',
        scale: 'ratio',
        read: ({ persistence, responseTime }: StoreEntry) => (persistence ? responseTime.p95Us : undefined),
        isClosed,
      },
    },
  },
]);

/** Undefined with fewer than two stores. */
export function storeAnswer(model: Pick<ReportModel, 'runs' | 'factors' | 'groups'>): StoreAnswer | undefined {
  const stores = model.factors.find(({ name }) => name === 'store');
  const [reference, ...others] = stores?.levels ?? [];
  if (reference === undefined || others.length === 0) return undefined;
  const notes = new Set<string>();
  const found = {
    p95: comparisons(model, p95, String(reference), notes),
    throughput: comparisons(model, throughput, String(reference), notes),
  };
  const compared = [...found.p95.values(), ...found.throughput.values()];
  const isOpen = compared.some(({ verdict }) => verdict === 'cannot tell');
  return {
    reference: String(reference),
    settings: settingsOf(model, reference, found),
    limits: isOpen ? sensitivitySentences([...found.p95.values()], 0.05, costOfRounds(model.runs)) : [],
    notes: [...notes],
  };
}

/** By `cellKey` of the candidate's factors in the report. */
function comparisons(
  { runs }: Pick<ReportModel, 'runs'>,
  metric: string,
  reference: string,
  notes: Set<string>,
): Map<string, CellComparison> {
  const found = new Map<string, CellComparison>();
  for (const run of runs) {
    try {
      const { cells, notes: own } = compareWithin(run, 'store', { reference, metric, metrics });
      for (const note of own) notes.add(note);
      for (const cell of cells) {
        const levels = reportLevels(run, { factors: cell.factors, source: cell.source.candidate }, runs);
        found.set(cellKey(levels), cell);
      }
    } catch (error) {
      // A report without comparisons is valid.
      if (!(error instanceof TopoBenchError)) throw error;
      notes.add(error.message);
    }
  }
  return found;
}

function settingsOf(
  { factors, groups }: Pick<ReportModel, 'factors' | 'groups'>,
  reference: Level,
  found: Record<'p95' | 'throughput', Map<string, CellComparison>>,
): StoreSetting[] {
  const named = factors.filter(
    ({ name, levels }) => name !== 'store' && (levels.length > 1 || alwaysNamed.includes(name)),
  );
  const settings = new Map<string, StoreSetting>();
  for (const { factors: levels } of groups) {
    const { store, ...others } = levels;
    if (store === undefined) continue;
    const setting = settings.get(cellKey(others)) ?? { name: settingName(named, others), findings: [] };
    settings.set(cellKey(others), setting);
    if (store === reference) continue;
    const [time, rate] = [found.p95.get(cellKey(levels)), found.throughput.get(cellKey(levels))];
    if (!time && !rate) continue;
    setting.findings.push({ store: String(store), ...(time && { p95: time }), ...(rate && { throughput: rate }) });
  }
  return [...settings.values()].filter(({ findings }) => findings.length > 0);
}

/** Part of the name of a setting, even if they do not vary. */
const alwaysNamed = ['workload', 'connections', 'rate'];

function settingName(factors: readonly Factor[], levels: FactorLevels): string {
  const texts = factors.flatMap(({ name }) => {
    const level = levels[name];
    if (level === undefined) return [];
    if (name === 'workload') return [String(level)];
    return [name === 'connections' ? counted(level, 'client') : describeLevel(name, level)];
  });
  return texts.join(', ') || 'measured';
}
