import { randomStream } from '@topo-bench/core';
import { describe, expect, it } from 'vitest';
import { compareProfiles, type ProfiledSide, profiledPairs } from '../../src/profiles/compare-profiles.ts';
import { profileLines } from '../../src/profiles/profile-sentences.ts';
import { type Called, program } from '../fixtures/cpu-profiles.ts';

const requests = 20;
const url = 'file:///shop/server.cjs';

function side(called: readonly Called[], more: Parameters<typeof program>[1] = {}): ProfiledSide {
  return { profile: { programs: [program(called, more)], missing: [] }, requests };
}

/** Forty functions of about 1 ms per request, each with its own noise, and the disturbance of a pair. */
function noisy(random: ReturnType<typeof randomStream>, disturbed: number, planted = 0): Called[] {
  const functions = Array.from({ length: 40 }, (_, at) => {
    return { name: `f${at}`, url, line: at + 1, ms: requests * (1 + 0.2 * (random.uniform() - 0.5)) * disturbed };
  });
  return planted > 0 ? [...functions, { name: 'planted', url, line: 99, ms: requests * planted }] : functions;
}

function pairsOf(seed: number, planted: number) {
  const random = randomStream(seed, 'profiles');
  return Array.from({ length: profiledPairs }, () => {
    const disturbed = 1 + 0.5 * random.uniform();
    return { baseline: side(noisy(random, disturbed)), candidate: side(noisy(random, disturbed, planted)) };
  });
}

describe('functions of two sides', () => {
  it('names a planted function with its time per request, and nothing else', () => {
    const compared = compareProfiles(pairsOf(1, 0.3));
    expect(compared.functions.map(({ name }) => name)).toEqual(['planted']);
    expect(profileLines(compared)[0]).toMatch(
      /^planted \(server\.cjs:99\) in pricing: \+0\.30 ms per request \[0\.30, 0\.30\] of [+−]\d\.\d\d ms$/,
    );
  });

  it('names a function of equal sides in at most one of twenty comparisons, however many there are', () => {
    const series = process.env.LONG_SERIES ? 1000 : 80;
    const named = Array.from({ length: series }, (_, seed) => compareProfiles(pairsOf(seed, 0)));
    const alarms = named.filter(({ functions }) => functions.length > 0).length;
    // 5% and three standard errors of that share.
    expect(alarms).toBeLessThanOrEqual(0.05 * series + 3 * Math.sqrt(0.05 * 0.95 * series));
  });

  it('finds one function in files that are named otherwise on the two sides, also after its lines moved', () => {
    const pairs = Array.from({ length: profiledPairs }, (_, at) => ({
      baseline: side([{ name: 'hash', url: 'file:///base/old.cjs', line: 3, ms: 40 + at }], {
        folder: '/base',
        script: '/base/old.cjs',
      }),
      candidate: side([{ name: 'hash', url: 'file:///new/new.cjs', line: 7, ms: 60 + at }], {
        folder: '/new',
        script: '/new/new.cjs',
      }),
    }));
    const { functions, total } = compareProfiles(pairs);
    expect(functions).toMatchObject([{ name: 'hash', file: 'new.cjs', line: 7, roles: ['pricing'], us: 1000 }]);
    expect(total.us).toBe(1000);
  });

  it('shows nothing in five pairs, and names what is not profiled', () => {
    const [pair] = pairsOf(2, 5) as [ReturnType<typeof pairsOf>[number]];
    const missing = [{ role: 'billing', why: 'topo-bench does not start it' }];
    const baseline = { ...pair.baseline, profile: { ...pair.baseline.profile, missing } };
    const compared = compareProfiles(Array(5).fill({ ...pair, baseline }));
    expect(compared.functions).toEqual([]);
    expect(profileLines(compared)).toEqual([
      expect.stringMatching(/^no function is shown to differ in 5 profiled pairs: all together \+5\.\d\d ms/),
      'billing is not profiled: topo-bench does not start it',
    ]);
  });

  it('keeps functions of one name in several services apart by their files', () => {
    const pair = {
      baseline: side([]),
      candidate: {
        requests,
        profile: {
          missing: [],
          programs: ['a', 'b'].map((role) =>
            program([{ name: 'handle', url: `file:///${role}/server.cjs`, line: 1, ms: role === 'a' ? 20 : 60 }], {
              role,
              folder: `/${role}`,
              script: `/${role}/server.cjs`,
            }),
          ),
        },
      },
    };
    const { functions } = compareProfiles(Array(profiledPairs).fill(pair));
    expect(functions.map(({ roles, us }) => [roles, us])).toEqual([
      [['b'], 3000],
      [['a'], 1000],
    ]);
  });
});
