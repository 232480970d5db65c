/** The sample of each read and write: times of the generator and the operation. */
import type { Sample } from '@topo-bench/core';
import { type LoadResult, sampleOfRow } from '@topo-bench/loadgen';
import type { StoreRequest } from '@topo-bench/workload';
import { itemAnswer } from './item-answer.ts';

/**
 * @param service with the items: the target of every decision
 * @param operationOf the operation of the request of an index
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
