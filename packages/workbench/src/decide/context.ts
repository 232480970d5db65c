/** The context of a decision in words: the system as the cells of its runs have it. */
import { counted, factorWords, formatUs } from '@topo-bench/core';
import type { Price } from '@topo-bench/report';
import { formatPrice } from '@topo-bench/report';
import type { ExperimentCell } from '@topo-bench/trial';
import { factsOf, rangesOf } from './premise-facts.ts';

export interface DecisionContext {
  title: string;
  context: string[];
  question: string;
  drivers: string[];
}

/** @param cells at least one */
export function contextOf(cells: readonly ExperimentCell[], factor: string, price: Price | undefined): DecisionContext {
  const graphs = cells.map(({ graph }) => graph);
  const names = [...new Set(graphs.map(({ name }) => name))];
  const facts = rangesOf(graphs.map(factsOf));
  const nodes = rangeText(
    graphs.map((graph) => graph.nodes.length),
    'node',
  );
  const regions = [...new Set(graphs.flatMap((graph) => graph.nodes.map(({ region }) => region)))];
  const rates = cells.flatMap(({ settings: { load } }) => (load.driver === 'open' ? [load.rate] : []));
  const [, longestMs = 0] = facts.linkDelayMs ?? [];
  const rules = rangeText(facts.rules ?? [0], 'rule');
  const perService = rangeText(facts.rulesPerService ?? [0], 'of them', 'of them');
  const what = factorWords(factor) === 'architecture' ? 'enforcement architecture' : factorWords(factor);
  const system = names.length === 1 ? `The system ${names[0]}` : `The systems ${names.join(' and ')}`;
  return {
    title: `${what[0]?.toUpperCase()}${what.slice(1)} of ${names.join(' and ')}`,
    context: [
      `${system} sends a request through ${rangeText(facts.services ?? [0], 'service')} on ${nodes} in ${counted(regions.length, 'region')} (${regions.join(', ')}).`,
      `Its rule file has ${rules}; up to ${perService} can apply to one service.`,
      ...(longestMs > 0 ? [`Links delay a message by up to ${formatUs(1e3 * longestMs)}.`] : []),
      ...(rates.length > 0 ? [`Requests arrive at ${rangeText(rates, 'req/s', 'req/s')}.`] : []),
    ],
    question:
      factor === 'architecture'
        ? 'Where should its rules be enforced?'
        : `Which ${factorWords(factor)} should it have?`,
    drivers: [
      'Round-trip time of a request',
      'Processor time of a request',
      'Exposure: refused data that has reached the node of its target',
      ...(price ? [`Cost per month, at ${formatPrice(price, price.perCoreHour)} per core hour`] : []),
    ],
  };
}

/** `3 to 9 services`, `1 node`. */
function rangeText(values: readonly number[], one: string, many = `${one}s`): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? `${low} ${low === 1 ? one : many}` : `${low} to ${high} ${many}`;
}
