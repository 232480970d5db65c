import type { Sample } from '@topo-bench/core';
import { expect, test } from 'vitest';
import { summariseSamples } from '../src/summarise-samples.ts';

/** Sent 2 ms late and answered 10 ms later, with a round trip of 8 ms; unfinished ones have neither. */
function sample(outcome: Sample['outcome']): Sample {
  const isAnswered = outcome !== 'unfinished';
  return {
    ...{ id: 'a', class: 'a', status: isAnswered ? 200 : null, outcome, rule: null, error: null },
    ...{ intendedUs: 1000, sentUs: 3000, doneUs: isAnswered ? 13_000 : null, rttUs: isAnswered ? 8000 : null },
    ...{ hops: 1, hopsBetweenNodes: 0, exposureBytes: {}, steps: [] },
  };
}

test('response times begin at the intended time, and refused requests have a summary of their own', () => {
  const summaries = summariseSamples([sample('completed'), sample('completed'), sample('refused')]);
  expect(summaries.rtt).toMatchObject({ count: 2, medianUs: 8000 });
  expect(summaries.rttRefused).toMatchObject({ count: 1, medianUs: 8000 });
  expect(summaries.responseTime).toMatchObject({ count: 2, medianUs: 12_000 });
  expect(summaries.schedulerLag).toMatchObject({ count: 3, medianUs: 2000 });
});

test('unfinished requests take endless times: most of them make a median endless', () => {
  const { rtt, responseTime } = summariseSamples([sample('completed'), sample('unfinished'), sample('unfinished')]);
  expect([rtt.minUs, rtt.medianUs]).toEqual([8000, Number.POSITIVE_INFINITY]);
  expect([responseTime.minUs, responseTime.medianUs]).toEqual([12_000, Number.POSITIVE_INFINITY]);
});

test('round trips have a summary for each class of requests, where there are several', () => {
  const [one, other] = [sample('completed'), { ...sample('completed'), class: 'b', rttUs: 20_000 }];
  const { rtt, rttByClass } = summariseSamples([one, other, other, { ...sample('unfinished'), class: 'b' }]);
  expect(rtt.count).toBe(4);
  expect(rttByClass).toMatchObject({
    a: { count: 1, medianUs: 8000 },
    b: { count: 3, minUs: 20_000, maxUs: Number.POSITIVE_INFINITY },
  });
  expect(summariseSamples([one, one]).rttByClass).toBeUndefined();
});
