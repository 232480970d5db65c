/** What was measured of each read and write: the generator's clock joined with the operation that it was. */
import { errorKinds, isUnfinished, type LoadResult, outcomeOf, type StoreRequest } from '@topo-bench/loadgen';
import type { Sample } from '@topo-bench/results';
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
  const { samples } = load;
  return Array.from(samples.index, (index, row) => {
    const outcome = outcomeOf(samples, row);
    const { decisions = [], exposureBytes = {} } = itemAnswer(load, row)?.enforcement ?? {};
    return {
      id: String(index),
      class: operationOf(index),
      intendedUs: samples.intendedUs[row] as number,
      sentUs: known(samples.sentUs[row]),
      doneUs: isUnfinished(samples, row) ? null : known(samples.doneUs[row]),
      rttUs: null,
      status: samples.status[row] || null,
      outcome,
      rule: (outcome === 'refused' && decisions[0]?.rule) || null,
      error: outcome === 'error' ? errorOf(load, row) : null,
      hops: null,
      hopsBetweenNodes: null,
      exposureBytes,
      steps: decisions.flatMap(({ effect, rule, count }) => {
        return Array.from({ length: count }, () => ({ service, effect, ...(rule !== undefined && { rule }) }));
      }),
    };
  });
}

function errorOf({ samples }: LoadResult, row: number): string {
  const kind = samples.error[row] as number;
  return kind === 0 ? `status-${samples.status[row]}` : (errorKinds[kind] ?? 'other');
}

function known(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
