/** What was measured of each read and write: the generator's clock joined with the operation that it was. */
import type { Sample } from '@topo-bench/core';
import { type LoadResult, sampleOfRow } from '@topo-bench/loadgen';
import type { StoreRequest } from '@topo-bench/workload';
import { itemAnswer } from './item-answer.ts';

/**
 * @param service whose items they are: the target of every decision
 * @param operationOf the kind of the request of an index
 */
export function storeSamples(
  load: LoadResult,
  service: string,
  operationOf: (index: number) => StoreRequest['operation'],
): Sample[] {
  return Array.from(load.samples.index, (index, row) => {
    const sample = sampleOfRow(load.samples, row);
    const { decisions = [], exposureBytes = {} } = itemAnswer(load, row)?.enforcement ?? {};
    return {
      ...sample,
      class: operationOf(index),
      rttUs: null,
      rule: (sample.outcome === 'refused' && decisions[0]?.rule) || null,
      exposureBytes,
      steps: decisions.flatMap(({ effect, rule, count }) => {
        return Array.from({ length: count }, () => ({ service, effect, ...(rule !== undefined && { rule }) }));
      }),
    };
  });
}
