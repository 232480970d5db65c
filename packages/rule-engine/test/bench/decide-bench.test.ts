/** Every contender of bench:decide decides the same: each matches the same rules on every workload. */
import { describe, expect, it } from 'vitest';
import { cedar } from '../../bench/contenders/cedar.ts';
import { ours, partitioned } from '../../bench/contenders/ours.ts';
import { workloads } from '../../bench/workloads.ts';

const requests = [0, 1, 2, 3, 4, 5];

describe.each(workloads().map((workload) => [workload.name, workload] as const))('%s', (_, workload) => {
  const matchesOf = async ({ load }: typeof cedar): Promise<string[][] | string> => {
    const contender = await load(workload);
    if (typeof contender === 'string') return contender;
    return Promise.all(requests.map(async (i) => contender.matched(await contender.decide(i)).toSorted()));
  };

  it('matches the same rules under the compiled engine, json-rules-engine and Cedar', {
    timeout: 120_000,
  }, async () => {
    const expected = (await matchesOf(ours('json-rules-engine'))) as string[][];
    // Every second request meets a rule.
    expect(expected.filter((rules) => rules.length > 0).length).toBeGreaterThanOrEqual(3);
    expect(await matchesOf(ours('compiled'))).toEqual(expected);
    expect(await matchesOf(cedar)).toEqual(expected);
    const perTarget = await matchesOf(partitioned);
    expect(perTarget).toEqual(
      workload.targets.length > 1 ? expected : 'there is one target: the row above is the same',
    );
  });
});
