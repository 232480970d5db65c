import { describe, expect, it } from 'vitest';
import { ForkTable, type Outcome } from '../src/index.ts';
import { stateOf } from './state.ts';

const outcome = (join: number, branch: number, error?: string): Outcome => ({
  state: stateOf({ join, branch }),
  verdict: error ? { kind: 'error', error, message: '' } : { kind: 'completed' },
});

describe('the forks of a role', () => {
  it('join when every branch has ended, with the outcomes in file order whatever their order of arrival', () => {
    const forks = new ForkTable();
    const joined: Outcome[][] = [];
    const [a, b] = [forks.begin('x', 3, (all) => joined.push(all)), forks.begin('x', 1, (all) => joined.push(all))];
    for (const [join, branch] of [
      [a, 2],
      [a, 0],
      [b, 0],
    ] as const)
      expect(forks.arrive(outcome(join, branch))).toBe(true);
    expect(joined).toEqual([[outcome(b, 0)]]);
    expect(forks.arrive(outcome(a, 1))).toBe(true);
    expect(joined[1]).toEqual([outcome(a, 0), outcome(a, 1), outcome(a, 2)]);
    expect(forks.size).toBe(0);
  });

  it('ignore outcomes that are repeated, late, or of no branch that is theirs', () => {
    const forks = new ForkTable();
    const joined: Outcome[][] = [];
    const key = forks.begin('x', 2, (all) => joined.push(all));
    expect(forks.arrive(outcome(key, 0))).toBe(true);
    for (const [join, branch] of [
      [key, 0],
      [key, 2],
      [key, -1],
      [77, 0],
      [-1, -1],
    ] as const) {
      expect(forks.arrive(outcome(join, branch, 'ignored'))).toBe(false);
    }
    forks.arrive(outcome(key, 1));
    expect(forks.arrive(outcome(key, 1))).toBe(false);
    expect(joined).toEqual([[outcome(key, 0), outcome(key, 1)]]);
  });

  it('ignore an outcome of another request: a role that starts again counts its forks anew', () => {
    const forks = new ForkTable();
    const joined: Outcome[][] = [];
    const key = forks.begin('x', 1, (all) => joined.push(all));
    const { state, verdict } = outcome(key, 0);
    expect(forks.arrive({ state: { ...state, id: 'of-another' }, verdict })).toBe(false);
    expect(forks.arrive({ state, verdict })).toBe(true);
    expect(joined).toEqual([[outcome(key, 0)]]);
  });

  it('give up branches that are away when time is over, and name the role that has each', () => {
    const forks = new ForkTable();
    const joined: Outcome[][] = [];
    const key = forks.begin('x', 4, (all) => joined.push(all));
    forks.handedOver(stateOf({ join: key, branch: 0 }), 'router-1');
    forks.handedOver(stateOf({ join: key, branch: 1 }), 'router-2');
    forks.arrive(outcome(key, 0));
    forks.expire(key);
    // One is still here: it ends by itself. Another is acknowledged only now.
    expect(joined).toEqual([]);
    forks.handedOver(stateOf({ join: key, branch: 2 }), 'router-3');
    forks.arrive(outcome(key, 3));
    expect(joined[0]?.map(({ verdict }) => (verdict.kind === 'error' ? verdict.error : verdict.kind))).toEqual([
      'completed',
      'deadline:router-2',
      'deadline:router-3',
      'completed',
    ]);
    forks.expire(key);
    expect(forks.size).toBe(0);
  });
});
