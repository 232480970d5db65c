import { describe, expect, it } from 'vitest';
import { scheduleAdherence } from '../src/schedule-adherence.ts';

function samples(rows: [intendedUs: number, sentUs: number | null][]) {
  return rows.map(([intendedUs, sentUs]) => ({ intendedUs, sentUs }));
}

describe('schedule adherence', () => {
  it('counts scheduled and sent requests in their seconds', () => {
    const { perSecond, ...all } = scheduleAdherence(
      samples([
        [0, 100],
        [900_000, 1_200_000],
        [1_500_000, 1_500_050],
        [1_600_000, null],
      ]),
      2_000_000,
    );
    expect(all).toEqual({ scheduled: 4, sent: 3 });
    expect(perSecond).toEqual([
      { scheduled: 2, sent: 1 },
      { scheduled: 2, sent: 2 },
    ]);
  });

  it('tolerates a request that crosses the border of a second by a few milliseconds', () => {
    expect(scheduleAdherence(samples([[999_900, 1_000_300]]), 2_000_000).perSecond[0]).toEqual({
      scheduled: 1,
      sent: 1,
    });
  });

  it('counts a request with a lag of 10 ms or more in the second in which it was sent', () => {
    const { perSecond } = scheduleAdherence(
      samples([
        [995_000, 1_004_999],
        [995_000, 1_005_000],
        [990_000, 1_060_000],
      ]),
      2_000_000,
    );
    expect(perSecond).toEqual([
      { scheduled: 3, sent: 1 },
      { scheduled: 0, sent: 2 },
    ]);
  });

  it('counts a request sent after the end of the load as missing in its second', () => {
    expect(scheduleAdherence(samples([[900_000, 1_100_000]]), 1_000_000)).toEqual({
      scheduled: 1,
      sent: 1,
      perSecond: [{ scheduled: 1, sent: 0 }],
    });
  });
});
