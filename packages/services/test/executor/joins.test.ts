import type { FlowState, Outcome } from '@topo-bench/flow';
import { describe, expect, it } from 'vitest';
import { Joins } from '../../src/executor/joins.ts';

const state = (join: number, branch: number, expiresInMs = 10_000): FlowState => ({
  ...{ id: 'x', at: 0, replyTo: 'holder', join, branch, done: 0, hops: 0, hopsBetweenNodes: 0, steps: [], reached: [] },
  ...{
    delivered: { services: [], copies: [] },
    placed: {},
    exposureBytes: {},
    expiresMs: Date.now() + expiresInMs,
    dueMs: 0,
    from: 0,
  },
});
const outcome = (join: number, branch: number, error?: string): Outcome => ({
  state: state(join, branch),
  verdict: error ? { kind: 'error', error, message: '' } : { kind: 'completed' },
});

describe('the joins of a holder', () => {
  it('bring each branch its own outcome, whether it comes before or after it is waited for', async () => {
    const joins = new Joins();
    const [a, b] = [joins.begin(), joins.begin()] as const;
    const early = outcome(a, 1);
    expect(joins.arrive(early)).toBe(true);
    const waits = [joins.outcomeOf(state(a, 0), 'hop'), joins.outcomeOf(state(a, 1), 'hop'), joins.outcomeOf(state(b, 0), 'hop')];
    const late = [outcome(b, 0), outcome(a, 0)];
    for (const each of late) expect(joins.arrive(each)).toBe(true);
    expect(await Promise.all(waits)).toEqual([late[1], early, late[0]]);
  });

  it('ignore reports that are repeated, late or of no fork of theirs', async () => {
    const joins = new Joins();
    const key = joins.begin();
    expect(joins.arrive(outcome(key, 0))).toBe(true);
    expect(joins.arrive(outcome(key, 0, 'second'))).toBe(false);
    expect((await joins.outcomeOf(state(key, 0), 'hop')).verdict.kind).toBe('completed');
    joins.close(key);
    expect(joins.arrive(outcome(key, 1))).toBe(false);
    expect(joins.arrive(outcome(77, 0))).toBe(false);
    expect(joins.size).toBe(0);
  });

  it('give a branch up when the request has run out of time, and name the hop that took it', async () => {
    const joins = new Joins();
    const key = joins.begin();
    const { verdict } = await joins.outcomeOf(state(key, 0, 20), 'router-2');
    expect(verdict).toMatchObject({ kind: 'error', error: 'deadline:router-2' });
    expect(joins.arrive(outcome(key, 0))).toBe(false);
  });
});
